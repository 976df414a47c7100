/**
 * A model of meaning as a user configures one: local, or behind an address. Its vectors are kept on disk by the hash of
 * their text, so that a later run asks the model nothing.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { OpenOptions } from '../../src/doors/library/index.ts'
import { resolveEmbedderOptions } from '../../src/models/embedding/embed-source.ts'
import { localSource } from '../../src/models/embedding/open-embedder.ts'
import { startEmbeddingServer } from '../../test/support/embedding-server.ts'
import type { BenchOptions } from '../figure.ts'

/** The option of `openMemory`. */
export type Embedding = NonNullable<OpenOptions['embedding']>

const PATIENCE_MS = 30 * 60_000

/**
 * Works with the model that the flags name, or null: `--embedding local --models DIR [--model NAME]`, and
 * `--vectors DIR` (or MNEME_BENCH_VECTORS) for the folder of its vectors.
 */
export async function withModel<T>(
  { embedding, models, model = 'all-MiniLM-L6-v2', vectors = process.env.MNEME_BENCH_VECTORS }: BenchOptions['flags'],
  work: (model: Embedding | null) => Promise<T>,
): Promise<T> {
  if (embedding === undefined) return work(null)
  if (embedding !== 'local' || models === undefined)
    throw new Error('--embedding takes `local`, with the folder of the models: --models DIR')
  const options = { provider: embedding, modelsDir: models, model } as const
  if (vectors === undefined) return work(options)
  mkdirSync(vectors, { recursive: true })
  using kept = new DatabaseSync(join(vectors, `${model.replaceAll('/', '-')}.db`))
  kept.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 60000;
    CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, floats BLOB NOT NULL) WITHOUT ROWID`)
  const read = kept.prepare('SELECT floats FROM vectors WHERE hash = ?')
  const write = kept.prepare('INSERT OR IGNORE INTO vectors VALUES (?, ?)')
  const source = await localSource(resolveEmbedderOptions(options))
  const vectorOf = async (text: string): Promise<Float32Array> => {
    const hash = createHash('sha256').update(text).digest()
    const found = read.get(hash)?.floats as Uint8Array | undefined
    if (found !== undefined) return new Float32Array(found.slice().buffer)
    const [made] = await source.embedBatch([text], { kind: 'document' }, null)
    write.run(hash, new Uint8Array(made!.buffer))
    return made!
  }
  const server = await startEmbeddingServer({
    embed: async (texts) => {
      const all: Float32Array[] = []
      for (const text of texts) all.push(await vectorOf(text))
      return all
    },
  })
  try {
    return await work({ provider: 'openai', baseUrl: server.url, model, timeoutMs: PATIENCE_MS })
  } finally {
    await server.close()
    await source.close()
  }
}
