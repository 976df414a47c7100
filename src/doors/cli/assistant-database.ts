/** The assistants' database: one in the home folder for all assistants and projects, unless another is named. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from './settings.ts'

/** The path of that database. */
export function assistantDatabase({ db }: Settings): string {
  return db.source === 'default' ? join(homedir(), '.mneme', 'memory.db') : db.value
}
