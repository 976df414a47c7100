/** The error of a client of a server: a refusal, by the server or before sending, or a missing answer. */
import { MnemeError } from '../../domain/errors.ts'

/** A request that failed. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** Stable code, such as `not_found`; `unreachable` when no server answered. */
  readonly code: string
  /** HTTP status, also of refusals before sending (400, 422); 0 when no server answered. */
  readonly status: number
  readonly remedy: string
  readonly field: string | undefined

  constructor(
    message: string,
    details: {
      readonly code: string
      readonly status: number
      readonly remedy: string
      readonly field?: string | undefined
      readonly cause?: unknown
    },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.remedy = details.remedy
    this.field = details.field
  }
}

/** The result of `make`; a refusal of ours is rethrown as the error that the server would have answered. */
export function orClientError<T>(make: () => T): T {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof MnemeError)) throw cause
    const { code, message, remedy, field } = cause
    throw new ClientError(message, { code, status: code === 'unsupported' ? 422 : 400, remedy, field, cause })
  }
}
