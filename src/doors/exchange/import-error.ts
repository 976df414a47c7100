/** Why a file cannot be imported: always with the place in it. */
import { MnemeError } from '../../domain/errors.ts'

/** An `import_failed` error at a place such as "line 12". */
export function importError(at: string, reason: string, remedy: string, cause?: unknown): MnemeError {
  return new MnemeError('import_failed', `${at}: ${reason}`, { remedy, ...(cause === undefined ? {} : { cause }) })
}

/** Remedy for a file that is damaged or cut off. */
export const EXPORT_AGAIN = 'Export again, or copy the file again; conversations that were read whole can be kept.'
