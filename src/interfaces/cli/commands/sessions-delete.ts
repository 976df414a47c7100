/** `mneme sessions delete`: removes title and snippet of a conversation for good; the conversation stays. */
import type { CommandDefinition } from '../command.ts'

export const sessionsDelete: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<conversation>', 'the conversation'),
  run: async (context, _flags, [conversationId = '']) => {
    const memory = await context.memory({ create: false })
    await memory.sessionSummaries.delete({ conversationId })
    await context.print({ conversation_id: conversationId, deleted: true })
  },
}
