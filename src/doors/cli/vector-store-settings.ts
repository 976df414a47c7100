/**
 * Resolves the vector database: none unless MILVUS_URI or the config file names one. Shown settings contain neither
 * password nor token.
 */
import type { VectorStoreOptions } from '../../usecases/options.ts'
import type { Environment } from '../config/environment.ts'
import type { ConfigFile } from './config-file.ts'
import type { CommonFlags } from './setting.ts'
import { byDefault, first, type Setting } from './setting.ts'

/** The settings of the vector database, as `mneme doctor` shows them. */
export interface ShownVectorStore {
  /** null: the vectors are searched in the database file. */
  readonly uri: Setting<string | null>
  readonly token: Setting<'set' | 'not set'>
  readonly collection: Setting<string>
  /** false: without it recall uses words only, and nothing fails. */
  readonly required: Setting<boolean>
}

/** The vector database as it was configured. */
export interface VectorStoreSettings {
  readonly shown: ShownVectorStore
  /** For the library; undefined when there is none. */
  readonly options: VectorStoreOptions | undefined
}

/** The flags for the vector database. The token is no flag, because process lists are visible to others. */
export type VectorStoreFlags = Pick<CommonFlags, 'milvusUri' | 'milvusCollection'>

/**
 * Resolves the vector database. A command must work while Milvus is down, so it is required only if the config file
 * says so.
 */
export function resolveVectorStore(
  environment: Environment,
  config: ConfigFile,
  flags: VectorStoreFlags = {},
): VectorStoreSettings {
  const from = config.path ?? ''
  const { vector_store: named } = config
  const uri = first<string>(
    ['--milvus-uri', flags.milvusUri],
    ['MILVUS_URI', environment.MILVUS_URI],
    [from, named?.uri],
  )
  const token = first<string>(['MILVUS_TOKEN', environment.MILVUS_TOKEN], [from, named?.token])
  const collection =
    first<string>(['--milvus-collection', flags.milvusCollection], [from, named?.collection]) ?? byDefault('memories')
  const required = first<boolean>([from, named?.required]) ?? byDefault(false)
  return {
    shown: {
      uri: uri === undefined ? byDefault(null) : { ...uri, value: withoutPassword(uri.value) },
      token: token === undefined ? byDefault('not set') : { ...token, value: 'set' },
      collection,
      required,
    },
    options:
      uri === undefined
        ? undefined
        : {
            provider: 'milvus',
            uri: uri.value,
            token: token?.value,
            collection: collection.value,
            required: required.value,
            database: named?.database,
            index: named?.index,
            metric: named?.metric,
            partitionByUser: named?.partition_by_user,
            timeoutMs: named?.timeout_ms,
          },
  }
}

/** The address without user and password. */
function withoutPassword(uri: string): string {
  const full = uri.includes('://') ? uri : `http://${uri}`
  if (!URL.canParse(full)) return 'not an address'
  const { protocol, host, pathname } = new URL(full)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
