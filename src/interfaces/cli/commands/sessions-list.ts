/** `mneme sessions`: title and snippet of each conversation, newest first. */
import type { CommandDefinition } from '../command.ts'
import { listJson, pageFlags, readPage } from '../page.ts'
import { snakeNames } from '../snake-case.ts'

export const sessionsList: CommandDefinition = {
  everyProject: true,
  configure: (command) => pageFlags(command),
  run: async (context, flags) => {
    const page = readPage(flags)
    const memory = await context.memory({ create: false, thought: true })
    await context.print(listJson(await memory.sessionSummaries.list(page), page, snakeNames))
  },
}
