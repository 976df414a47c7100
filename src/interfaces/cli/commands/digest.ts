/** `mneme digest`: brings the memory file up to date, or says what it would do. */

import { reportRecord } from '../../operations/memory-file-record.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { withoutAbsent } from '../memory-flags.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const digest: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    revealFlag(command)
      .option('--date <day>', 'the day, such as 2026-05-07 (default: today, and what earlier digests did not see)')
      .option('--since <day>', 'from this day to the date')
      .option('--conversation <id>', 'only what was said in this one: for a hook at the end of a session')
      .option('--dry-run', 'only print what would be done')
      .option('--with-secrets', 'write keys and passwords out, into a file that only you can read')
      .option('--into <files>', 'also keep a block with the entries in these files, separated by commas: CLAUDE.md'),
  run: async (context, flags) => {
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
  },
}
