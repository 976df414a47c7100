/** What every call of mem0's works with: an open memory, and who may be meant. */
import { invalid, notFound } from '../../domain/errors.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Whose } from './scope.ts'

/** One caller at an open memory. */
export interface Access {
  readonly memory: OpenMemory
  readonly whose: Whose
}

/**
 * The one user who has the memory of this id; for callers who may speak for every user, since mem0 names a memory without
 * its user. Rejects with `not_found` where nobody has it, and with `invalid` where an import brought it to several.
 */
export async function onlyOwner(memory: OpenMemory, id: string): Promise<string> {
  const [owner, another] = await memory.owners.of(id)
  if (owner === undefined)
    throw notFound('memory', id, 'Look the id up with getAll or search; it may have been deleted.')
  if (another !== undefined) throw invalid('user_id', 'is missing: several users have this id', 'Name the user.')
  return owner
}
