/** `mneme working`: the live state of conversations, gone 30 minutes after the last turn. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const working: CommandDefinition = {
  configure: (command) => revealFlag(command.argument('[id]', 'one conversation (default: all that are alive)')),
  run: async (context, flags, [id]) => {
    const memory = await context.memory({ create: false })
    if (id !== undefined) {
      await context.print(snakeNames(await memory.workingMemory.get({ conversationId: id })))
      return
    }
    const items = (await memory.workingMemory.list(readReveal(flags))).map(snakeNames)
    await context.print({ items, total: items.length })
  },
}
