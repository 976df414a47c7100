/** `mneme sessions edit`: changes title or snippet; the machine leaves them alone from then on. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { withoutAbsent } from '../memory-flags.ts'

export const sessionsEdit: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('<conversation>', 'the conversation')
      .option('--title <text>', 'the new title')
      .option('--snippet <text>', 'the new snippet'),
  run: async (context, flags, [conversationId = '']) => {
    const changes = withoutAbsent({ title: textFlag(flags, 'title'), snippet: textFlag(flags, 'snippet') })
    if (Object.keys(changes).length === 0)
      throw invalid(context.program, 'changes nothing', 'Pass --title or --snippet.')
    const memory = await context.memory({ create: false })
    await context.print(snakeNames(await memory.sessionSummaries.update({ conversationId, ...changes })))
  },
}
