/** What went wrong with one request, and is it worth sending again? */
import { MnemeError } from '../../domain/errors.ts'

/** A request that brought no answer. Its message is masked and short. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** HTTP status; null when there was none (network, time). */
  readonly status: number | null
  /** The same request may be answered if it is sent again. */
  readonly transient: boolean
  /** What the server asked for; null when nothing. */
  readonly waitMs: number | null

  constructor(message: string, about: { status?: number | null; transient: boolean; waitMs?: number | null }) {
    super(message)
    this.status = about.status ?? null
    this.transient = about.transient
    this.waitMs = about.waitMs ?? null
  }

  /** The server is there and said no to this request: nothing speaks against asking it something else. */
  get refused(): boolean {
    return !this.transient && this.status !== null && this.status >= 300 && this.status < 500
  }
}

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the API key (llm.apiKey, MNEME_LLM_API_KEY).',
  402: 'Add credit with the vendor, or choose another model.',
  403: 'Check what the API key may do, and the rules of the vendor.',
  404: 'Check llm.baseUrl and llm.model.',
  413: 'Send less text in one call.',
  429: 'Wait, ask less often, or raise the limit with the vendor.',
}

/** The error that a caller sees: `model_refused` when the server said no, else `model_failed`. */
export function toModelError(failure: CallFailure, model: string, attempts: number): MnemeError {
  const times = attempts > 1 ? ` (after ${attempts} requests)` : ''
  const remedy = REMEDIES[failure.status ?? 0]
  if (failure.refused)
    return new MnemeError('model_refused', `The model ${model} refused${times}: ${failure.message}`, {
      remedy: remedy ?? 'Check llm.model and llm.baseUrl; the reason is quoted above.',
    })
  return new MnemeError('model_failed', `The model ${model} gave no answer${times}: ${failure.message}`, {
    remedy: remedy ?? 'Check that the address in llm.baseUrl answers; what was asked is tried again later.',
  })
}
