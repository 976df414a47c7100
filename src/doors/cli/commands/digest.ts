/** `mneme digest`: brings the memory file up to date, or says what it would do. */
import { invalid } from '../../../domain/errors.ts'
import { reportRecord } from '../../operations/memory-file.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { type FlagValues, readReveal, revealFlag, textFlag, withoutAbsent } from '../flag-values.ts'

export const digest: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    revealFlag(command)
      .option('--date <day>', 'the day, such as 2026-05-07 (default: today, and what earlier digests did not see)')
      .option('--since <day>', 'from this day to the date')
      .option('--conversation <id>', 'only what was said in this one: for a hook at the end of a session')
      .option('--show', 'only print what was talked about on the day')
      .option('--dry-run', 'only print what would be done')
      .option('--with-secrets', 'write keys and passwords out, into a file that only you can read')
      .option('--into <files>', 'also keep a block with the entries in these files, separated by commas: CLAUDE.md'),
  run: async (context, flags) => {
    if (flags.show === true) return showDay(context, flags)
    const dryRun = flags.dryRun === true
    const memory = await context.memory({ create: false, models: !dryRun })
    const into = textFlag(flags, 'into')
      ?.split(',')
      .map((path) => path.trim())
    const report = await memory.memoryFile.digest(
      withoutAbsent({
        date: textFlag(flags, 'date'),
        since: textFlag(flags, 'since'),
        conversationId: textFlag(flags, 'conversation'),
        dryRun,
        withSecrets: flags.withSecrets === true ? true : undefined,
        into,
        ...readReveal(flags),
      }),
    )
    for (const warning of report.warnings) process.stderr.write(`warn: ${warning}\n`)
    await context.print(reportRecord(report))
    return undefined
  },
}

/** The conversations of the day that a digest is made from. */
async function showDay(context: Context, flags: FlagValues): Promise<undefined> {
  for (const flag of ['dryRun', 'withSecrets', 'into'])
    if (flags[flag] !== undefined) throw invalid('--show', 'writes nothing', 'Leave it out, or the other flag.')
  const memory = await context.memory({ create: false })
  const { date, conversations } = await memory.memoryFile.day(
    withoutAbsent({
      date: textFlag(flags, 'date'),
      since: textFlag(flags, 'since'),
      conversationId: textFlag(flags, 'conversation'),
      ...readReveal(flags),
    }),
  )
  await context.print({ date, conversations: conversations.map(snakeNames) })
  return undefined
}
