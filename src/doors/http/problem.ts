/** Errors as RFC 9457 `application/problem+json`, with the library's code and remedy. */
import { STATUS_CODES } from 'node:http'
import { type ErrorCode, MnemeError, reasonOf, withField } from '../../domain/errors.ts'
import type { KeptReply } from '../../usecases/keys.ts'
import { snakeName } from '../operations/field-names.ts'
import { InputRefusal } from '../operations/read-input.ts'

export const REQUEST_ID = 'x-request-id'

const DOOR_CODES = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  413: 'too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limited',
  431: 'too_large',
  503: 'busy',
} as const

/** A refusal by the door itself. Its status says its code; a 503 may be about time as well. */
export class DoorError extends Error {
  override readonly name = 'DoorError'
  readonly status: keyof typeof DOOR_CODES
  readonly code: string
  readonly remedy: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: keyof typeof DOOR_CODES, message: string, remedy: string, headers = {}, isLate = false) {
    super(message)
    this.status = status
    this.code = isLate ? 'timeout' : DOOR_CODES[status]
    this.remedy = remedy
    this.headers = headers
  }
}

const AGAIN = { 'retry-after': '1' }

export function stoppingError(): DoorError {
  return new DoorError(503, 'The server is stopping.', 'Send the request again when it is back.', AGAIN)
}

/** The result of `work`, or a rejection with the reason to stop. Completed writes stay. */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const late = (): DoorError =>
    new DoorError(503, 'This took too long, or the caller went away.', 'Ask for less at once.', AGAIN, true)
  const stop = (): void => stopped.reject(signal.reason instanceof DoorError ? signal.reason : late())
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export type Problem = ReturnType<typeof problemOf>['problem']

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  unsupported: 422,
  database_locked: 503,
  database_newer: 503,
  database_damaged: 503,
  not_a_database: 503,
  storage_full: 507,
  storage_read_only: 503,
  storage_failed: 503,
  import_failed: 400,
  aborted: 503,
  closed: 503,
  model_failed: 502,
  model_refused: 502,
  budget_spent: 429,
  embedding_failed: 502,
  vector_store_failed: 503,
  queue_full: 503,
}

/** Most characters of a caller's own words in an error. */
const LONGEST_WORDS = 1000

const RETRY_AFTER = 1

/** Status, headers and body of an error. Unexpected errors reveal no internals. */
export function problemOf(error: unknown, requestId?: string) {
  const extra = requestId === undefined ? {} : { request_id: requestId }
  const of = (status: number, code: string, detail: string, remedy: string, field?: string) => ({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: clipped(detail),
    code,
    remedy,
    ...(field === undefined ? {} : { field: clipped(field) }),
    ...extra,
  })
  if (error instanceof DoorError)
    return { problem: of(error.status, error.code, error.message, error.remedy), headers: error.headers }
  if (error instanceof MnemeError) {
    const status = STATUS[error.code]
    // Refusals of a door already have the caller's name.
    const named = error instanceof InputRefusal ? error : withField(error, error.field && snakeName(error.field))
    return {
      problem: of(status, error.code, reasonOf(named), error.remedy, named.field),
      headers:
        status === 503 || status === 429 ? { 'retry-after': String(error.retryAfterSeconds ?? RETRY_AFTER) } : {},
    }
  }
  return {
    problem: of(500, 'internal', 'Something failed that should not have.', 'Look into the log by the request id.'),
    headers: {},
  }
}

export function inOneLine({ detail, remedy }: Problem): string {
  return `${detail.replace(/[.!?]?$/, (end) => end || '.')} ${remedy}`
}

function clipped(text: string): string {
  return text.length > LONGEST_WORDS ? `${text.slice(0, LONGEST_WORDS).toWellFormed()}…` : text
}

export function problemResponse(error: unknown, requestId?: string): Response {
  const { problem, headers } = problemOf(error, requestId)
  return problemJson(problem, headers)
}

export function json({ status, body }: KeptReply, isRepeated = false): Response {
  const replayed: Record<string, string> = isRepeated ? { 'idempotency-replayed': 'true' } : {}
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...replayed } })
}

export function problemJson<T extends Problem>(
  problem: T,
  headers: Readonly<Record<string, string>>,
  type = 'application/problem+json',
): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...headers, 'content-type': type },
  })
}

export function isAnthropicPath(path: string): boolean {
  return path === '/v1/messages' || path.startsWith('/v1/messages/')
}

export function forOpenAi(problem: Problem) {
  const { status, code, field = null } = problem
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'api_error'
  return { ...problem, error: { message: inOneLine(problem), type, code, param: field } }
}

export function vendorResponse(error: unknown, path: string, requestId: string): Response {
  const { problem, headers } = problemOf(error, requestId)
  return problemJson({ ...forOpenAi(problem), ...(isAnthropicPath(path) ? { type: 'error' } : {}) }, headers)
}
