/**
 * `memory_reindex`: rebuilds every index from turns and memories, and missing vectors with the embedding model. The
 * flags `--to-milvus` and `--from-milvus` only synchronise the vector database, and `--without-milvus` only detaches
 * it.
 */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { watchedWork } from '../watched-work.ts'

export const reindex: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--to-milvus', 'embed what has no vector yet, and send Milvus every vector that it lacks; nothing else')
      .option('--from-milvus', 'take memories back from Milvus, and nothing else')
      .option(
        '--without-milvus',
        'stop keeping what Milvus must be told of, after MILVUS_URI was removed; nothing else',
      ),
  run: async (context, flags) => {
    const started = performance.now()
    const took = (): object => ({ took_ms: Math.round(performance.now() - started) })
    const ways = [flags.toMilvus, flags.fromMilvus, flags.withoutMilvus].filter((given) => given === true).length
    if (ways > 1)
      throw invalid('--to-milvus', 'and --from-milvus and --without-milvus exclude each other', 'Pass one of them.')
    if (flags.withoutMilvus === true) {
      const memory = await context.memory({ create: false, vectorStore: true })
      await context.print({ ...(await memory.maintenance.detachVectorStore()), ...took() })
      return
    }
    if (ways === 1) {
      const memory = await context.memory({ create: flags.fromMilvus === true, models: true })
      const { maintenance } = memory
      const { embedded } =
        flags.toMilvus === true
          ? await watchedWork({ doing: 'embedding', unit: 'texts' }, (work) => maintenance.embed(work))
          : { embedded: 0 }
      const counts =
        flags.toMilvus === true
          ? await watchedWork({ doing: 'sending', unit: 'vectors' }, (work) => maintenance.toVectorStore(work))
          : await watchedWork({ doing: 'restoring', unit: 'rows' }, (work) => maintenance.fromVectorStore(work))
      await context.print({ ...snakeNames(counts), ...(embedded === 0 ? {} : { embedded }), ...took() })
      return
    }
    const memory = await context.memory({ create: false, models: true })
    const counts = await watchedWork({ doing: 'indexing', unit: 'turns' }, (work) =>
      memory.maintenance.reindex(undefined, work),
    )
    const { embedded } = await watchedWork({ doing: 'embedding', unit: 'texts' }, (work) =>
      memory.maintenance.embed(work),
    )
    await context.print({
      ...snakeNames(counts),
      ...(embedded === 0 ? {} : { embedded }),
      ...took(),
    })
  },
}
