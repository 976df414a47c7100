/** Opens a working memory: the one place where the engine meets its backends. */
import { inspectDatabase } from '../adapters/sqlite/inspect.ts'
import { openSqliteStore } from '../adapters/sqlite/open-store.ts'
import type { Store, StoreInspection } from '../contracts/store.ts'
import { createEngine, type Engine } from './engine.ts'
import { maskedLog } from './masked-log.ts'
import { type OpenOptions, type ResolvedOptions, resolveOptions } from './options.ts'
import type { Models } from './thinking.ts'

export type { OpenOptions } from './options.ts'

/** Opens or creates the database and everything over it. Rejects with MnemeError when an option or the file is bad. */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  const chosen = resolveOptions(options)
  const resolved = { ...chosen, logger: maskedLog(chosen.logger) }
  const { path, create, clock, logger } = resolved
  const store = await openSqliteStore({ path, create, clock, logger })
  try {
    return createEngine(store, resolved, await openModels(store, resolved))
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Models are loaded late: most processes have none, and a recall is to start quickly. */
async function openModels(store: Store, { llm, embedding, clock, logger }: ResolvedOptions): Promise<Models> {
  const llmAdapter = async () => import('../adapters/llm/open-language-model.ts')
  const embeddingAdapter = async () => import('../adapters/embedding/open-embedder.ts')
  return {
    llm:
      llm === null || 'ask' in llm
        ? llm
        : (await llmAdapter()).openLanguageModel({
            ...given(llm),
            provider: llm.provider,
            clock,
            logger,
            ledger: store.usage,
          }),
    embedder:
      embedding === null || 'embed' in embedding
        ? embedding
        : await (await embeddingAdapter()).openEmbedder({
            ...given(embedding),
            provider: embedding.provider,
            clock,
            logger,
            knownVectors: (texts, { userId }) =>
              userId === undefined ? Promise.resolve(new Map()) : store.vectors.vectorsOfTexts(userId, texts),
          }),
  }
}

/** The options without those that are undefined. */
function given<T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  }
}

/** Looks at an existing database and changes nothing in it. Rejects with MnemeError when it cannot be read as one. */
export async function inspectStore(path: string): Promise<StoreInspection> {
  return inspectDatabase(path)
}
