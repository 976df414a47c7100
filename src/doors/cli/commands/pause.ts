/** `mneme pause`: assistants store and recall nothing until it is taken back; --project for one project alone. */
import { isAbsolute, resolve } from 'node:path'
import { invalid } from '../../../domain/errors.ts'
import { readPauses, setPause } from '../../assistants/pause.ts'
import { projectOfFolder } from '../../assistants/project.ts'
import type { CommandDefinition } from '../context.ts'
import { textFlag } from '../flag-values.ts'
import { assistantDatabase } from '../settings.ts'

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const pause: CommandDefinition = {
  configure: (command) =>
    command
      .option('--for <time>', 'how long: 30m, 2h, 1d (default: until --off)')
      .option('--off', 'remember again')
      .option('--show', 'only show what is paused'),
  run: async (context, flags) => {
    const database = assistantDatabase(context.settings)
    const folder = textFlag(flags, 'project')
    const root = folder === undefined ? undefined : projectOfFolder(isAbsolute(folder) ? folder : resolve(folder)).root
    const pauses =
      flags.show === true
        ? readPauses(database)
        : setPause(database, root, flags.off === true ? undefined : untilOf(textFlag(flags, 'for')))
    const shown = (until: number | null): string => (until === null ? 'until --off' : new Date(until).toISOString())
    await context.print({
      everywhere: pauses.everywhere === undefined ? null : shown(pauses.everywhere),
      projects: Object.fromEntries(Object.entries(pauses.projects).map(([path, until]) => [path, shown(until)])),
    })
    return undefined
  },
}

function untilOf(span: string | undefined): number | null {
  if (span === undefined) return null
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(span) ?? []
  if (count === undefined || unit === undefined)
    throw invalid('--for', `cannot be ${JSON.stringify(span)}`, 'Say minutes, hours or days: 30m, 2h, 1d.')
  return Date.now() + Number(count) * (UNITS[unit] ?? 0)
}
