/** Does this error say that the content cannot be taken? A locked or full database is no refusal. */
import { MnemeError } from '../../domain/errors.ts'

/** Whether the error belongs in the report, and the import continues. */
export function isRefusal(error: unknown): error is MnemeError {
  return error instanceof MnemeError && (error.code === 'invalid_input' || error.code === 'conflict')
}
