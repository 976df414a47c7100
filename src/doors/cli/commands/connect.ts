/** `mneme connect`: an assistant on this machine remembers from now on; --remove takes that back. */
import { homedir } from 'node:os'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import {
  apply,
  type ConnectInput,
  connecting,
  disconnecting,
  type FileChange,
  installed,
  shown,
} from '../../assistants/connect.ts'
import { TARGETS, type Target } from '../../assistants/targets.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { packageFile } from '../package-root.ts'
import { errorText } from '../report-error.ts'
import { assistantDatabase } from '../settings.ts'
import { confirm } from '../standard-streams.ts'

export const connect: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('[assistant]', `${TARGETS.join(', ')} (default: all that are installed)`)
      .option('--dry-run', 'show what would be changed, and change nothing')
      .option('--remove', 'take Mneme out again; files that nobody changed since are as they were, to the byte')
      .option('--yes', 'do not ask'),
  run: async (context, flags, [named]) => {
    const input = { home: homedir(), start: startOf(context) }
    const isRemoval = flags.remove === true
    const targets = named === undefined ? installed(input) : [targetOf(named)]
    if (targets.length === 0)
      throw invalid('assistant', 'is missing: none was found on this machine', `Name one: ${TARGETS.join(', ')}.`)
    const planned = targets.map((target) => ({ target, ...planFor(target, input, isRemoval) }))
    for (const { refused } of planned) if (refused !== undefined) process.stderr.write(errorText(refused))
    const all = planned.flatMap(({ changes }) => changes)
    for (const change of all) process.stderr.write(shown(change))
    const isLook = flags.dryRun === true
    if (!isLook && all.length > 0) {
      if (flags.yes !== true) await confirm(question(all, isRemoval), 'mneme connect')
      for (const { target, changes } of planned) apply(target, input.home, changes, !isRemoval)
    }
    await context.print({
      assistants: planned.map(({ target, changes, refused }) => ({
        name: target,
        files: changes.map(({ path }) => path),
        ...(refused === undefined ? {} : { refused: refused.message }),
      })),
      database: assistantDatabase(context.settings),
      changed: !isLook && all.length > 0,
    })
    return planned.some(({ refused }) => refused !== undefined) ? 1 : 0
  },
}

/** The changes for one assistant; a file that cannot be parsed does not stop the others. */
function planFor(target: Target, input: ConnectInput, isRemoval: boolean): Plan {
  try {
    return { changes: isRemoval ? disconnecting(target, input) : connecting(target, input) }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    return { changes: [], refused: error }
  }
}

interface Plan {
  readonly changes: readonly FileChange[]
  readonly refused?: MnemeError
}

function question(changes: readonly FileChange[], isRemoval: boolean): string {
  return `${isRemoval ? 'Take Mneme out of' : 'Add Mneme to'} ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}?`
}

function targetOf(name: string): Target {
  const target = TARGETS.find((one) => one === name)
  if (target === undefined)
    throw invalid('assistant', `cannot be ${JSON.stringify(name)}`, `Name one: ${TARGETS.join(', ')}.`)
  return target
}

function startOf(context: Context) {
  return {
    program: process.execPath,
    script: packageFile('bin/mneme.js'),
    flags: [
      '--db',
      assistantDatabase(context.settings),
      ...(context.userId === 'local' ? [] : ['--user', context.userId]),
    ],
  }
}
