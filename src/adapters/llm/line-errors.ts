/** Why is nothing sent? The errors of a line that is not asked, each with what the caller can do. */
import { MnemeError } from '../../domain/errors.ts'

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
