/** `mneme connect`: an assistant on this machine remembers from now on; --remove takes that back. */
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/clock.ts'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { packageFile } from '../../../language/package-file.ts'
import { apply, connecting, disconnecting, type FileChange, installed, shown } from '../../assistants/connect.ts'
import { TARGETS } from '../../assistants/connections.ts'
import { holds, type Pause, projectOfFolder, readPauses, setPause } from '../../assistants/project.ts'
import * as schema from '../../operations/schemas.ts'
import type { Context } from '../command-context.ts'
import { command, YES } from '../fields.ts'
import { errorText } from '../report-error.ts'
import { assistantDatabase } from '../resolve-options.ts'
import { confirm } from '../standard-streams.ts'

const CONNECT = z.strictObject({
  assistant: z
    .enum(TARGETS)
    .optional()
    .describe(`${TARGETS.join(', ')}. Default: all that are installed.`),
  dry_run: schema.flag('Show what would be changed, and change nothing.'),
  remove: schema.flag('Take Mneme out again; files that nobody changed since are as they were, to the byte.'),
  yes: YES,
})

export const connect = command(CONNECT, { everyProject: true, positional: ['assistant'] })(
  async (context, { assistant, dryRun: isLook = false, remove: isRemoval = false, yes }) => {
    const input = { home: homedir(), environment: context.settings.environment, start: startOf(context) }
    const targets = assistant === undefined ? installed(input) : [assistant]
    if (targets.length === 0)
      throw invalid('assistant', 'is missing: none was found on this machine', `Name one: ${TARGETS.join(', ')}.`)
    const plans = targets.map((target) => ({
      target,
      ...attempt(() => (isRemoval ? disconnecting(target, input) : connecting(target, input))),
    }))
    const all = plans.flatMap(({ changes }) => changes)
    for (const change of all) process.stderr.write(shown(change))
    if (!isLook && all.length > 0 && yes !== true) {
      const files = all.length === 1 ? 'this file' : `these ${all.length} files`
      await confirm(`${isRemoval ? 'Take Mneme out of' : 'Add Mneme to'} ${files}?`, 'mneme connect')
    }
    const planned = plans.map((plan) => {
      if (isLook || plan.changes.length === 0) return plan
      const { target, changes } = plan
      return { target, ...attempt(() => apply(target, input.home, changes, !isRemoval)) }
    })
    const database = assistantDatabase(context.settings)
    await context.print({
      assistants: planned.map(({ target, changes, refused }) => ({
        name: target,
        files: changes.map(({ path }) => path),
        ...(refused === undefined ? {} : { refused: refused.message }),
      })),
      database,
      // The page of a folder shows the memory of that folder. Every shell takes double quotes.
      page: `mneme serve --open --db ${/\s/.test(database) ? `"${database}"` : database}`,
      changed: !isLook && planned.some(({ changes }) => changes.length > 0),
    })
    return planned.some(({ refused }) => refused !== undefined) ? 1 : 0
  },
)

/** The changes of the task; none where it refuses, which is said. */
function attempt(task: () => readonly FileChange[]): { changes: readonly FileChange[]; refused?: MnemeError } {
  try {
    return { changes: task() }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    process.stderr.write(errorText(error))
    return { changes: [], refused: error }
  }
}

function startOf({ settings, userId }: Context) {
  const user = userId === 'local' ? [] : ['--user', userId]
  const flags = ['--db', assistantDatabase(settings), ...user]
  return { program: process.execPath, script: packageFile('bin/mneme.js'), flags }
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

const PAUSE = z.strictObject({
  for: schema.words('How long: 30m, 2h, 1d. Default: until --off.'),
  off: schema.flag('Remember again.'),
  show: schema.flag('Only show what is paused.'),
})

export const pause = command(PAUSE)(async (context, { for: span, off, show }, { project: folder }) => {
  const database = assistantDatabase(context.settings)
  const root = typeof folder !== 'string' ? null : projectOfFolder(isAbsolute(folder) ? folder : resolve(folder)).root
  const now = Date.now()
  const pauses =
    show === true ? readPauses(database) : setPause(database, root, off === true ? undefined : untilOf(span, now), now)
  const shown = ({ until }: Pause): string => (until === null ? 'until --off' : new Date(until).toISOString())
  const held = pauses.filter((one) => holds(one, now)).map((one) => [one.root, shown(one)] as const)
  await context.print({
    everywhere: held.find(([path]) => path === null)?.[1] ?? null,
    projects: Object.fromEntries(held.filter(([path]) => path !== null)),
  })
})

function untilOf(span: string | undefined, now: number): number | null {
  if (span === undefined) return null
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(span) ?? []
  if (count === undefined || unit === undefined)
    throw invalid('--for', `cannot be ${JSON.stringify(span)}`, 'Say minutes, hours or days: 30m, 2h, 1d.')
  return now + Number(count) * (UNITS[unit] ?? 0)
}
