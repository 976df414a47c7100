/** `mneme evict`: removes long-term memories for good until so many are left, the least worth keeping first. */
import { checkInteger } from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'

export const evict: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--keep <count>', 'memories that stay (default: MEMORY_EVICTION_THRESHOLD)')
      .option('--dry-run', 'only say which would go'),
  run: async (context, flags) => {
    const given = textFlag(flags, 'keep')
    const keep =
      given === undefined
        ? context.settings.eviction_threshold.value
        : checkInteger('--keep', wholeNumber('--keep', given), 1, Number.MAX_SAFE_INTEGER)
    if (keep === null)
      throw invalid('--keep', 'is missing', 'Say how many memories stay, or set MEMORY_EVICTION_THRESHOLD.')
    const dryRun = flags.dryRun === true
    const memory = await context.memory({ create: false })
    const { evicted } = await memory.maintenance.evict({ threshold: keep, dryRun })
    const { memories } = await memory.maintenance.stats({ userId: context.userId })
    await context.print({
      keep,
      dry_run: dryRun,
      evicted: evicted.length,
      remaining: dryRun ? memories - evicted.length : memories,
      ids: evicted,
    })
  },
}
