/** `memory_summarize`: a summary of the turns that a person names. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, type FlagValues, textFlag } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'

export const summarize: CommandDefinition = {
  configure: (command) =>
    command
      .requiredOption('--conversation <id>', 'the conversation')
      .requiredOption('--from-turn <number>', 'the first turn, from 1')
      .requiredOption('--to-turn <number>', 'the last turn, included'),
  run: async (context, flags) => {
    const request = {
      fromTurn: wholeNumber('--from-turn', required(flags, 'fromTurn', '--from-turn')),
      toTurn: wholeNumber('--to-turn', required(flags, 'toTurn', '--to-turn')),
    }
    const conversation = required(flags, 'conversation', '--conversation')
    const memory = await context.memory({ create: false })
    await context.print(snakeNames(await memory.conversations.summarize(conversation, request)))
  },
}

function required(flags: FlagValues, name: string, flag: string): string {
  const value = textFlag(flags, name)
  if (value === undefined) throw invalid(flag, 'is missing', `Pass ${flag}.`)
  return value
}
