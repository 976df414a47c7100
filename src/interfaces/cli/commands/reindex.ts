/** `memory_reindex`: every index anew from the turns and memories, which stay as they are. */
import type { CommandDefinition } from '../command.ts'
import { snakeNames } from '../snake-case.ts'
import { watchedWork } from '../watched-work.ts'

export const reindex: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false })
    const started = performance.now()
    const counts = await watchedWork({ doing: 'indexing', unit: 'turns' }, (work) =>
      memory.maintenance.reindex(undefined, work),
    )
    await context.print({ ...snakeNames(counts), took_ms: Math.round(performance.now() - started) })
  },
}
