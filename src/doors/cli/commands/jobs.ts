/** `mneme jobs`: the background work that waits, runs, or failed for good and why; of one user with --user. */
import { invalid } from '../../../domain/errors.ts'
import { pageRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, oneWord, pageFlags, readPage } from '../flag-values.ts'
import { jobCount, thinkAboutAll } from '../think-for-a-moment.ts'

const STATES = ['waiting', 'running', 'dead'] as const

export const jobsList: CommandDefinition = {
  everyProject: true,
  configure: (command) => pageFlags(command).option('--state <state>', `only ${STATES.join(', ')}`),
  run: async (context, flags) => {
    const page = readPage(flags)
    const state = given(flags, 'state', (flag, text) => oneWord(flag, text, STATES))
    const request = {
      ...page,
      ...(state === undefined ? {} : { state }),
      ...(flags.user === undefined ? { allUsers: true } : { userId: context.userId }),
    }
    const memory = await context.memory({ create: false })
    await context.print(pageRecord(await memory.maintenance.jobs(request), page, snakeNames))
  },
}

/** `mneme jobs retry`: jobs that failed for good are tried again, one or all; `mneme jobs run` does them at once. */
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

/** `mneme jobs run`: does the background work that is due, with the model where there is one; --wait for what is due later. */
export const jobsRun: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--wait', 'stay until nothing waits or runs any more; jobs that failed for good do not count'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, models: true, background: true })
    const started = performance.now()
    await thinkAboutAll(memory, { wait: flags.wait === true })
    await context.print({
      waiting: await jobCount(memory, 'waiting'),
      running: await jobCount(memory, 'running'),
      dead: await jobCount(memory, 'dead'),
      took_ms: Math.round(performance.now() - started),
    })
  },
}
