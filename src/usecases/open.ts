/** Opens everything that use cases work with: the one place where they meet their backends. */
import type { CheckFinding, Store, StoreInspection } from '../domain/contracts/store.ts'
import { everyItem } from '../domain/scheduling.ts'
import { inspectDatabase } from '../store/sqlite/inspect.ts'
import { openSqliteStore } from '../store/sqlite/open-store.ts'
import type { Salvage } from '../store/sqlite/salvage.ts'
import { type Core, createCore, explained } from './core.ts'
import { steadyEmbedder, steadyLogger, steadyModel } from './guarded-adapters.ts'
import { type OpenCoreOptions, type ResolvedOptions, resolveOptions } from './open-options.ts'
import type { Models } from './thinking.ts'

/** For the doors that import from other programs. */
export { type ForeignDatabase, type ForeignProgram, openForeignDatabase } from '../store/sqlite/foreign-database.ts'
export type { OpenCoreOptions } from './open-options.ts'

/** Opens or creates the database and everything over it. Rejects with MnemeError when an option or the file is bad. */
export async function openCore(options: OpenCoreOptions = {}): Promise<Core> {
  const chosen = resolveOptions(options)
  const resolved = { ...chosen, logger: steadyLogger(chosen.logger) }
  const { path, create, durability, clock, logger } = resolved
  const check = async () => (await inspectStore(path)).findings
  let store = await openSqliteStore({ path, create, durability, clock, logger }).catch(async (error: unknown) => {
    throw await explained({ check }, error)
  })
  try {
    const models = await openModels(store, resolved)
    store = await openVectorStore(store, models, resolved)
    return createCore(store, resolved, models)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Rejects as `openCore` would because of an option, for any database; nothing is sent. */
export async function checkOpening(options: OpenCoreOptions): Promise<void> {
  const resolved = resolveOptions(options)
  const { clock, logger, llm, embedding, vectorStore } = resolved
  const store = await openSqliteStore({ path: ':memory:', create: true, clock, logger })
  try {
    const models = await openModels(store, resolved)
    if (llm !== null && !('ask' in llm)) await models.llm?.close()
    if (embedding !== null && !('embed' in embedding)) await models.embedder?.close()
  } finally {
    await store.close()
  }
  if (vectorStore !== null && !('prepare' in vectorStore)) await (await milvus()).checkMilvus(vectorStore)
}

// The adapters (002 R7.6) are loaded when they are chosen.
const languageModels = () => import('../models/llm/open-language-model.ts')
const embedders = () => import('../models/embedding/open-embedder.ts')
const milvus = () => import('../store/milvus/milvus-vector-index.ts')

async function openModels(store: Store, { llm, embedding, clock, logger }: ResolvedOptions): Promise<Models> {
  return {
    llm:
      llm === null
        ? null
        : 'ask' in llm
          ? steadyModel(llm)
          : (await languageModels()).openLanguageModel({
              ...given(llm),
              clock,
              logger,
              ledger: store.usage,
            }),
    embedder:
      embedding === null
        ? null
        : 'embed' in embedding
          ? steadyEmbedder(embedding)
          : await (await embedders()).openEmbedder({
              ...given(embedding),
              clock,
              logger,
              knownVectors: (texts, { userId }) =>
                userId === undefined ? Promise.resolve(new Map()) : store.vectors.vectorsOfTexts(userId, texts),
            }),
  }
}

/** A vector store that is required must answer, or nothing is opened (002 R10.1); later outages only degrade. */
async function openVectorStore(store: Store, { embedder }: Models, resolved: ResolvedOptions): Promise<Store> {
  const { vectorStore } = resolved
  if (vectorStore === null) return store
  const { mirroredStore } = await import('./upkeep/mirror/mirrored-store.ts')
  const isReady = 'prepare' in vectorStore
  const mirror = isReady ? vectorStore : await (await milvus()).openMilvus(vectorStore)
  const required = isReady || vectorStore.required !== false
  try {
    return await mirroredStore(store, mirror, embedder, resolved, required)
  } catch (error) {
    await mirror.close()
    throw error
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

/** Makes a damaged database anew from its readable parts. Rejects with database_locked while another process has it open. */
export async function repairStore(path: string): Promise<Salvage & { readonly findings: readonly CheckFinding[] }> {
  const { salvage } = await import('../store/sqlite/salvage.ts')
  const { renewDerived, rollSummaries } = await import('./upkeep/rolling-summary.ts')
  const { renewSessionSummaries } = await import('./think/summarize-session.ts')
  const { clock, logger } = resolveOptions({})
  const salvaged = salvage(path, clock().getTime())
  const store = await openSqliteStore({ path, create: false, clock, logger })
  try {
    for (const userId of salvaged.userIds) {
      await store.rebuild(userId)
      const all = everyItem((page) => store.log.conversations(userId, page), 100)
      for await (const { conversationId } of all) {
        const now = clock().getTime()
        const stale = (await store.log.summaries(userId, conversationId)).filter(({ summary }) => summary === '')
        await renewDerived(store.log, userId, { stale, shortened: [conversationId] }, now)
        await rollSummaries(store.log, userId, conversationId, now)
        const title = await store.sessionSummaries.get(userId, conversationId)
        if (title?.title === '') await renewSessionSummaries(store, userId, [conversationId], now)
      }
    }
    return { ...salvaged, findings: await store.check() }
  } finally {
    await store.close()
  }
}
