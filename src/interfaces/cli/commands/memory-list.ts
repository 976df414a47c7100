/** `mneme memory list`: long-term memories, last changed first. */

import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { filterFlags, readFilterFlags } from '../memory-filter-flags.ts'
import { withoutAbsent } from '../memory-flags.ts'
import { listJson, pageFlags, readPage } from '../page.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const memoryList: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    revealFlag(pageFlags(filterFlags(command)))
      .option('--as-of <time>', 'as things stood at this moment, ISO 8601')
      .option('--past', 'superseded and ended memories too'),
  run: async (context, flags) => {
    const page = readPage(flags)
    const request = {
      ...page,
      ...readReveal(flags),
      ...readFilterFlags(flags),
      ...withoutAbsent({ asOf: textFlag(flags, 'asOf'), includePast: flags.past === true ? true : undefined }),
    }
    const memory = await context.memory({ create: false, thought: true })
    await context.print(listJson(await memory.getAll(request), page, snakeNames))
  },
}
