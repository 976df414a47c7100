/** In a chat whose messages were edited, which ones lead to its current end? */
import type { Entry } from './log-entries.ts'
import { textOf } from './parse-json.ts'

/** The messages from the first one to the end, each with its id; `parent` names the field with the id of the one before. */
export function currentBranch(
  end: string | null,
  find: (id: string) => Entry | null,
  parent: string,
): readonly (readonly [id: string, message: Entry])[] {
  const branch = new Map<string, Entry>()
  for (let id = end; id !== null && !branch.has(id); ) {
    const message = find(id)
    if (message === null) break
    branch.set(id, message)
    id = textOf(message[parent])
  }
  return [...branch].reverse()
}
