/** What the system says about a file, as an error that a person can act on. */
import { MnemeError } from '../../domain/errors.ts'

/** The option that names the file. */
const FIELD = 'memoryFile.path'

/** The error for a failed read or write of the file; errors of Mneme's own stay as they are. */
export function fileError(cause: unknown, path: string): MnemeError {
  if (cause instanceof MnemeError) return cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  // The system names the file again, and sometimes another one beside it.
  const because = (cause instanceof Error ? cause.message : String(cause)).split(', ')[0]
  const remedy = 'Name another file with MNEME_MEMORY_FILE (option memoryFile.path); what is remembered is unharmed.'
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new MnemeError('storage_full', `The disk is full: ${path} stays as it was (${because}).`, {
      remedy: 'Free some space and run `mneme digest` again; what is remembered is unharmed.',
      place: path,
      field: FIELD,
      cause,
    })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new MnemeError('storage_read_only', `${path} may not be read or written (${because}).`, {
      remedy: `Give this user the right to it and to its folder. ${remedy}`,
      place: path,
      field: FIELD,
      cause,
    })
  return new MnemeError('storage_failed', `${path} cannot be read or written (${because}).`, {
    remedy,
    place: path,
    field: FIELD,
    cause,
  })
}

/** There is something in the file's place that is no plain file. */
export function notAFile(path: string, what: string): MnemeError {
  return new MnemeError('storage_failed', `${path} is ${what}.`, {
    remedy: 'Move it away, or name another file with MNEME_MEMORY_FILE (option memoryFile.path).',
    place: path,
    field: FIELD,
  })
}
