/** `mneme conversations show`: one conversation with its turns and summaries. */

import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'
import { listJson, pageFlags, readPage } from '../page.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const conversationsShow: CommandDefinition = {
  configure: (command) =>
    revealFlag(pageFlags(command.argument('<id>', 'the conversation')))
      .option('--from-turn <number>', 'the first turn to show')
      .option('--to-turn <number>', 'the last turn to show')
      .option('--collected', 'only turns that you collected'),
  run: async (context, flags, [id = '']) => {
    const page = readPage(flags)
    const number = (name: string, flag: string): number | undefined => {
      const text = textFlag(flags, name)
      return text === undefined ? undefined : wholeNumber(flag, text)
    }
    const fromTurn = number('fromTurn', '--from-turn')
    const toTurn = number('toTurn', '--to-turn')
    const memory = await context.memory({ create: false })
    const conversation = await memory.conversations.get(id)
    const turns = await memory.conversations.turns(id, {
      ...page,
      ...readReveal(flags),
      ...(fromTurn === undefined ? {} : { fromTurn }),
      ...(toTurn === undefined ? {} : { toTurn }),
      ...(flags.collected === true ? { isCollected: true } : {}),
    })
    const summaries = await memory.conversations.summaries(id, readReveal(flags))
    await context.print({
      ...snakeNames(conversation),
      turns: listJson(turns, page, snakeNames),
      summaries: summaries.map(snakeNames),
    })
  },
}
