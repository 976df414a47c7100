/** `mneme jobs run`: does the background work that is due, with the model where there is one; --wait for what is due later. */
import type { CommandDefinition } from '../command.ts'
import { jobCount, thinkAboutAll } from '../think-about-all.ts'

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
