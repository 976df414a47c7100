/** `mneme sessions show`: title and snippet of one conversation. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const sessionsShow: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<conversation>', 'the conversation'),
  run: async (context, _flags, [conversationId = '']) => {
    const memory = await context.memory({ create: false, thought: true })
    await context.print(snakeNames(await memory.sessionSummaries.get({ conversationId })))
  },
}
