/** `mneme connect`: an assistant on this machine remembers from now on; --remove takes that back. */
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/clock.ts'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { apply, connecting, disconnecting, type FileChange, installed, shown } from '../../assistants/connect.ts'
import { TARGETS, type Target } from '../../assistants/connections.ts'
import { holds, type Pause, readPauses, setPause } from '../../assistants/pause.ts'
import { projectOfFolder } from '../../assistants/project.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { textFlag } from '../flags.ts'
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
    const input = { home: homedir(), environment: context.settings.environment, start: startOf(context) }
    const isRemoval = flags.remove === true
    const targets = named === undefined ? installed(input) : [targetOf(named)]
    if (targets.length === 0)
      throw invalid('assistant', 'is missing: none was found on this machine', `Name one: ${TARGETS.join(', ')}.`)
    const plans = targets.map((target) => ({
      target,
      ...attempt(() => (isRemoval ? disconnecting(target, input) : connecting(target, input))),
    }))
    const all = plans.flatMap(({ changes }) => changes)
    for (const change of all) process.stderr.write(shown(change))
    const isLook = flags.dryRun === true
    if (!isLook && all.length > 0 && flags.yes !== true) {
      const files = all.length === 1 ? 'this file' : `these ${all.length} files`
      await confirm(`${isRemoval ? 'Take Mneme out of' : 'Add Mneme to'} ${files}?`, 'mneme connect')
    }
    const planned = plans.map((plan) => {
      if (isLook || plan.changes.length === 0) return plan
      const { target, changes } = plan
      return { target, ...attempt(() => apply(target, input.home, changes, !isRemoval)) }
    })
    await context.print({
      assistants: planned.map(({ target, changes, refused }) => ({
        name: target,
        files: changes.map(({ path }) => path),
        ...(refused === undefined ? {} : { refused: refused.message }),
      })),
      database: assistantDatabase(context.settings),
      changed: !isLook && planned.some(({ changes }) => changes.length > 0),
    })
    return planned.some(({ refused }) => refused !== undefined) ? 1 : 0
  },
}

interface Attempt {
  readonly changes: readonly FileChange[]
  readonly refused?: MnemeError
}

/** The changes of the task; none where it refuses, which is said. */
function attempt(task: () => readonly FileChange[]): Attempt {
  try {
    return { changes: task() }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    process.stderr.write(errorText(error))
    return { changes: [], refused: error }
  }
}

function targetOf(name: string): Target {
  const target = TARGETS.find((one) => one === name)
  if (target === undefined)
    throw invalid('assistant', `cannot be ${JSON.stringify(name)}`, `Name one: ${TARGETS.join(', ')}.`)
  return target
}

function startOf({ settings, userId }: Context) {
  const user = userId === 'local' ? [] : ['--user', userId]
  const flags = ['--db', assistantDatabase(settings), ...user]
  return { program: process.execPath, script: packageFile('bin/mneme.js'), flags }
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

export const pause: CommandDefinition = {
  configure: (command) =>
    command
      .option('--for <time>', 'how long: 30m, 2h, 1d (default: until --off)')
      .option('--off', 'remember again')
      .option('--show', 'only show what is paused'),
  run: async (context, flags) => {
    const database = assistantDatabase(context.settings)
    const folder = textFlag(flags, 'project')
    const root = folder === undefined ? null : projectOfFolder(isAbsolute(folder) ? folder : resolve(folder)).root
    const now = Date.now()
    const pauses =
      flags.show === true
        ? readPauses(database)
        : setPause(database, root, flags.off === true ? undefined : untilOf(textFlag(flags, 'for'), now), now)
    const shown = ({ until }: Pause): string => (until === null ? 'until --off' : new Date(until).toISOString())
    const held = pauses.filter((one) => holds(one, now)).map((one) => [one.root, shown(one)] as const)
    await context.print({
      everywhere: held.find(([path]) => path === null)?.[1] ?? null,
      projects: Object.fromEntries(held.filter(([path]) => path !== null)),
    })
    return undefined
  },
}

function untilOf(span: string | undefined, now: number): number | null {
  if (span === undefined) return null
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(span) ?? []
  if (count === undefined || unit === undefined)
    throw invalid('--for', `cannot be ${JSON.stringify(span)}`, 'Say minutes, hours or days: 30m, 2h, 1d.')
  return now + Number(count) * (UNITS[unit] ?? 0)
}
