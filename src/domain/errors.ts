/** Errors that leave Mneme on purpose: each has a stable code, a reason and a remedy. */

/** Stable codes; programs switch on them, so they are never renamed. */
export type ErrorCode =
  | 'invalid_input'
  | 'not_found'
  | 'conflict'
  | 'unsupported'
  | 'database_locked'
  | 'database_newer'
  | 'database_damaged'
  | 'not_a_database'
  | 'storage_full'
  | 'storage_read_only'
  | 'storage_failed'
  | 'import_failed'
  | 'aborted'
  | 'closed'
  | 'model_failed'
  | 'model_refused'
  | 'budget_spent'
  | 'embedding_failed'
  | 'queue_full'
  | 'vector_store_failed'

export interface ErrorDetails {
  /** The remedy for the caller, as one imperative sentence. */
  readonly remedy: string
  /** Name of the offending input, in the library's camelCase; absent when no single input is to blame. */
  readonly field?: string | undefined
  /** The part of the message that only the operator may read: the path of a file. */
  readonly place?: string | undefined
  /** The answer of another server, shortened, for the caller. It may quote what was asked, so no log has it. */
  readonly said?: string | undefined
  /** Seconds after which a retry may work, where known. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** The one error family of Mneme. */
export class MnemeError extends Error {
  override readonly name = 'MnemeError'
  readonly code: ErrorCode
  readonly remedy: string
  readonly field: string | undefined
  readonly place: string | undefined
  readonly said: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.remedy = details.remedy
    this.field = details.field
    this.place = details.place
    this.said = details.said
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  /** Message and remedy on one line; Node also prints an uncaught error's remedy as a property. */
  override toString(): string {
    return `${this.name}: ${this.message.replace(/\.$/, '')}; remedy: ${this.remedy}`
  }
}

/** The message for people elsewhere, without paths or details of an unexpected error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof MnemeError)) return 'Something failed that should not have; the log says what.'
  const { place } = error
  const message = withWhatWasSaid(error)
  if (place === undefined) return message
  return message.startsWith(`${place}: `) ? message.slice(place.length + 2) : message.replaceAll(place, 'the file')
}

/** The words of anything thrown, as logs have them. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The message, followed by the other server's answer. */
export function withWhatWasSaid({ message, said }: MnemeError): string {
  return said === undefined ? message : `${message.replace(/\.$/, '')}: ${said}`
}

/** Bad input: names the field, the reason and the remedy. Nothing has been written when it is thrown. */
export function invalid(field: string, reason: string, remedy: string): MnemeError {
  return new MnemeError('invalid_input', `${field}: ${reason}`, { field, remedy })
}

/** true when the file cannot be written: disk full, no permission, damaged. */
export function isUnwritable(error: unknown): error is MnemeError {
  return error instanceof MnemeError && /^storage_(?:full|read_only|failed)$/.test(error.code)
}

/** A restored conversation meets a turn of its number that says something else. */
export function otherTurn(conversationId: string, turnId: number): MnemeError {
  const place = `Turn ${turnId} of conversation ${JSON.stringify(conversationId)}`
  return new MnemeError('conflict', `${place} is another turn here; nothing of the conversation was stored.`, {
    remedy: 'Import it under another conversation id, or remove the conversation that is here first.',
  })
}

/** A copy of the error with the caller's name for its input. The rest of its words are unchanged. */
export function withField(error: MnemeError, field: string | undefined): MnemeError {
  const { message, code, remedy, field: before } = error
  const isNamed = field !== undefined && before !== undefined && message.startsWith(`${before}: `)
  return new MnemeError(code, isNamed ? field + message.slice(before.length) : message, {
    ...error,
    cause: error.cause,
    field,
    remedy,
  })
}

/** The error for a named thing that does not exist (for this user). */
export function notFound(what: string, id: string, remedy: string): MnemeError {
  return new MnemeError('not_found', `No ${what} ${JSON.stringify(id)} exists for this user.`, { remedy })
}

/** The index moved on while a view was in use: work over it is started over. */
export class ViewExpired extends Error {
  override readonly name = 'ViewExpired'
}

/** The answer to whoever asks a memory that was closed, or was closed meanwhile. */
export function closedError(): MnemeError {
  return new MnemeError('closed', 'This memory was closed.', { remedy: 'Open it again.' })
}
