/** What does the caller of a model hear when its request finally failed, or was never sent? Each error with what can be done. */
import { MnemeError } from '../../domain/errors.ts'
import type { CallFailure } from '../http/call-failure.ts'

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
  const said = failure.said === null ? {} : { said: failure.said }
  if (failure.refused)
    return new MnemeError('model_refused', `The model ${model} refused${times}: ${failure.message}`, {
      ...said,
      remedy: remedy ?? 'Check llm.model and llm.baseUrl; the reason is quoted above.',
    })
  return new MnemeError('model_failed', `The model ${model} gave no answer${times}: ${failure.message}`, {
    ...said,
    remedy:
      remedy ??
      'Check that the address in llm.baseUrl answers, and ask again; work in the background is tried again by itself.',
  })
}

/** The caller's signal stopped the call. */
export function abortedError(): MnemeError {
  return new MnemeError('aborted', 'The call to the model was stopped by its caller.', { remedy: 'Call it again.' })
}

/** The caller's time is over. */
export function lateError(): MnemeError {
  return new MnemeError('model_failed', 'The vendor of the model did not answer in time.', {
    remedy: 'Check that the address in llm.baseUrl answers, then ask again.',
  })
}

/** `close` was called. */
export function closedError(): MnemeError {
  return new MnemeError('closed', 'The model has been closed.', { remedy: 'Open it again.' })
}

/** The circuit breaker is open for so many milliseconds more. */
export function pausedError(model: string, waitMs: number): MnemeError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new MnemeError('model_failed', `The model ${model} failed lately and is left alone for now.`, {
    remedy: `Try again in ${seconds} s; until then everything works by rules.`,
  })
}
