/** `mneme working`: the live state of conversations, gone 30 minutes after the last turn, to be looked at and edited. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { readTextValue } from '../../operations/text-values.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const working: CommandDefinition = {
  configure: (command) =>
    revealFlag(
      command
        .argument('[id]', 'one conversation (default: all that are alive)')
        .option('--topic <text>', 'change what it is about')
        .option('--variables <json>', 'change its variables')
        .option('--emotion <text>', 'change the last emotion')
        .option('--delete', 'forget it'),
    ),
  run: async (context, flags, [id]) => {
    const memory = await context.memory({ create: false })
    const variables = textFlag(flags, 'variables')
    const patch = {
      currentTopic: textFlag(flags, 'topic'),
      lastEmotion: textFlag(flags, 'emotion'),
      ...(variables === undefined
        ? {}
        : { contextVariables: readTextValue('json', [variables]) as Readonly<Record<string, unknown>> }),
    }
    const changes = Object.values(patch).some((value) => value !== undefined)
    if (id === undefined && (changes || flags.delete === true))
      throw invalid('[id]', 'is missing', 'Name the conversation whose state is to change.')
    if (id !== undefined && flags.delete === true) {
      await memory.workingMemory.delete({ conversationId: id })
      await context.print({ session_id: id, deleted: true })
      return
    }
    if (id !== undefined && changes) {
      await context.print(snakeNames(await memory.workingMemory.set({ conversationId: id, ...patch })))
      return
    }
    if (id !== undefined) {
      await context.print(snakeNames(await memory.workingMemory.get({ conversationId: id })))
      return
    }
    const items = (await memory.workingMemory.list(readReveal(flags))).map(snakeNames)
    await context.print({ items, total: items.length })
  },
}
