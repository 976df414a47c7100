/** `mneme conversations show`: one conversation with its turns and summaries. */
import { wholeNumber } from '../../config/options.ts'
import { pageRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, pageFlags, readPage, readReveal, revealFlag, withoutAbsent } from '../flag-values.ts'

export const conversationsShow: CommandDefinition = {
  configure: (command) =>
    revealFlag(pageFlags(command.argument('<id>', 'the conversation')))
      .option('--from-turn <number>', 'the first turn to show')
      .option('--to-turn <number>', 'the last turn to show')
      .option('--collected', 'only turns that you collected'),
  run: async (context, flags, [id = '']) => {
    const page = readPage(flags)
    const span = withoutAbsent({
      fromTurn: given(flags, 'fromTurn', wholeNumber),
      toTurn: given(flags, 'toTurn', wholeNumber),
    })
    const memory = await context.memory({ create: false })
    const conversation = await memory.conversations.get(id)
    const turns = await memory.conversations.turns(id, {
      ...page,
      ...readReveal(flags),
      ...span,
      ...(flags.collected === true ? { isCollected: true } : {}),
    })
    const summaries = await memory.conversations.summaries(id, readReveal(flags))
    await context.print({
      ...snakeNames(conversation),
      turns: pageRecord(turns, page, snakeNames),
      summaries: summaries.map(snakeNames),
    })
  },
}

/** `mneme conversations collect`: sets the user's mark on a turn, or with `--undo` takes it off. */
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
