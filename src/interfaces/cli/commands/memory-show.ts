/** `mneme memory show`: one long-term memory by its id. */
import type { CommandDefinition } from '../command.ts'
import { snakeNames } from '../snake-case.ts'

export const memoryShow: CommandDefinition = {
  configure: (command) => command.argument('<id>', 'the memory'),
  run: async (context, _flags, [id = '']) => {
    const memory = await context.memory({ create: false, thought: true })
    await context.print(snakeNames(await memory.get(id)))
  },
}
