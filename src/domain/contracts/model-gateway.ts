/**
 * How requests of other programs reach the model's vendor: handed on as they are, and the vendor's answer, good or bad,
 * comes back as it is. The key is ours; nothing is sent twice.
 */
/** What one call used. */
export interface ModelUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars as the vendor states it; null when it does not. */
  readonly cost: number | null
}

/** A request for a completion that another program wrote. */
export interface GatewayRequest {
  /** On whose behalf, for the count of usage. */
  readonly userId: string
  /** Behind the vendor's address, such as `/chat/completions` or `/messages?beta=true`. */
  readonly path: string
  /** Of the client, for the vendor; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The JSON to send, byte for byte. */
  readonly body: string
  /** The words in it, to estimate what they cost where the vendor does not say. */
  readonly words: readonly string[]
  readonly signal: AbortSignal
}

/** What a model has said in a completion so far; of several choices the first. */
export interface GatewaySaid {
  readonly text: string
  /** As the vendor spells it; null when it does not say. */
  readonly model: string | null
  readonly usage: ModelUsage | null
  /** The model has come to its end. */
  readonly finished: boolean
  /** Answers to choose from, of which `text` is the first. */
  readonly choices: number
}

/** The vendor's answer. */
export interface GatewayReply {
  readonly status: number
  /** Those that a client can use; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer's bytes as they come. Read it to the end, or abort the signal and read on until it rejects. */
  readonly body: AsyncIterable<Uint8Array>
  /** What stood in the bytes that were read. */
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
