/** Where does a user's memory file lie? One file belongs to one user: nothing of one is ever written into another's. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { MEMORY_FILE_NAME } from '../../domain/memory-file.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

const USER = '{user}'

/** The absolute path. Throws `invalid` where none is known, and `conflict` where another user's file lies. */
export async function memoryFileOf(
  { settings, database, store }: Pick<MemoryFileDependencies, 'settings' | 'database' | 'store'>,
  userId: string,
): Promise<string> {
  const { path } = settings
  if (path?.includes(USER)) return path.replaceAll(USER, fileNameOf(userId))
  if (path === null && database === null)
    throw invalid('memoryFile.path', 'is missing', 'Name a file: a database in memory has no folder for it.')
  const usual = path ?? join(dirname(database ?? ''), MEMORY_FILE_NAME)
  const owner = await store.memoryFile.ownerOf(usual)
  if (owner === null || owner === userId) return usual
  if (path === null) return join(dirname(database ?? ''), `MEMORY.${fileNameOf(userId)}.md`)
  throw new MnemeError('conflict', `${path} is the memory file of another user.`, {
    field: 'memoryFile.path',
    remedy: 'Put {user} into its name, such as MEMORY.{user}.md, so that each user has a file.',
    place: path,
  })
}

/** The user's id as part of a file's name: no other id gives the same. */
function fileNameOf(userId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,40}$/.test(userId)) return userId
  const readable = userId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256').update(userId).digest('hex').slice(0, 12)
  return `${readable === '' ? 'user' : readable}.${hash}`
}
