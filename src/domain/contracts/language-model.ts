/**
 * The contract of a language model; the key never appears in an error. An adapter owns timeouts, retries and the
 * circuit breaker, so a rejected call has finally failed.
 */
import type { ModelGateway, ModelUsage } from './model-gateway.ts'

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
