/** The used part of @zilliz/milvus2-sdk-node, loaded late; loosely typed answers are checked, and values in filters escaped. */
import { setTimeout as pause } from 'node:timers/promises'
import { asGiven, check, orElse } from '../../domain/checks.ts'
import type { VectorFilter, VectorStoreOptions } from '../../domain/contracts/vector-index.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { within } from '../../domain/scheduling.ts'

/** The status of every answer, alone or under `status`. */
interface SdkStatus {
  readonly error_code?: string | number
  readonly reason?: string
}

/** The possible parts of an answer; each is checked before use. */
export interface SdkAnswer extends SdkStatus {
  readonly status?: SdkStatus
  readonly [part: string]: unknown
}

/** The client, as far as it is used. */
export interface SdkClient {
  readonly connectPromise: Promise<unknown>
  getVersion(): Promise<SdkAnswer>
  hasCollection(request: object): Promise<SdkAnswer>
  createCollection(request: object): Promise<SdkAnswer>
  describeCollection(request: object): Promise<SdkAnswer>
  createIndex(request: object): Promise<SdkAnswer>
  describeIndex(request: object): Promise<SdkAnswer>
  loadCollection(request: object): Promise<SdkAnswer>
  getLoadState(request: object): Promise<SdkAnswer>
  insert(request: object): Promise<SdkAnswer>
  delete(request: object): Promise<SdkAnswer>
  query(request: object): Promise<SdkAnswer>
  search(request: object): Promise<SdkAnswer>
  closeConnection(): Promise<unknown>
}

export interface MilvusSdk {
  readonly MilvusClient: new (options: object) => SdkClient
}

/** Rejects `unsupported` with what to install when it is missing. */
export async function loadSdk(load: () => Promise<unknown> = importSdk): Promise<MilvusSdk> {
  let module: unknown
  try {
    module = await load()
  } catch (cause) {
    const reason = 'Milvus was configured, but the package @zilliz/milvus2-sdk-node cannot be loaded.'
    const remedy = 'Install it beside mneme: npm install @zilliz/milvus2-sdk-node'
    throw new MnemeError('unsupported', reason, { remedy, cause })
  }
  return module as MilvusSdk
}

/** The package is named at run time, so that it need not be there to compile. */
async function importSdk(): Promise<unknown> {
  const name = '@zilliz/milvus2-sdk-node'
  return import(name)
}

export interface CallPlace {
  /** Without user and password. */
  readonly shown: string
  /** Secrets kept out of every message: token, password. */
  readonly secrets: readonly string[]
}

/** The gRPC code for an unreachable server. https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE = 14
const DEADLINE = 4
const UNAUTHENTICATED = 16
/** Extra time in milliseconds before and after a call, which has a deadline of its own. */
const SLACK_MS = 500

/** Number of tries for a call whose connection breaks, with pauses of 100 ms and 200 ms. */
const TRIES = 3
const FIRST_PAUSE_MS = 100

/** The answer of a call whose status is good; `tries` is 1 for what must not be done twice. */
export async function called(
  place: CallPlace,
  doing: string,
  withinMs: number,
  call: () => Promise<SdkAnswer>,
  tries = TRIES,
): Promise<SdkAnswer> {
  for (let left = tries - 1, rest = FIRST_PAUSE_MS; ; left -= 1, rest *= 2) {
    try {
      return await answered(withinMs, call)
    } catch (error) {
      if (left === 0 || codeOf(error) !== UNAVAILABLE) throw failure(place, doing, error)
      await pause(rest)
    }
  }
}

async function answered(withinMs: number, call: () => Promise<SdkAnswer>): Promise<SdkAnswer> {
  const answer = await within(call(), withinMs + SLACK_MS)
  if (answer === null) throw new Error(`no answer within ${withinMs} ms`)
  const status = answer.status ?? answer
  if (![undefined, 'Success', 0].includes(status.error_code))
    throw new Error(status.reason === '' ? String(status.error_code) : status.reason)
  return answer
}

export function failure({ shown, secrets }: CallPlace, doing: string, error: unknown): MnemeError {
  if (error instanceof MnemeError) return error
  const code = codeOf(error)
  const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error))
  return new MnemeError('vector_store_failed', `Milvus at ${shown} could not ${doing}: ${reason}.`, {
    remedy: remedyOf(code, reason),
    // The original may hold the token in its metadata.
    cause: new Error(reason),
  })
}

function remedyOf(code: number | undefined, reason: string): string {
  if (code === UNAUTHENTICATED || /auth|permission|privilege/i.test(reason))
    return 'Check the token and what its user may do.'
  if (code === UNAVAILABLE || code === DEADLINE || /no answer within/.test(reason))
    return 'Check that Milvus runs, that the address is right, and that http or https fits; Mneme tries again by itself.'
  if (/database/i.test(reason)) return 'Check the database, or create it.'
  return 'See the log of the Milvus server; Mneme tries again by itself.'
}

function codeOf(error: unknown): number | undefined {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return typeof code === 'number' ? code : undefined
}

function reasonOf(error: unknown): string {
  if (codeOf(error) === DEADLINE) return 'it did not answer in time'
  if (codeOf(error) === UNAVAILABLE && /Protocol error|Parse Error/i.test(String(error)))
    return 'what answers there does not speak the protocol of Milvus'
  if (codeOf(error) === UNAVAILABLE && /No connection established/.test(String(error))) return 'nobody answers there'
  if (error instanceof TypeError) return `its answer could not be read (${error.message})`
  if (error instanceof Error) return error.message.trim()
  if (typeof error === 'object' && error !== null) {
    const status: unknown = Reflect.get(error, 'status') ?? error
    const reason: unknown =
      typeof status === 'object' && status !== null
        ? (Reflect.get(status, 'reason') ?? Reflect.get(status, 'details') ?? Reflect.get(error, 'message'))
        : undefined
    if (typeof reason === 'string' && reason !== '') return reason
    return JSON.stringify(error)
  }
  return String(error)
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text literal. Milvus Lite refuses other escapes than these five (JSON's \u0007). */
export function literal(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character]!)}"`
}

export function literals(texts: Iterable<string>): string {
  return `[${[...texts].map(literal).join(', ')}]`
}

/** The rows of a user that a filter accepts, in Milvus's language; every value is escaped, so that it stays a value. */
export function filterOf(
  userId: string,
  { kind, conversationId, who, since, until }: VectorFilter,
  isKindKnown: boolean,
): string {
  return [
    `user_id == ${literal(userId)}`,
    ...(kind === undefined || isKindKnown ? [] : [`memory_type == ${literal(kind)}`]),
    ...(conversationId === undefined ? [] : [`chat_id == ${literal(conversationId)}`]),
    ...(who === undefined ? [] : [`who == ${literal(who)}`]),
    ...(since === undefined ? [] : [`ts >= ${wholeAtLeast(since)}`]),
    ...(until === undefined ? [] : [`ts < ${wholeAtLeast(until)}`]),
  ].join(' and ')
}

/** The least whole number that is not below the value; times are whole, so the filter stays equivalent. */
function wholeAtLeast(value: number): number {
  return Math.min(Math.max(Math.ceil(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

export type ResolvedMilvusOptions = ReturnType<typeof resolveMilvusOptions>

const DEFAULT_PORT = '19530'
/** Addresses that other programs take for a file of Milvus Lite: `./milvus.db`, `/data/milvus.db`. */
const FILE = /^[./~]|^[^:]*\.db$/

const LONGEST_WAIT_MS = 3_600_000
const OPTIONS = {
  provider: asGiven,
  uri: (field: string, value: unknown) => readAddress(check.text(field, value, { maxBytes: 4096 })),
  token: orElse(undefined, check.id),
  database: orElse(undefined, check.id),
  collection: orElse('memories', checkCollectionName),
  required: asGiven,
  timeoutMs: orElse(3000, check.integer, 1, LONGEST_WAIT_MS),
  readyWithinMs: orElse(60_000, check.integer, 1, LONGEST_WAIT_MS),
} as const

/** Throws `invalid_input` naming the option. */
export function resolveMilvusOptions(options: VectorStoreOptions) {
  const {
    provider: _,
    uri,
    database = uri.database,
    required: _required,
    ...rest
  } = check.fields('vectorStore', options, OPTIONS)
  return { ...rest, address: { ...uri, database } }
}

function checkCollectionName(field: string, value: unknown): string {
  const name = check.id(field, value)
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
