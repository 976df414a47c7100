/**
 * A caller's clock, logger, models and callbacks may throw, reject, stay silent or answer nonsense. Here that becomes a
 * time, a lost line or an error of ours, so that no work ends by it.
 */
import { check } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { Embedder, LanguageModel, ModelAnswer, ModelPiece, ModelRequest } from '../domain/contracts/models.ts'
import { closedError, type ErrorCode, MnemeError, messageOf } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { within } from '../domain/scheduling.ts'
import { maskSecrets, maskSecretsIn } from '../language/secrets/mask-secrets.ts'

/** The longest time for one answer; our own adapters wait 60 seconds unless told otherwise. */
const PATIENCE_MS = 120_000
/** Closing gives a model less: nobody waits for its answer any more. */
const FAREWELL_MS = 10_000

/** A step back of a clock that is set right; a larger one is a jump, whose time holds. */
const LONGEST_STEP_MS = 60_000

/**
 * Tells the last time again where the clock fails or steps back, so that nothing is told before what was told earlier.
 * Throws where its first time is of no use.
 */
export function steadyClock(field: string, clock: Clock): Clock {
  let last = check.time(field, clock())
  return () => {
    try {
      const time = check.time(field, hushed(clock()))
      if (time > last || last - time > LONGEST_STEP_MS) last = time
    } catch {
      // Time stands still until the clock goes on.
    }
    return new Date(last)
  }
}

/** Masks secrets, and never fails. */
export function steadyLogger(logger: Logger): Logger {
  const line =
    (level: keyof Logger): Logger['debug'] =>
    (message, details) =>
      quietly(() =>
        details === undefined
          ? logger[level](maskSecrets(message))
          : logger[level](maskSecrets(message), maskSecretsIn(details)),
      )
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

/** Calls what is not ours and whose answer counts for nothing: neither it nor a promise of it can fail. */
export function quietly(call: () => unknown): void {
  try {
    hushed(call())
  } catch {
    // There is nobody who could be told.
  }
}

/** The answer; a promise of it rejects for nobody. */
function hushed<T>(answer: T): T {
  if (answer instanceof Promise) answer.catch(() => {})
  return answer
}

/** The values of a call, with each function `on…` in its options made quiet. */
export function withQuietCallbacks<A extends unknown[]>(values: A): A {
  return values.map((value) => {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
    const calls = Object.entries(value).filter(([name, call]) => /^on[A-Z]/.test(name) && typeof call === 'function')
    if (calls.length === 0) return value
    const quiet = calls.map(([name, call]) => [name, (...told: unknown[]) => quietly(() => call(...told))])
    return { ...value, ...Object.fromEntries(quiet) }
  }) as A
}

/** A model of the caller, kept to its contract. */
export function steadyModel(model: LanguageModel): LanguageModel {
  const { answered, close } = guest('model_failed', model)
  return {
    model: model.model,
    ...(model.gateway === undefined ? {} : { gateway: model.gateway }),
    isLeftAlone: () => isTrue(() => model.isLeftAlone?.()),
    ask: (request) => answered((signal) => model.ask({ ...request, signal }), checkAnswer, request.signal),
    stream: (request) => steadyStream(model, request, answered),
    close,
  }
}

/** An embedder of the caller, kept to its contract. */
export function steadyEmbedder(embedder: Embedder): Embedder {
  const { answered, close } = guest('embedding_failed', embedder)
  return {
    model: embedder.model,
    isLeftAlone: () => isTrue(() => embedder.isLeftAlone?.()),
    dimension: () =>
      answered(
        () => embedder.dimension(),
        (found) => check.integer('dimension', found, 1, MOST_DIMENSIONS),
      ),
    embed: (texts, options) =>
      answered(
        (signal) => embedder.embed(texts, { ...options, signal }),
        (vectors) => checkVectors(vectors, texts.length),
        options.signal,
      ),
    close,
  }
}

const MOST_DIMENSIONS = 65_536

type Answered = <A, T>(
  ask: (signal: AbortSignal) => Promise<A>,
  read: (answer: A) => T,
  signal?: AbortSignal,
) => Promise<T>

/** Asks a guest: its answer, or an error with this code, in time. Closing it ends what is still asked. */
function guest(code: ErrorCode, asked: Pick<Embedder, 'model' | 'close'>) {
  const end = new AbortController()
  const failed = (reason: string, cause?: unknown): MnemeError =>
    new MnemeError(code, `The model ${asked.model} ${reason}.`, {
      remedy: 'Look into the model that was handed in.',
      cause,
    })
  const answered: Answered = async (ask, read, signal) => {
    const over = new AbortController()
    const both = AbortSignal.any([over.signal, end.signal, ...(signal === undefined ? [] : [signal])])
    both.throwIfAborted()
    try {
      const stopped = new Promise<never>((_, reject) => both.addEventListener('abort', () => reject(both.reason)))
      const answer = (async () => ({ answer: await ask(both) }))()
      const told = await within(Promise.race([answer, stopped]), PATIENCE_MS)
      if (told === null) throw failed(`did not answer within ${PATIENCE_MS / 1000} seconds`)
      return read(told.answer)
    } catch (error) {
      if (both.aborted || (error instanceof MnemeError && error.code !== 'invalid_input')) throw error
      throw failed(`failed: ${messageOf(error).replace(/\.$/, '')}`, error)
    } finally {
      over.abort()
    }
  }
  return {
    answered,
    close: async (): Promise<void> => {
      end.abort(closedError())
      await within(
        (async () => asked.close())().catch(() => {}),
        FAREWELL_MS,
      )
    },
  }
}

async function* steadyStream(
  model: LanguageModel,
  request: ModelRequest,
  answered: Answered,
): AsyncGenerator<ModelPiece, void> {
  const ask = async (): Promise<AsyncIterator<unknown>> => (await model.stream(request))[Symbol.asyncIterator]()
  const pieces = await answered(ask, (found) => found as AsyncIterator<unknown>, request.signal)
  try {
    for (;;) {
      const next = () => pieces.next()
      const piece = await answered<unknown, ModelPiece | null>(next, checkPiece, request.signal)
      if (piece === null) return
      yield piece
    }
  } finally {
    quietly(() => pieces.return?.())
  }
}

function checkPiece(next: unknown): ModelPiece | null {
  const { done, value } = next as IteratorResult<ModelPiece>
  if (done === true) return null
  const { text, answer } = value
  return { text: checkText(text), ...(answer === undefined ? {} : { answer: checkAnswer(answer) }) }
}

function checkAnswer(given: unknown): ModelAnswer {
  const { text, model, usage, attempts = 1, latencyMs = 0 } = given as ModelAnswer
  const { promptTokens = 0, completionTokens = 0, cost = null } = usage ?? {}
  return {
    text: checkText(text),
    model: String(model),
    usage: { promptTokens, completionTokens, cost },
    attempts,
    latencyMs,
  }
}

function checkText(text: unknown): string {
  if (typeof text !== 'string') throw new Error('it answered without a text')
  return text
}

function checkVectors(given: unknown, texts: number): readonly Float32Array[] {
  if (!Array.isArray(given) || given.length !== texts) throw new Error('it did not answer one vector a text')
  return given.map((one) => {
    const vector = one instanceof Float32Array ? one : Float32Array.from(one as ArrayLike<number>)
    if (vector.length === 0 || !vector.every(Number.isFinite)) throw new Error('it answered a vector without numbers')
    return vector
  })
}

function isTrue(ask: () => unknown): boolean {
  try {
    return hushed(ask()) === true
  } catch {
    return false
  }
}
