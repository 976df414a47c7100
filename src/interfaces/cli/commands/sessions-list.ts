/** `mneme sessions`: title and snippet of each conversation, newest first. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import { listJson, pageFlags, readPage } from '../page.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const sessionsList: CommandDefinition = {
  everyProject: true,
  configure: (command) => revealFlag(pageFlags(command)),
  run: async (context, flags) => {
    const page = readPage(flags)
    const memory = await context.memory({ create: false, thought: true })
    await context.print(
      listJson(await memory.sessionSummaries.list({ ...page, ...readReveal(flags) }), page, snakeNames),
    )
  },
}
