/** A question as a vector, and whose vectors the database holds. A late model is left alone for a while. */
import { MINUTE_MS } from '../domain/clock.ts'
import type { Work } from '../domain/contracts/conversation-log.ts'
import type { MemoryMatch } from '../domain/contracts/memory-store.ts'
import type { Embedder } from '../domain/contracts/models.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { StoredVectorIndex, VectorIdentity, VectorIndex, VectorRecord } from '../domain/contracts/vector-index.ts'
import { MnemeError, messageOf } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import { MEMORY_TYPES, type Memory } from '../domain/memory.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { breathe, within } from '../domain/scheduling.ts'
import type { Similarity } from '../search/candidates.ts'
import { similarityScores, withoutSpeakers } from '../search/hybrid-features.ts'
import type { MeaningScores } from '../search/meaning/meaning-scores.ts'
import type { MemoryRanking } from '../search/ranking-formulas.ts'
import type { CompiledFilter } from './matching/filter.ts'
import type { Meanings } from './turn-meanings.ts'

/** Embeds a question, or says why not; never rejects. */
export type EmbedQuery = (
  query: string,
  userId: string,
) => Promise<{ readonly vector: Float32Array | null; readonly warning: string | null }>

/** A person waits: longer than this is too long. */
const PATIENCE_MS = 3000
const REST_MS = MINUTE_MS / 2

/** Embeds questions; `onNew` is called when the index has no vectors of this model yet. */
export function queryEmbedder(
  embedder: Embedder,
  vectors: StoredVectorIndex,
  logger: Logger,
  onNew: (userId: string) => Promise<void> = async () => {},
  vectorsOf: VectorModel = vectorModel(embedder, vectors),
  now: () => number = () => performance.now(),
): EmbedQuery {
  let restUntil = Number.NEGATIVE_INFINITY
  let reason = ''
  let begun: Promise<unknown> | null = null
  const begin = async (userId: string): Promise<void> => {
    const state = await vectorsOf.settle()
    if (state === 'new' || state === 'changed') await onNew(userId)
  }
  return async (query, userId) => {
    if (now() < restUntil) return { vector: null, warning: warningOf(reason) }
    try {
      begun ??= begin(userId)
      const asked = { kind: 'query', userId, signal: AbortSignal.timeout(PATIENCE_MS) } as const
      const made = await within(
        begun.then(() => embedder.embed([query], asked)),
        PATIENCE_MS,
      )
      if (made === null) throw new Error(`no answer within ${PATIENCE_MS} ms`)
      const vector = made[0] ?? null
      // Another process may have begun another model: to begin ours again would undo its work.
      const present = await vectors.identity()
      if (present?.model !== embedder.model || present.dimension !== vector?.length)
        return { vector: null, warning: `${LEFT_OUT}: the vectors of this database are another model's by now.` }
      return { vector, warning: null }
    } catch (error) {
      begun = null
      reason = messageOf(error)
      restUntil = now() + REST_MS
      logger.warn('The embedding model did not answer; recall goes by words alone.', { operation: 'embed', reason })
      return { vector: null, warning: warningOf(reason) }
    }
  }
}

const LEFT_OUT = 'Similarity was left out, and the answer goes by words alone'

function warningOf(reason: string): string {
  return `${LEFT_OUT}, since the embedding model does not answer (${reason}).`
}

/** Runs a search of vectors; rejects for anything but a vector store that fails. */
async function searchOrWarn(vectors: Pick<VectorIndex, 'search'>, ...question: Parameters<VectorIndex['search']>) {
  try {
    return { matches: await vectors.search(...question), warning: null }
  } catch (error) {
    // `conflict`: its collection is another one than these vectors need.
    const isOutside = error instanceof MnemeError && ['vector_store_failed', 'conflict'].includes(error.code)
    if (!isOutside) throw error
    const reason = error.message.replace(/\.$/, '')
    return {
      matches: null,
      warning: `Similarity was left out, and the answer goes by words alone, since the vector store does not answer (${reason}).`,
    }
  }
}

/** The models of meaning: texts that mean something alike are found by them. */
export interface EvidenceSources {
  /** The model of meaning, where there is one. */
  readonly embedQuery?: EmbedQuery | undefined
  readonly meanings?: Pick<Meanings, 'scores'> | undefined
}

const SIMILAR_TURNS = 200
/** Most texts when memories are asked for too. */
const SIMILAR_TEXTS = 300
const TURN_PREFIX = 'turn:'

/** Similarities by the model of meaning; null for rankings that do not use it. */
export async function similarTexts(
  store: Pick<Store, 'index' | 'vectors'>,
  { ranking, query, userId, conversationId, since, until }: RecallRequest,
  embedQuery: EmbedQuery | undefined,
  withMemories = false,
): Promise<{ readonly similarity: Similarity | null; readonly warnings: readonly string[] }> {
  if (embedQuery === undefined || (ranking !== 'hybrid' && ranking !== 'associative'))
    return { similarity: null, warnings: [] }
  const { speakers } = await store.index.view(userId)
  const { vector, warning } = await embedQuery(withoutSpeakers(query, speakers), userId)
  if (vector === null) return { similarity: null, warnings: warning === null ? [] : [warning] }
  const most = withMemories ? SIMILAR_TEXTS : SIMILAR_TURNS
  const { matches, warning: failure } = await searchOrWarn(store.vectors, userId, vector, most, {
    ...(withMemories ? {} : { kind: 'turn' }),
    ...(conversationId === null ? {} : { conversationId }),
    ...(since === null ? {} : { since }),
    // The request's end is included, the filter's is not.
    ...(until === null ? {} : { until: until + 1 }),
  })
  if (matches === null) return { similarity: null, warnings: failure === null ? [] : [failure] }
  const keyOf = (id: string): number | string =>
    id.startsWith(TURN_PREFIX) ? Number(id.slice(TURN_PREFIX.length)) : id
  return { similarity: new Map(matches.map(({ id, score }) => [keyOf(id), score])), warnings: [] }
}

const SIMILAR_CANDIDATES = 40

/** The models of meaning for memories, of which the one that embeds goes first. */
export interface MemorySources {
  readonly embedQuery?: EmbedQuery | undefined
  readonly meanings?: Pick<Meanings, 'ofMemories'> | undefined
}

interface Meaning {
  readonly matches: readonly MemoryMatch[]
  /** Cosine by id; null where no model of meaning answered. */
  readonly similarity: ReadonlyMap<string, number> | null
  /** How alike memories are, 0 to 1, by either; null where neither answered. */
  readonly scoresOf: MeaningScores['scoresOf'] | null
  readonly warning: string | null
}

/** The matches by words, and besides them those that mean something alike. */
export async function withSimilar(
  { memories, vectors }: Pick<Store, 'memories' | 'vectors'>,
  { embedQuery, meanings }: MemorySources,
  { ranking, message, userId }: { ranking: MemoryRanking; message: string; userId: string },
  matches: readonly MemoryMatch[],
  { stored, accepts }: CompiledFilter,
): Promise<Meaning> {
  const none: Meaning = { matches, similarity: null, scoresOf: null, warning: null }
  const known = new Set(matches.map(({ memory }) => memory.id))
  const withOthers = (others: readonly Memory[]): readonly MemoryMatch[] => [
    ...matches,
    ...others.flatMap((memory) => {
      const isNew = !known.has(memory.id) && (accepts === null || accepts(memory))
      return isNew ? [{ memory, bm25: 0, matchedTerms: [] }] : []
    }),
  ]
  if (ranking === 'long-term') return none
  if (embedQuery === undefined) {
    // The formula of `associative` takes cosines in the place of words: it needs those of all matches.
    const meant = ranking === 'hybrid' ? await meanings?.ofMemories(userId, message) : null
    if (meant === undefined || meant === null) return none
    const { close, scores } = meant
    const rows = close.map(({ row }) => row)
    const found = rows.length === 0 ? [] : await memories.getRows(userId, rows, stored)
    const near = found.flatMap((memory, at) => {
      return memory === null || known.has(memory.id) ? [] : [{ memory, cosine: close[at]!.cosine }]
    })
    const similarity = near.length === 0 ? null : new Map(near.map(({ memory, cosine }) => [memory.id, cosine]))
    return { ...none, matches: withOthers(near.map(({ memory }) => memory)), similarity, scoresOf: scores.scoresOf }
  }
  const { vector, warning } = await embedQuery(message, userId)
  if (vector === null) return { ...none, warning }
  const near = await Promise.all(
    MEMORY_TYPES.map((kind) => searchOrWarn(vectors, userId, vector, SIMILAR_CANDIDATES, { kind })),
  )
  const failed = near.find(({ matches: found }) => found === null)
  if (failed !== undefined) return { ...none, warning: failed.warning }
  const similarity = new Map(near.flatMap(({ matches: found }) => found ?? []).map(({ id, score }) => [id, score]))
  const unknown = [...similarity.keys()].filter((id) => !known.has(id))
  const scores = similarityScores(similarity)
  return {
    matches: withOthers(await memories.getMany(userId, unknown, stored)),
    similarity,
    scoresOf: (wanted) => new Map(wanted.map((memory) => [memory, scores.get(memory.id) ?? 0])),
    warning: null,
  }
}

/** The model of a process and the vectors of its database. */
export type VectorModel = ReturnType<typeof vectorModel>

/** Binds an embedder to the vectors; nothing is asked yet. */
export function vectorModel(embedder: Embedder, vectors: Pick<StoredVectorIndex, 'identity' | 'begin'>) {
  /** The identity of the vectors after this process last set or read it. */
  let left: VectorIdentity | null = null
  return {
    /** Whether the vectors are this model's, as far as its name tells; nothing is asked of the model. */
    isPresent: async (): Promise<boolean> => {
      const present = await vectors.identity()
      if (present?.model !== embedder.model) return false
      left ??= present
      return true
    },
    /** Makes the vectors this model's, once; `other` where another process has begun another model since. */
    settle: async (): Promise<'new' | 'kept' | 'changed' | 'other'> => {
      const mine: VectorIdentity = { model: embedder.model, dimension: await embedder.dimension() }
      const present = await vectors.identity()
      if (left !== null && present !== null && !isSame(present, left) && !isSame(present, mine)) return 'other'
      const outcome = await vectors.begin(mine)
      left = mine
      return outcome
    },
  }
}

function isSame(one: VectorIdentity, other: VectorIdentity): boolean {
  return one.model === other.model && one.dimension === other.dimension
}

/** The error for a process that wants vectors of this model made all the same. */
export function otherModelError({ model }: Embedder, present: VectorIdentity | null): MnemeError {
  const theirs = present === null ? 'another model' : `${present.model} (${present.dimension} dimensions)`
  return new MnemeError(
    'conflict',
    `Another process has begun to embed this database with ${theirs}; this one has ${model}.`,
    { remedy: 'Let every process that uses this database use the same embedding model, and start this one again.' },
  )
}

const BATCH = 64

/** Makes every missing vector; their number. Rejects `embedding_failed`, or `conflict` for another model's. */
export async function embedPending(
  vectors: StoredVectorIndex,
  embedder: Embedder,
  { settle }: VectorModel,
  { signal, onProgress }: Work = {},
): Promise<number> {
  if ((await settle()) === 'other') throw otherModelError(embedder, await vectors.identity())
  await vectors.discardOld(signal === undefined ? {} : { signal })
  const total = onProgress === undefined ? 0 : await vectors.pendingCount()
  let done = 0
  for (;;) {
    const pending = await vectors.pendingEmbeddings(BATCH)
    if (pending.length === 0) return done
    for (const [userId, mine] of Map.groupBy(pending, (one) => one.userId)) {
      const made = await embedder.embed(
        mine.map(({ text }) => text),
        { kind: 'document', userId, ...(signal === undefined ? {} : { signal }) },
      )
      await vectors.add(
        userId,
        mine.map(({ userId: _, ...record }, index): VectorRecord => ({ ...record, vector: made[index]! })),
      )
    }
    done += pending.length
    onProgress?.(done, Math.max(total, done))
    await breathe(signal)
  }
}
