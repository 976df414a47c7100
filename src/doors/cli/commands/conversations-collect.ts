/** `mneme conversations collect`: sets the user's mark on a turn, or with `--undo` takes it off. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'

export const conversationsCollect: CommandDefinition = {
  configure: (command) =>
    command
      .argument('<id>', 'the conversation')
      .argument('<turn>', 'the number of the turn in it')
      .option('--undo', 'take the mark off'),
  run: async (context, flags, [id = '', turn = '']) => {
    const turnId = wholeNumber('<turn>', turn)
    const memory = await context.memory({ create: false })
    const mark = { conversationId: id, turnId, isCollected: flags.undo !== true }
    await context.print(snakeNames(await memory.conversations.collect(mark)))
  },
}
