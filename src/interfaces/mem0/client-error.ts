/** What a server answered that did not do what was asked. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** Stable, such as `not_found`; `unreachable` when no server answered. */
  readonly code: string
  /** HTTP status; 0 when no server answered. */
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
