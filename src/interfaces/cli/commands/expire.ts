/** `mneme expire`: removes the working memory, of every user, of conversations that were idle for 30 minutes. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const expire: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false })
    await context.print(snakeNames(await memory.maintenance.expire()))
  },
}
