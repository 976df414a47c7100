import { expect, onTestFinished, test } from 'vitest'
import type { Embedder } from '../domain/contracts/models.ts'
import { silentLogger } from '../domain/logger.ts'
import { openDatabase } from '../store/sqlite/file/open-database.ts'
import { sqliteVectorIndex } from '../store/sqlite/vector-index/vector-index.ts'
import { queryEmbedder } from './query-vector.ts'

/** Every text means the same. */
function embedderNamed(model: string, dimension: number): Embedder {
  const vector = Float32Array.from({ length: dimension }, (_, at) => (at === 0 ? 1 : 0))
  return {
    model,
    dimension: async () => dimension,
    embed: async (texts) => texts.map(() => vector),
    close: async () => {},
  }
}

test.each([
  ['another model', 'test/other', 4],
  ['the same model in another dimension', 'test/mine', 8],
])(
  'a question goes by words alone, and says so, when another process has begun %s',
  async (_case, model, dimension) => {
    const connection = openDatabase(':memory:', { create: true })
    onTestFinished(() => connection.close())
    const mine = sqliteVectorIndex(connection)
    const theirs = sqliteVectorIndex(connection)
    const embedQuery = queryEmbedder(embedderNamed('test/mine', 4), mine, silentLogger)
    expect(await embedQuery('我的自行车在哪里？', 'kim')).toMatchObject({ warning: null, vector: { length: 4 } })
    await theirs.begin({ model, dimension })
    const answer = await embedQuery('Where is my bicycle?', 'kim')
    expect(answer).toMatchObject({ vector: null, warning: expect.stringContaining('words alone') })
    expect(await theirs.identity()).toEqual({ model, dimension })
  },
)
