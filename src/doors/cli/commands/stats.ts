/** `mneme stats`: how much is remembered and what models were asked, of one user with --user, else in the whole file. */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'

export const stats: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context, flags) => {
    const memory = await context.memory({ create: false })
    const { db, user } = context.settings
    const scope = flags.user === undefined ? { allUsers: true } : { userId: user.value }
    const counts = snakeNames(await memory.maintenance.stats(scope))
    const usage = await memory.maintenance.usage(scope)
    await context.print({
      database: db.value,
      ...(flags.user === undefined ? {} : { user_id: user.value }),
      ...counts,
      model_usage: usage.map(({ lastAt, ...row }) => snakeNames({ ...row, lastAt: new Date(lastAt).toISOString() })),
    })
  },
}
