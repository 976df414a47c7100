/** Contracts of models: one that thinks, one that embeds, and the gateway to a vendor’s own interface. */

/** A message to a language model. Adapters own timeouts and retries, so a rejected call has finally failed. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** One question to a model. */
export interface ModelRequest {
  /** The thinking step that asks, for the count of usage ("exchange", "merge", …). */
  readonly step: string
  /** The user whose usage this counts as. */
  readonly userId: string
  readonly messages: readonly ModelMessage[]
  /** true: the answer should be one JSON object. */
  readonly json?: boolean
  /** Largest answer in tokens. */
  readonly maxTokens?: number
  /** 0 to 2. */
  readonly temperature?: number
  readonly signal?: AbortSignal
}

export interface ModelAnswer {
  /** Without reasoning text. */
  readonly text: string
  readonly model: string
  readonly usage: ModelUsage
  /** Number of requests it needed, 1 or more. */
  readonly attempts: number
  readonly latencyMs: number
}

/** A piece of a streamed answer; the last one has `answer`. */
export interface ModelPiece {
  readonly text: string
  readonly answer?: ModelAnswer
}

/** A model that answers messages. */
export interface LanguageModel {
  /** Name of the model as its vendor spells it. */
  readonly model: string
  /** The gateway for requests of other programs; absent without a vendor. */
  readonly gateway?: ModelGateway
  /** true after recent failures, until it has answered again; absent where nobody counts failures. */
  isLeftAlone?(): boolean
  /** Rejects with MnemeError `model_failed`, `model_refused` (400, 401, 403, 404) or `budget_spent`. */
  ask(request: ModelRequest): Promise<ModelAnswer>
  stream(request: ModelRequest): AsyncIterable<ModelPiece>
  /** Ends open connections. */
  close(): Promise<void>
}

/** The user and the purpose of the vectors. */
export interface EmbedOptions {
  /** Purpose of the text; a question and its answers may be embedded differently. */
  readonly kind: 'query' | 'document'
  readonly userId?: string
  readonly signal?: AbortSignal
}

/** A model that turns texts into vectors. */
export interface Embedder {
  /** Identity of the vectors: vendor and model. Vectors of another identity cannot be compared with these. */
  readonly model: string
  /** Length of a vector, learnt by one call when unknown. Rejects with `embedding_failed`. */
  dimension(): Promise<number>
  /** One unit vector per text, in order; the adapter bounds the batches. Rejects with `embedding_failed`. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /** true after recent failures, until it has answered again; absent where nobody counts failures. */
  isLeftAlone?(): boolean
  close(): Promise<void>
}

export interface ModelUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars as the vendor states it; null when it does not. */
  readonly cost: number | null
}

/** A request for a completion that another program wrote. */
export interface GatewayRequest {
  /** The user whose usage this counts as. */
  readonly userId: string
  /** The path behind the vendor's address, such as `/chat/completions` or `/messages?beta=true`. */
  readonly path: string
  /** Headers of the client for the vendor; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The JSON to send, byte for byte. */
  readonly body: string
  /** The words in it, for an estimate of the usage where the vendor states none. */
  readonly words: readonly string[]
  readonly signal: AbortSignal
}

/** The text of a completion so far; the first choice if there are several. */
export interface GatewaySaid {
  readonly text: string
  /** As the vendor spells it; null when it does not say. */
  readonly model: string | null
  readonly usage: ModelUsage | null
  /** true when the model has ended its answer. */
  readonly finished: boolean
  /** Number of choices, of which `text` is the first. */
  readonly choices: number
}

/** The vendor's answer. */
export interface GatewayReply {
  readonly status: number
  /** Headers that a client can use; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer's bytes as they come. Read it to the end, or abort the signal and read on until it rejects. */
  readonly body: AsyncIterable<Uint8Array>
  /** The completion found in the bytes read so far. */
  said(): GatewaySaid
}

/** The way to one vendor. */
export interface ModelGateway {
  /** Rejects with `model_failed` when the vendor is not reached, `budget_spent`, or `aborted`. */
  complete(request: GatewayRequest): Promise<GatewayReply>
  /** The vendor's count of a request's tokens, as it answers. Rejects as `models` does. */
  count(request: Omit<GatewayRequest, 'userId' | 'words'>): Promise<GatewayReply>
  /** The vendor's list of models, as it answers. Rejects with `model_failed` when it is not reached, or not in time. */
  models(signal: AbortSignal): Promise<GatewayReply>
}

/** How a model that thinks is reached. */
export interface LlmOptions {
  readonly provider: 'openrouter' | 'openai'
  /** Any OpenAI-compatible endpoint, up to but without `/chat/completions`. Default: the provider's own. */
  readonly baseUrl?: string | undefined
  /** Needed by the providers' own endpoints; others may do without. */
  readonly apiKey?: string | undefined
  /** The model's name in the vendor's spelling. Default: `x-ai/grok-4.1-fast:free` of OpenRouter, `gpt-4o-mini` of OpenAI. */
  readonly model?: string | undefined
  /** Milliseconds of the longest call, its retries included, and of the longest silence of a stream. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after the first request, 0 to 3 (002 R10.2). Default 3. */
  readonly retries?: number | undefined
  /** Requests in one day (UTC), retries counted, over all users. Default: no bound. */
  readonly dailyCalls?: number | undefined
  /** Tokens in one day (UTC), prompt and completion, over all users; calls under way may pass it. Default: no bound. */
  readonly dailyTokens?: number | undefined
}

/** How a model of meaning is reached. */
export interface EmbeddingOptions {
  readonly provider: 'local' | 'openrouter' | 'openai'
  /** Any OpenAI-compatible endpoint, up to but without `/embeddings`. Default: the provider's own. */
  readonly baseUrl?: string | undefined
  /** Needed by the providers' own endpoints; others may do without. */
  readonly apiKey?: string | undefined
  /** The model's name in the vendor's spelling, or a folder in `modelsDir`. */
  readonly model?: string | undefined
  /** Wanted length of the vectors, for models that offer several. Default: the model's own, probed. */
  readonly dimension?: number | undefined
  /** `local`: the folder that holds the models' folders. */
  readonly modelsDir?: string | undefined
  /** Longest wait for documents in milliseconds, retries included. Default 60,000. */
  readonly timeoutMs?: number | undefined
}
