/** Every command of this door. The eight of specification 003 also have a program of their own, `memory_<name>`. */
import type { CommandDefinition } from './command.ts'

/** A command that is known but not loaded. */
export interface CommandEntry {
  /** Words after `mneme`: `store`, `memory add`. */
  readonly name: string
  readonly summary: string
  /** true: `memory_<name>` exists too. */
  readonly program?: boolean
  readonly load: () => Promise<CommandDefinition>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    program: true,
    summary: 'Create the database, or bring it to the newest schema',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'store',
    program: true,
    summary: 'Store what was said in a conversation',
    load: async () => (await import('./commands/store.ts')).store,
  },
  {
    name: 'recall',
    program: true,
    summary: 'Recall the turns and summaries that answer a question',
    load: async () => (await import('./commands/recall.ts')).recall,
  },
]
