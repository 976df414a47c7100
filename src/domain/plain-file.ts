/** Is there a plain file at a path, or something whose opening or reading may never end? */
import { existsSync, statSync } from 'node:fs'
import { type ErrorCode, MnemeError } from './errors.ts'

/** The path again. Throws `code` for a folder, and for a pipe or device, which may keep whoever opens it waiting forever. */
export function plainFile(path: string, code: ErrorCode = 'storage_failed'): string {
  // A path that cannot be looked at is refused when it is opened.
  const found = existsSync(path) ? statSync(path) : undefined
  if (found?.isFile() !== false) return path
  throw new MnemeError(code, `${path}: is ${found.isDirectory() ? 'a folder' : 'no plain file'}.`, {
    remedy: 'Move it away, or name a plain file.',
    place: path,
  })
}
