/**
 * `memory_reindex`: every index anew from the turns and memories, which stay as they are; with an embedding model every
 * vector that is missing, as after a change of the model.
 */

import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../command.ts'
import { watchedWork } from '../watched-work.ts'

export const reindex: CommandDefinition = {
  everyProject: true,
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false, models: true })
    const started = performance.now()
    const counts = await watchedWork({ doing: 'indexing', unit: 'turns' }, (work) =>
      memory.maintenance.reindex(undefined, work),
    )
    const { embedded } = await watchedWork({ doing: 'embedding', unit: 'texts' }, (work) =>
      memory.maintenance.embed(work),
    )
    await context.print({
      ...snakeNames(counts),
      ...(embedded === 0 ? {} : { embedded }),
      took_ms: Math.round(performance.now() - started),
    })
  },
}
