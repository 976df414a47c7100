/** `mneme memory search`: the long-term memories that answer a question. */
import { type CommandDefinition, textFlag } from '../command.ts'
import { oneWord, wholeNumber } from '../flag-values.ts'
import { filterFlags, readFilterFlags } from '../memory-filter-flags.ts'
import { withoutAbsent } from '../memory-flags.ts'
import { searchJson } from '../memory-json.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

const RANKINGS = ['hybrid', 'long-term', 'associative'] as const

export const memorySearch: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    revealFlag(filterFlags(command.argument('<query>', 'the question, in any words')))
      .option('--limit <count>', 'most results (default: 10; with ranking long-term MEMORY_RETRIEVAL_LIMIT)')
      .option('--ranking <name>', `${RANKINGS.join(', ')} (default: hybrid)`)
      .option('--as-of <time>', 'as things stood at this moment, ISO 8601')
      .option('--now <time>', 'the moment that recency is counted to, ISO 8601')
      .option('--explain', 'say how every score came about'),
  run: async (context, flags, [query = '']) => {
    const limit = textFlag(flags, 'limit')
    const ranking = textFlag(flags, 'ranking')
    const request = {
      ...readFilterFlags(flags),
      ...readReveal(flags),
      ...withoutAbsent({
        limit: limit === undefined ? undefined : wholeNumber('--limit', limit),
        ranking: ranking === undefined ? undefined : oneWord('--ranking', ranking, RANKINGS),
        asOf: textFlag(flags, 'asOf'),
        now: textFlag(flags, 'now'),
        explain: flags.explain === true,
      }),
    }
    const memory = await context.memory({ create: false, models: true, thought: true })
    await context.print(searchJson(await memory.search(query, request)))
  },
}
