/** `mneme memory history`: the story of one memory, oldest first. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const memoryHistory: CommandDefinition = {
  configure: (command) => command.argument('<id>', 'the memory'),
  run: async (context, _flags, [id = '']) => {
    const memory = await context.memory({ create: false, thought: true })
    const items = (await memory.history(id)).map(snakeNames)
    await context.print({ items, total: items.length })
  },
}
