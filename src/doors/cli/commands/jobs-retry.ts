/** `mneme jobs retry`: jobs that failed for good are tried again, one or all; `mneme jobs run` does them at once. */
import { invalid } from '../../../domain/errors.ts'
import type { CommandDefinition } from '../command.ts'

export const jobsRetry: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.argument('[id]', 'one job, as `mneme jobs` names it').option('--all', 'all that failed for good'),
  run: async (context, flags, [id]) => {
    if ((id === undefined) !== (flags.all === true))
      throw invalid(
        context.program,
        id === undefined ? 'is not told what to retry' : 'is told more than one thing',
        'Pass the id of a job, or --all.',
      )
    const memory = await context.memory({ create: false })
    await context.print(
      await memory.maintenance.retryJobs({
        ...(id === undefined ? {} : { id }),
        ...(flags.user === undefined ? { allUsers: true } : { userId: context.userId }),
      }),
    )
  },
}
