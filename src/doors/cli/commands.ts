/** Every command of this door. The eight of specification 003 also have a program of their own, `memory_<name>`. */
import type { CommandDefinition } from './command-context.ts'

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

const FILES = {
  connect: () => import('./commands/connect.ts'),
  context: () => import('./commands/context.ts'),
  doctor: () => import('./commands/doctor.ts'),
  exchange: () => import('./commands/import-export.ts'),
  hook: () => import('./commands/hook.ts'),
  mcp: () => import('./commands/mcp.ts'),
  records: () => import('./commands/records.ts'),
  serve: () => import('./commands/serve.ts'),
  store: () => import('./commands/store.ts'),
  upkeep: () => import('./commands/upkeep.ts'),
}
const PROGRAM = { program: true }

/** Its file exports a command by its name in camelCase, `jobsList`, or as `serveCommand` where that is taken. */
function entry(
  name: string,
  summary: string,
  file: keyof typeof FILES,
  more: Pick<CommandEntry, 'byDefault' | 'program'> = {},
): CommandEntry {
  const own = name.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase())
  const load = async (): Promise<CommandDefinition> => {
    const exported: Readonly<Record<string, CommandDefinition>> = { ...(await FILES[file]()) } as never
    return exported[`${own}Command`] ?? exported[own]!
  }
  return { name, summary, ...more, load }
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'recall',
    summary: 'Recall the turns and summaries that answer a question',
    ...PROGRAM,
    // Without the table of operations, which takes as long to load as the answer.
    load: async () => {
      const [{ operationCommand }, { recall }] = await Promise.all([
        import('./fields.ts'),
        import('../operations/recall.ts'),
      ])
      return operationCommand(recall, recall.cli!)
    },
  },
  entry('init', 'Create the database, or bring it to the newest schema', 'upkeep', PROGRAM),
  entry('store', 'Store what was said in a conversation', 'store', PROGRAM),
  entry('cleanup', 'Delete for good: a conversation, what is old, or everything', 'store', PROGRAM),
  entry('export', 'Write everything, or one conversation, as one JSON document', 'exchange', PROGRAM),
  entry('import', 'Read an export, or chat logs of other programs', 'exchange', PROGRAM),
  entry('reindex', 'Rebuild every index from the stored turns', 'upkeep', PROGRAM),
  entry('memory delete', 'Delete a long-term memory, or all of them, for good', 'records'),
  entry('conversations show', 'Show one conversation with its turns and summaries', 'records'),
  entry('conversations collect', 'Collect a turn: mark it as worth keeping, or take the mark off', 'records'),
  entry('context', 'Show what a model would get to see for a message', 'context'),
  entry('digest', 'Bring the memory file (MEMORY.md) up to date', 'upkeep'),
  entry('profile show', 'Show the profile of the user', 'records', { byDefault: true }),
  entry('consolidate', 'Merge, tell apart and turn into facts what is new', 'upkeep'),
  entry('think', 'Think about what was stored without it, as imports are', 'upkeep'),
  entry('undo', 'Take back what was remembered from a conversation or turn', 'store'),
  entry('jobs list', 'List the background work that waits, runs or failed', 'upkeep', { byDefault: true }),
  entry('jobs run', 'Do the background work that is due', 'upkeep'),
  entry('jobs retry', 'Try again what failed for good', 'upkeep'),
  entry('settings set', 'Change a setting of the database', 'records'),
  entry('settings unset', 'Take a setting back to its default', 'records'),
  entry('serve', 'Open the page, and answer over HTTP: REST, chat, MCP, OpenAI’s and mem0’s calls', 'serve'),
  entry('keys add', 'Make a key for a program', 'records'),
  entry('stats', 'Count what is remembered, and what models were asked', 'upkeep'),
  entry('verify', 'Check that the file is whole and its parts agree', 'upkeep'),
  entry('repair', 'Make a damaged database anew from what can be read of it', 'upkeep'),
  entry('doctor', 'Show settings and problems, and what to do about them', 'doctor'),
  entry('mcp', 'Serve MCP over standard input and output, for Claude Code, Cursor and others', 'mcp'),
  entry(
    'connect',
    'Have an assistant on this machine remember: Claude Code, Codex, Gemini, Cursor, opencode, VS Code',
    'connect',
  ),
  entry('hook', 'What a connected assistant calls: its event comes as JSON on standard input', 'hook'),
  entry('pause', 'Have connected assistants store and recall nothing for a while', 'connect'),
]
