/** `mneme conversations list`: newest activity first. */

import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { projectRoot } from '../flag-values.ts'
import { listJson, pageFlags, readPage } from '../page.ts'
import { readReveal, revealFlag } from '../reveal-flag.ts'

export const conversationsList: CommandDefinition = {
  configure: (command) =>
    revealFlag(pageFlags(command)).option('--project <dir>', 'only conversations of this project'),
  run: async (context, flags) => {
    const page = readPage(flags)
    const project = textFlag(flags, 'project')
    const memory = await context.memory({ create: false })
    const list = await memory.conversations.list({
      ...page,
      ...readReveal(flags),
      ...(project === undefined ? {} : { projectRoot: projectRoot(project) }),
    })
    await context.print(listJson(list, page, snakeNames))
  },
}
