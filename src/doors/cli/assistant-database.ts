/** Where assistants keep their memory: one database in the home folder for all of them and all projects, unless another one was named. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from './settings.ts'

/** The path of that database. */
export function assistantDatabase({ db }: Settings): string {
  return db.source === 'default' ? join(homedir(), '.mneme', 'memory.db') : db.value
}
