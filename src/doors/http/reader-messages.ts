/** What a server and its reader threads tell each other: questions, answers in JSON, and errors, which lose their kind on the way. */
import { type ErrorCode, type ErrorDetails, MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { OpenOptions } from '../../engine/options.ts'

/** How a reader opens the database: the server's own options, as far as reading needs them. */
export type ReaderDatabase = Pick<
  OpenOptions,
  'path' | 'settings' | 'settingsSource' | 'maxContentBytes' | 'retrievalLimit'
>

/** A call of an operation; its input was checked. */
export interface Question {
  readonly operation: string
  readonly userId: string
  readonly isOperator: boolean
  readonly input: Record<string, unknown>
}

/** A question on its way. */
export interface Asked extends Question {
  readonly number: number
}

/** One line for the server's log. */
export interface Line {
  readonly level: keyof Logger
  readonly message: string
  readonly details: Record<string, unknown> | undefined
}

/** An error as plain data. */
export type PlainError =
  | ({ readonly code: ErrorCode; readonly message: string } & Omit<ErrorDetails, 'cause'>)
  | { readonly code: null; readonly message: string; readonly stack: string | undefined }

/** How a question came out. */
export interface Told {
  readonly number: number
  readonly body?: string
  readonly error?: PlainError
}

/** What a reader says, at first when it is ready: how questions came out, and what it has to log. */
export interface Report {
  readonly told: readonly Told[]
  readonly lines: readonly Line[]
}

/** The error without its kind. */
export function plainError(error: unknown): PlainError {
  if (error instanceof MnemeError) {
    const { code, message, remedy, field, place, said } = error
    return {
      code,
      message,
      remedy,
      ...(field === undefined ? {} : { field }),
      ...(place === undefined ? {} : { place }),
      ...(said === undefined ? {} : { said }),
    }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { code: null, message, stack }
}

/** The error with its kind again. */
export function errorOf(plain: PlainError): Error {
  if (plain.code !== null) return new MnemeError(plain.code, plain.message, plain)
  const error = new Error(plain.message)
  if (plain.stack !== undefined) error.stack = plain.stack
  return error
}
