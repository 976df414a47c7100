/** `mneme memory show`: one long-term memory by its id. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const memoryShow: CommandDefinition = {
  configure: (command) => command.argument('<id>', 'the memory'),
  run: async (context, _flags, [id = '']) => {
    const memory = await context.memory({ create: false, thought: true })
    await context.print(snakeNames(await memory.get(id)))
  },
}
