/** `mneme consolidate`: merges, tells apart and turns into facts what is new since the last run. */
import { checkInteger } from '../../../domain/checks.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'
import { watchedWork } from '../watched-work.ts'

export const consolidate: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option(
      '--max-model-calls <count>',
      'most questions to a model; beyond it the rules answer (default: 200; without a model none)',
    ),
  run: async (context, flags) => {
    const most = textFlag(flags, 'maxModelCalls')
    const maxModelCalls =
      most === undefined
        ? undefined
        : checkInteger('--max-model-calls', wholeNumber('--max-model-calls', most), 0, Number.MAX_SAFE_INTEGER)
    const memory = await context.memory({ create: false, models: true, thought: true })
    const started = performance.now()
    const counts = await watchedWork({ doing: 'consolidating', unit: 'memories' }, ({ signal, onProgress }) =>
      memory.maintenance.consolidate({
        ...(flags.user === undefined ? {} : { userId: context.userId }),
        ...(maxModelCalls === undefined ? {} : { maxModelCalls }),
        signal,
        onProgress: ({ processed }) => onProgress?.(processed, null),
      }),
    )
    await context.print({ ...snakeNames(counts), took_ms: Math.round(performance.now() - started) })
  },
}
