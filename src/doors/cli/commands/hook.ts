/** `mneme hook TOOL`: the command that an assistant calls. It always exits 0, and logs errors beside the database. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../../domain/errors.ts'
import { type Logger, silentLogger } from '../../../domain/logger.ts'
import { makeFolder } from '../../../domain/make-folder.ts'
import { plainFile } from '../../../domain/plain-file.ts'
import { packageFile } from '../../../language/package-file.ts'
import { isTool, readEvent } from '../../assistants/event.ts'
import { handleEvent } from '../../assistants/hook.ts'
import type { CommandDefinition, Context } from '../command-context.ts'
import { assistantDatabase, homeDatabase } from '../resolve-options.ts'
import { improveCode, keepHeapSmall } from '../small-heap.ts'
import { readText } from '../standard-streams.ts'

/** Largest event: a prompt of the largest size, escaped. */
const EVENT_BYTES = 8 * 1024 * 1024

const ABOUT = 'claude, codex, gemini, cursor or vscode; its event comes as JSON on standard input'

/** Its word is read by hand, since a schema would take as long to load as all the rest. */
export const hook: CommandDefinition = {
  fields: { describe: (command) => command.argument('[tool]', ABOUT), read: (_context, _flags, [tool]) => tool },
  run: async (context, tool) => {
    try {
      await answer(context, tool as string | undefined)
    } catch (error) {
      noteFailure(error, assistantDatabase(context.settings))
    }
    return 0
  },
}

async function answer(context: Context, name: string | undefined): Promise<void> {
  if (!isTool(name)) throw new Error(`no assistant is called ${JSON.stringify(name)}`)
  const event = readEvent(name, JSON.parse(await readText('the event', '-', EVENT_BYTES)))
  if (event === null) return
  if (event.kind !== 'prompt' && event.kind !== 'session-start') {
    keepHeapSmall()
    improveCode()
  }
  const database = assistantDatabase(context.settings)
  const said = await handleEvent(name, event, {
    database,
    memory: () => context.memory({ path: database, logger: loggerFor(database) }),
    think: () => thinkElsewhere(database, context.userId),
    now: Date.now(),
  })
  if (said !== null) writeFileSync(1, `${JSON.stringify(said)}\n`)
}

/** A logger whose warnings and errors are lines in the log of hooks, since a hook prints nothing but its answer. */
function loggerFor(database: string): Logger {
  const note: Logger['warn'] = (message, details) =>
    noteFailure(`${message} ${details === undefined ? '' : JSON.stringify(details)}`.trimEnd(), database)
  return { ...silentLogger, warn: note, error: note }
}

/** Starts a separate process that does the due jobs; leases prevent duplicate work. Most events start none. */
async function thinkElsewhere(database: string, user: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  spawn(process.execPath, [packageFile('bin/mneme.js'), 'jobs', 'run', '--db', database, '--user', user], {
    detached: true,
    stdio: 'ignore',
  }).unref()
}

/**
 * Adds a line to the log of hooks, beside the home's database where the caller's is unknown. A log that cannot be
 * written disturbs no assistant.
 */
export function noteFailure(error: unknown, database: string = homeDatabase()): void {
  try {
    makeFolder(dirname(database))
    const what = messageOf(error).replace(/\s+/g, ' ')
    appendFileSync(plainFile(`${database}.hooks.log`), `${new Date().toISOString()} ${what}\n`)
  } catch {}
}
