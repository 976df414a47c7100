/**
 * How do requests of other programs reach the model's vendor? Requests and answers, good or bad, pass unchanged; the
 * key is ours, and nothing is sent twice.
 */
/** Usage of one call. */
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
