/** `mneme profile`: the document about the user, in which the user has the last word. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import { writeOut } from '../write-out.ts'

export const profileShow: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.option('--text', 'print the text alone instead of JSON'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, thought: true })
    const profile = await memory.profile.get()
    if (flags.text !== true) await context.print(snakeNames(profile))
    else if (profile.text !== '') await writeOut(`${profile.text}\n`)
  },
}
