/** `mneme jobs`: the background work that waits, runs, or failed for good and why; of one user with --user. */

import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { oneWord } from '../flag-values.ts'
import { listJson, pageFlags, readPage } from '../page.ts'

const STATES = ['waiting', 'running', 'dead'] as const

export const jobsList: CommandDefinition = {
  everyProject: true,
  configure: (command) => pageFlags(command).option('--state <state>', `only ${STATES.join(', ')}`),
  run: async (context, flags) => {
    const page = readPage(flags)
    const state = textFlag(flags, 'state')
    const request = {
      ...page,
      ...(state === undefined ? {} : { state: oneWord('--state', state, STATES) }),
      ...(flags.user === undefined ? { allUsers: true } : { userId: context.userId }),
    }
    const memory = await context.memory({ create: false })
    await context.print(listJson(await memory.maintenance.jobs(request), page, snakeNames))
  },
}
