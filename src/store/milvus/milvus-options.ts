/** Which Milvus is meant, and how is it used? Options are checked, and an address shows no password. */
import {
  asGiven,
  checkBoolean,
  checkFields,
  checkId,
  checkInteger,
  checkOneOf,
  checkText,
  orElse,
} from '../../domain/checks.ts'
import type { VectorStoreOptions } from '../../domain/contracts/vector-mirror.ts'
import { invalid } from '../../domain/errors.ts'

const MILVUS_INDEXES = ['HNSW', 'FLAT', 'IVF_FLAT', 'IVF_SQ8', 'DISKANN', 'AUTOINDEX'] as const
export type MilvusIndex = (typeof MILVUS_INDEXES)[number]
const MILVUS_METRICS = ['COSINE', 'IP', 'L2'] as const
type MilvusMetric = (typeof MILVUS_METRICS)[number]

/** All options filled in, except for the index, which depends on the server. */
export type ResolvedMilvusOptions = ReturnType<typeof resolveMilvusOptions>

const DEFAULT_PORT = '19530'
/** Addresses that other programs take for a file of Milvus Lite: `./milvus.db`, `/data/milvus.db`. */
const FILE = /^[./~]|^[^:]*\.db$/

const LONGEST_WAIT_MS = 3_600_000
const OPTIONS = {
  provider: asGiven,
  uri: (field: string, value: unknown) => readAddress(checkText(field, value, { maxBytes: 4096 })),
  token: orElse(undefined, checkId),
  database: orElse(undefined, checkId),
  collection: orElse('memories', checkCollectionName),
  required: asGiven,
  index: orElse(undefined, checkOneOf<MilvusIndex>, MILVUS_INDEXES),
  metric: orElse('COSINE', checkOneOf<MilvusMetric>, MILVUS_METRICS),
  partitionByUser: orElse(false, checkBoolean),
  timeoutMs: orElse(3000, checkInteger, 1, LONGEST_WAIT_MS),
  readyWithinMs: orElse(60_000, checkInteger, 1, LONGEST_WAIT_MS),
} as const

/** Throws `invalid_input` naming the option. */
export function resolveMilvusOptions(options: VectorStoreOptions) {
  const {
    provider: _,
    uri,
    database = uri.database,
    required: _required,
    ...rest
  } = checkFields('vectorStore', options, OPTIONS)
  return { ...rest, address: { ...uri, database } }
}

function checkCollectionName(field: string, value: unknown): string {
  const name = checkId(field, value)
  if (/^[A-Za-z_][A-Za-z0-9_]{0,200}$/.test(name)) return name
  throw invalid(
    field,
    `${JSON.stringify(name)} is no name of a collection`,
    'Use letters, digits and underscores, a letter or underscore first, at most 200.',
  )
}

/** Throws `invalid_input`, which never holds what may be a password. */
export function readAddress(uri: string) {
  const full = uri.includes('://') ? uri : `http://${uri}`
  const url = URL.canParse(full) ? new URL(full) : null
  const isKnown = url !== null && ['http:', 'https:', 'tcp:', 'milvus:'].includes(url.protocol) && url.hostname !== ''
  if (!isKnown || url.port === '0' || FILE.test(uri))
    throw invalid(
      'vectorStore.uri',
      'is no address of a Milvus server',
      'Pass something like http://127.0.0.1:19530, or https://host:19530 for one with TLS. A file of Milvus Lite has to be served first.',
    )
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : DEFAULT_PORT) : url.port
  const host = `${url.hostname}:${port}`
  const database = decoded(url.pathname.slice(1))
  const named = (text: string): string | undefined => (text === '' ? undefined : decoded(text))
  return {
    host,
    ssl: url.protocol === 'https:',
    username: named(url.username),
    password: named(url.password),
    database: database === '' ? undefined : database,
    // The address for messages, without user and password.
    shown: `${url.protocol}//${host}${database === '' ? '' : `/${database}`}`,
  }
}

/** A `%` that begins no escape stands for itself, as in a password that nobody escaped. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
