/** `mneme keys list`: the keys that programs have, without the keys. */
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const keysList: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false })
    await context.print({ items: (await memory.keys.list()).map(snakeNames) })
  },
}
