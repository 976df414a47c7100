/** `mneme settings`: what can be changed while Mneme runs, with its value and where it comes from. */
import type { CommandDefinition } from '../command.ts'

export const settingsList: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false })
    await context.print(await memory.settings.get())
  },
}
