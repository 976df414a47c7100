/** Every command of this door. The eight of specification 003 also have a program of their own, `memory_<name>`. */
import type { CommandDefinition } from './command.ts'

/** A command that is known but not loaded. */
export interface CommandEntry {
  /** Words after `mneme`: `store`, `memory add`. */
  readonly name: string
  readonly summary: string
  /** true: it is what the first word alone calls, `mneme jobs`. */
  readonly byDefault?: boolean
  /** true: `memory_<name>` exists too. */
  readonly program?: boolean
  readonly load: () => Promise<CommandDefinition>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    program: true,
    summary: 'Create the database, or bring it to the newest schema',
    load: async () => (await import('./commands/upkeep.ts')).init,
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
  {
    name: 'summarize',
    program: true,
    summary: 'Summarise a span of turns',
    load: async () => (await import('./commands/upkeep.ts')).summarize,
  },
  {
    name: 'cleanup',
    program: true,
    summary: 'Delete for good: a conversation, what is old, or everything',
    load: async () => (await import('./commands/cleanup.ts')).cleanup,
  },
  {
    name: 'export',
    program: true,
    summary: 'Write everything, or one conversation, as JSON or JSON lines',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'import',
    program: true,
    summary: 'Read an export, or chat logs of other programs',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'reindex',
    program: true,
    summary: 'Rebuild every index from the stored turns',
    load: async () => (await import('./commands/reindex.ts')).reindex,
  },
  {
    name: 'memory add',
    summary: 'Remember a text: decide what of it is worth keeping',
    load: async () => (await import('./commands/memory.ts')).memoryAdd,
  },
  {
    name: 'memory delete',
    summary: 'Delete a long-term memory, or all of them, for good',
    load: async () => (await import('./commands/memory.ts')).memoryDelete,
  },
  {
    name: 'conversations show',
    summary: 'Show one conversation with its turns and summaries',
    load: async () => (await import('./commands/conversations.ts')).conversationsShow,
  },
  {
    name: 'conversations collect',
    summary: 'Collect a turn: mark it as worth keeping, or take the mark off',
    load: async () => (await import('./commands/conversations.ts')).conversationsCollect,
  },
  {
    name: 'context',
    summary: 'Show what a model would get to see for a message',
    load: async () => (await import('./commands/context.ts')).contextCommand,
  },
  {
    name: 'digest',
    summary: 'Bring the memory file (MEMORY.md) up to date',
    load: async () => (await import('./commands/digest.ts')).digest,
  },
  {
    name: 'profile show',
    byDefault: true,
    summary: 'Show the profile of the user',
    load: async () => (await import('./commands/profile.ts')).profileShow,
  },
  {
    name: 'profile set',
    summary: 'Replace the profile',
    load: async () => (await import('./commands/profile.ts')).profileSet,
  },
  {
    name: 'profile edit',
    summary: 'Edit the profile in your editor',
    load: async () => (await import('./commands/profile.ts')).profileEdit,
  },
  {
    name: 'consolidate',
    summary: 'Merge, tell apart and turn into facts what is new',
    load: async () => (await import('./commands/upkeep.ts')).consolidate,
  },
  {
    name: 'think',
    summary: 'Think about what was stored without it, as imports are',
    load: async () => (await import('./commands/upkeep.ts')).think,
  },
  {
    name: 'undo',
    summary: 'Take back what was remembered from a conversation or turn',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
  {
    name: 'jobs list',
    byDefault: true,
    summary: 'List the background work that waits, runs or failed',
    load: async () => (await import('./commands/jobs.ts')).jobsList,
  },
  {
    name: 'jobs run',
    summary: 'Do the background work that is due',
    load: async () => (await import('./commands/jobs.ts')).jobsRun,
  },
  {
    name: 'jobs retry',
    summary: 'Try again what failed for good',
    load: async () => (await import('./commands/jobs.ts')).jobsRetry,
  },
  {
    name: 'settings set',
    summary: 'Change a setting of the database',
    load: async () => (await import('./commands/settings.ts')).settingsSet,
  },
  {
    name: 'settings unset',
    summary: 'Take a setting back to its default',
    load: async () => (await import('./commands/settings.ts')).settingsUnset,
  },
  {
    name: 'working',
    summary: 'Show the live state of conversations (30 minutes)',
    load: async () => (await import('./commands/upkeep.ts')).working,
  },
  {
    name: 'evict',
    summary: 'Remove the long-term memories least worth keeping, down to a number',
    load: async () => (await import('./commands/upkeep.ts')).evict,
  },
  {
    name: 'serve',
    summary: 'Open the page, and answer over HTTP: REST, chat, MCP, OpenAI’s and mem0’s calls',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'keys list',
    byDefault: true,
    summary: 'List the keys of programs that may come in over HTTP',
    load: async () => (await import('./commands/keys.ts')).keysList,
  },
  {
    name: 'keys add',
    summary: 'Make a key for a program',
    load: async () => (await import('./commands/keys.ts')).keysAdd,
  },
  {
    name: 'keys revoke',
    summary: 'Take a key back',
    load: async () => (await import('./commands/keys.ts')).keysRevoke,
  },
  {
    name: 'stats',
    summary: 'Count what is remembered, and what models were asked',
    load: async () => (await import('./commands/upkeep.ts')).stats,
  },
  {
    name: 'verify',
    summary: 'Check that the file is whole and its parts agree',
    load: async () => (await import('./commands/upkeep.ts')).verify,
  },
  {
    name: 'repair',
    summary: 'Make a damaged database anew from what can be read of it',
    load: async () => (await import('./commands/repair.ts')).repair,
  },
  {
    name: 'doctor',
    summary: 'Show settings and problems, and what to do about them',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'mcp',
    summary: 'Serve MCP over standard input and output, for Claude Code, Cursor and others',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'connect',
    summary: 'Have an assistant on this machine remember: Claude Code, Codex, Gemini, Cursor, opencode, VS Code',
    load: async () => (await import('./commands/connect.ts')).connect,
  },
  {
    name: 'hook',
    summary: 'What a connected assistant calls: its event comes as JSON on standard input',
    load: async () => (await import('./commands/hook.ts')).hook,
  },
  {
    name: 'pause',
    summary: 'Have connected assistants store and recall nothing for a while',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  {
    name: 'demo',
    summary: 'Watch Mneme answer from a bundled conversation',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
]
