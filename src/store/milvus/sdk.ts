/**
 * The part of @zilliz/milvus2-sdk-node that is used, and how it is loaded: late, and only where a Milvus was configured.
 * What it answers is typed as loosely as it is: `call.ts` and `read-row.ts` look before they believe.
 */
import { MnemeError } from '../../domain/errors.ts'

/** What every answer has, alone or under `status`. */
export interface SdkStatus {
  readonly error_code?: string | number
  readonly reason?: string
}

/** What an answer may hold; every part is looked at before use. */
export interface SdkAnswer extends SdkStatus {
  readonly status?: SdkStatus
  readonly [part: string]: unknown
}

/** A method of the service, as @grpc/proto-loader made it. */
export interface SdkMethod {
  readonly path: string
  readonly requestSerialize: (request: object) => Uint8Array
  readonly responseDeserialize: (bytes: Uint8Array) => SdkAnswer
}

/** One of its connections: a client made by @grpc/grpc-js for the service of Milvus. */
export interface SdkService {
  readonly Insert: SdkMethod
  readonly Search: SdkMethod
  makeUnaryRequest(
    path: string,
    serialize: (message: object) => Uint8Array,
    deserialize: (bytes: Uint8Array) => SdkAnswer,
    message: object,
    options: { readonly deadline: Date },
    callback: (error: Error | null, answer?: SdkAnswer) => void,
  ): unknown
}

/** The client, as far as it is used. */
export interface SdkClient {
  /** Its connections; what is taken is given back. */
  readonly channelPool?: {
    acquire(): PromiseLike<SdkService>
    release(service: SdkService): PromiseLike<void>
  }
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

/** How a client is made. */
export interface SdkClientOptions {
  readonly address: string
  readonly ssl: boolean
  readonly token?: string
  readonly username?: string
  readonly password?: string
  readonly database?: string
  /** Milliseconds. */
  readonly timeout: number
  readonly maxRetries: number
  readonly retryDelay: number
  readonly logLevel: string
  readonly channelOptions?: Readonly<Record<string, number>>
  readonly telemetry: { readonly enabled: boolean }
}

/** The module. */
export interface MilvusSdk {
  readonly MilvusClient: new (options: SdkClientOptions) => SdkClient
}

/** Rejects `unsupported` with what to install when it is missing. */
export async function loadSdk(load: () => Promise<unknown> = importSdk): Promise<MilvusSdk> {
  let module: unknown
  try {
    module = await load()
  } catch (cause) {
    throw new MnemeError(
      'unsupported',
      'Milvus was configured, but the package @zilliz/milvus2-sdk-node cannot be loaded.',
      {
        remedy: 'Install it beside mneme: npm install @zilliz/milvus2-sdk-node',
        cause,
      },
    )
  }
  return module as MilvusSdk
}

/** Named at run time, so that the package need not be there to compile. */
async function importSdk(): Promise<unknown> {
  const name = '@zilliz/milvus2-sdk-node'
  return import(name)
}
