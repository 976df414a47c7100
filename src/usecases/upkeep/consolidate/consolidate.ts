/** Consolidation (002 R5, R6, R10.5): new and changed episodes are merged, told apart, and turned into facts. */
import { check } from '../../../domain/checks.ts'
import type { MemoryChanges } from '../../../domain/contracts/memory-store.ts'
import { memoryId } from '../../../domain/ids.ts'
import { freshMemory, type Memory } from '../../../domain/memory.ts'
import { giveWay } from '../../../domain/scheduling.ts'
import { queryTerms } from '../../../language/terms.ts'
import { matchMemories } from '../../../search/match-memories.ts'
import { slotNamed } from '../../../thinking/facts/mentioned-attributes.ts'
import { withoutLabel } from '../../../thinking/merge/episode-metadata.ts'
import {
  isLivingEpisode,
  isSameEventByRules,
  mayMerge,
  mergedMemory,
  mergeWordsByRules,
} from '../../../thinking/merge/merge-by-rules.ts'
import type { AskContext } from '../../../thinking/model-answers/ask-model.ts'
import { ownWords } from '../../../thinking/reconsolidate/reconsolidate-by-rules.ts'
import type { SemanticFact } from '../../../thinking/semantic-facts/semantic-fact.ts'
import { type Episode, semanticFactsByRules } from '../../../thinking/semantic-facts/semantic-facts-by-rules.ts'
import { areSeparated, separateByRules, separationPatch } from '../../../thinking/separate/separate-by-rules.ts'
import { lexicalSimilarity } from '../../../thinking/similarity/similarity.ts'
import type { Core } from '../../core.ts'
import { warmUp } from '../../think/warm-up.ts'
import {
  askModel,
  type ConsolidateDependencies,
  type ConsolidateOptions,
  type ConsolidationCounts,
  findSimilar,
  type Run,
  type Similar,
  TermCounts,
} from './find-similar.ts'

/** Changes that are read, and behind which the mark is set, at once. */
const MEMORIES_A_PIECE = 50
const USERS_A_PIECE = 100
const MOST_MODEL_CALLS = 200
/** Attempts at one memory while others write; then it and the rest are left to the next run. */
const ATTEMPTS = 5

/** Consolidates one user, or every user with news. Rejects `aborted`; work done before is kept. */
export async function consolidate(
  dependencies: ConsolidateDependencies,
  { userId, signal, maxModelCalls = MOST_MODEL_CALLS, onProgress }: ConsolidateOptions = {},
): Promise<ConsolidationCounts> {
  check.integer('maxModelCalls', maxModelCalls, 0, Number.MAX_SAFE_INTEGER)
  const counts = { processed: 0, merged: 0, separated: 0, promoted: 0, deleted: 0, skipped: 0, modelCalls: 0 }
  const consolidateUser = (user: string): Promise<void> =>
    consolidateNews({ ...dependencies, userId: user, signal, maxModelCalls, counts }, onProgress)
  if (userId !== undefined) await consolidateUser(userId)
  else
    for (let after = ''; ; ) {
      const users = await dependencies.memories.changedUsers(USERS_A_PIECE, after)
      for (const user of users) await consolidateUser(user)
      if (users.length < USERS_A_PIECE) break
      after = users.at(-1)!
    }
  return counts
}

async function consolidateNews(run: Run, onProgress: ConsolidateOptions['onProgress']): Promise<void> {
  const { memories, userId, signal, counts } = run
  const before = { ...counts }
  const seen = new TermCounts()
  try {
    await warmUp()
    for (let mark = await memories.readMark(userId); ; ) {
      const changed = await memories.changedSince(userId, mark, MEMORIES_A_PIECE)
      if (changed.memories.length === 0) break
      for (const memory of changed.memories) {
        await giveWay(userId, signal)
        if (!(await consolidateOne(run, memory, seen))) return
      }
      mark = changed.mark
      await memories.setMark(userId, mark)
      onProgress?.({ ...counts })
    }
  } finally {
    logRun(run, before)
  }
}

/** Somebody else wrote since a plan was made: it is made anew, from what there is now. */
class Outdated extends Error {}

/** false when others wrote so often in between that nothing could be planned. */
async function consolidateOne(run: Run, listed: Memory, seen: TermCounts): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const memory = await run.memories.get(run.userId, listed.id)
    // Gone, or changed since it was listed: then it is listed again, further on.
    if (memory === null || (attempt === 0 && memory.text !== listed.text)) return true
    try {
      if (isLivingEpisode(memory)) await thinkAbout(run, memory, seen)
      run.counts[isLivingEpisode(memory) ? 'processed' : 'skipped'] += 1
      return true
    } catch (error) {
      if (!(error instanceof Outdated)) throw error
    }
  }
  return false
}

/** Joins an episode with one that is the same, else tells it apart from those that may be; then facts are made of it. */
async function thinkAbout(run: Run, memory: Memory, seen: TermCounts): Promise<void> {
  const { similar, compared } = await findSimilar(run, memory, seen)
  // A turn that was added to an episode is not told again by a memory of its own.
  const told = compared.map((one) => ({ ...one, text: ownWords(one) }))
  if (!(await isMerged(run, memory, similar))) await partFromAll(run, memory, similar)
  await giveWay(run.userId, run.signal)
  // The result of a merge is looked at by itself.
  const present = await run.memories.get(run.userId, memory.id)
  if (present !== null) await promote(run, present, told)
}

/** 002 R10.4, R10.5: operation, user and counts; a run that found nothing new says so quietly. */
function logRun({ counts: after, userId: user, logger }: Run, before: ConsolidationCounts): void {
  const counts = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof ConsolidationCounts]]),
  )
  const details = { operation: 'consolidate', user, ...counts }
  if (Object.values(counts).every((count) => count === 0)) logger.debug('nothing new to consolidate', details)
  else logger.info('consolidated', details)
}

/** The revision for a plan of these memories. Throws Outdated where one of them is another by now. */
async function revisionOf({ memories, userId }: Run, ...planned: readonly Memory[]): Promise<number> {
  const revision = await memories.revision(userId)
  for (const memory of planned) {
    const now = await memories.get(userId, memory.id)
    if (now === null || now.text !== memory.text || now.updatedAt !== memory.updatedAt) throw new Outdated()
  }
  return revision
}

/** Writes a plan that was made at a revision. Throws Outdated where that has passed. */
async function write(
  { memories, userId, clock }: Run,
  revision: number,
  plan: Partial<Omit<MemoryChanges, 'at'>>,
): Promise<void> {
  const changes = { insert: [], update: [], remove: [], ...plan, at: clock().getTime() }
  if (!(await memories.apply(userId, revision, changes))) throw new Outdated()
}

/** Whether it was merged with the first of these that may be; `similar`: the living episodes like it, most alike first. */
async function isMerged(run: Run, a: Memory, similar: readonly Similar[]): Promise<boolean> {
  for (const { memory: b, verdict } of similar) {
    const allowance = verdict === 'same' ? mayMerge(a, b) : 'no'
    if (allowance === 'no') continue
    const revision = await revisionOf(run, a, b)
    const asked = await askModel(run, 'merge', async (ask) => {
      const { mergeByModel } = await import('../../../thinking/merge/merge-by-model.ts')
      return mergeByModel(a, b, ask)
    })
    const isOneEvent = asked?.sameEvent ?? (allowance === 'yes' || (await isSameEventByRules(a, b)))
    const words = isOneEvent ? (asked?.sameEvent ? asked.words : mergeWordsByRules(a, b)) : null
    if (words === null) continue
    const merged = mergedMemory(a, b, words, { id: memoryId(), now: run.clock().getTime() })
    const gone = [a.id, b.id]
    await write(run, revision, { insert: [merged], remove: gone, heir: merged.id })
    await run.vectors?.remove(run.userId, gone)
    run.counts.merged += 1
    run.counts.deleted += gone.length
    return true
  }
  return false
}

async function partFromAll(run: Run, memory: Memory, similar: readonly Similar[]): Promise<void> {
  let a = memory
  for (const { memory: b, verdict } of similar) {
    if (verdict !== 'ambiguous' || areSeparated(a, b)) continue
    const revision = await revisionOf(run, a, b)
    const asked = await askModel(run, 'separate', async (ask) => {
      const { separateByModel } = await import('../../../thinking/separate/separate-by-model.ts')
      return separateByModel(a, b, ask)
    })
    const words = asked ?? separateByRules(a, b)
    if (words !== null) {
      const patch = separationPatch(a, words.first, b.id)
      const other = separationPatch(b, words.second, a.id)
      const update = [
        { id: a.id, patch, event: 'UPDATE' } as const,
        { id: b.id, patch: other, event: 'UPDATE' } as const,
      ]
      await write(run, revision, { update })
      run.counts.separated += 1
      a = { ...a, ...patch }
    }
    await giveWay(run.userId, run.signal)
  }
}

/** Texts this alike say the same fact. */
const SAME_FACT = 0.8
const COMPARED = 5
/** The key of tastes, of which a user has many at a time. */
const MANY_VALUED = 'preference'
const ASKED_TERMS = 12
/** Terms of one question to the index: the lists of all of them would hold everybody else up. */
const TERMS_AT_ONCE = 3
/** Every episode asks for its facts: half of the model calls are kept for the fewer that are merged or told apart. */
const SHARE_OF_CALLS = 0.5
/** 1: as a preference, habit or identity weighs in 004. */
const IMPORTANCE = 1

/** Stores the new facts. An episode that says nothing else becomes the fact; `others` are similar episodes. */
async function promote(run: Run, memory: Memory, others: readonly Episode[]): Promise<void> {
  const revision = await revisionOf(run)
  const extract = async (ask: AskContext) => {
    const { semanticFactsByModel } = await import('../../../thinking/semantic-facts/semantic-facts-by-model.ts')
    return semanticFactsByModel(memory, others, ask)
  }
  const asked = await askModel(run, 'semanticFacts', extract, SHARE_OF_CALLS)
  const text = withoutLabel(memory)
  const { facts } = asked ?? semanticFactsByRules({ ...memory, text }, others)
  const fresh: SemanticFact[] = []
  for (const fact of facts)
    if (!fresh.some((one) => sameFact(one.text, fact.text)) && !(await isKnown(run, fact, memory.projectRoot)))
      fresh.push(fact)
  if (fresh.length === 0) return
  const whole = fresh.find((fact) => sameFact(text, fact.text) && fact.text.length >= SAME_FACT * text.length)
  const now = run.clock().getTime()
  await write(run, revision, {
    insert: fresh.filter((fact) => fact !== whole).map((fact) => semanticMemory(memory, fact, memoryId(), now)),
    update: whole === undefined ? [] : [{ id: memory.id, patch: asFact(memory, whole), event: 'UPDATE' }],
  })
  run.counts.promoted += fresh.length
}

async function isKnown(run: Run, fact: SemanticFact, projectRoot: string | null): Promise<boolean> {
  const { memories } = run
  const bound = projectRoot === null ? {} : { projectRoot }
  const filter = { memoryType: 'semantic', includePast: true, includeBuried: true, ...bound } as const
  if (fact.key !== null) {
    const page = { limit: COMPARED, offset: 0, filter: { ...filter, key: fact.key } }
    const { items } = await memories.list(run.userId, page)
    // Whether a new value takes the place of an old one is decided where facts are stated, not here.
    const single = slotNamed(fact.key)?.single ?? fact.key !== MANY_VALUED
    if (items.some(({ value }) => single || folded(value) === folded(fact.value))) return true
  }
  const terms = queryTerms(fact.text).slice(0, ASKED_TERMS)
  for (let first = 0; first < terms.length; first += TERMS_AT_ONCE) {
    if (first > 0) await giveWay(run.userId, run.signal)
    const asked = terms.slice(first, first + TERMS_AT_ONCE)
    const { matches } = await matchMemories(memories, run.userId, asked, filter, COMPARED)
    if (matches.some(({ memory }) => sameFact(memory.text, fact.text))) return true
  }
  return false
}

function folded(value: unknown): string {
  return String(value).trim().toLowerCase()
}

function sameFact(a: string, b: string): boolean {
  return lexicalSimilarity(a, b) >= SAME_FACT || a.includes(b)
}

function semanticMemory(episode: Memory, fact: SemanticFact, id: string, now: number): Memory {
  const { conversationId, who, occurredAt, source, validFrom, suspect, sourceTurnIds, projectRoot } = episode
  return freshMemory({
    ...{ id, text: fact.text, conversationId, who, occurredAt, createdAt: now, source, validFrom, suspect },
    ...{ sourceTurnIds, projectRoot },
    ...asFact({ ...episode, metadata: null }, fact),
  })
}

/** The fields by which an episode's memory is a fact. */
function asFact({ confidence, importance, metadata }: Memory, fact: SemanticFact) {
  return {
    ...({ memoryType: 'semantic', category: fact.category, key: fact.key, value: fact.value } as const),
    confidence: Math.min(fact.confidence, confidence),
    importance: Math.max(IMPORTANCE, importance),
    metadata: { ...metadata, ...fact.metadata, ground: fact.ground, source_ids: fact.sourceIds },
  }
}

/** Consolidates one user, or every user with something new, by the models that there are. */
export async function consolidateStore(
  { store, options: { clock, logger }, models: { llm, embedder }, thinking }: Core,
  options: ConsolidateOptions = {},
): Promise<ConsolidationCounts> {
  if (options.userId !== undefined) check.id('userId', options.userId)
  const dependencies = {
    memories: store.memories,
    clock,
    logger,
    // Vectors are compared exactly and here, so that the thresholds hold and no outage of a vector store stops it.
    vectors: embedder === null ? null : (store.mirror?.record ?? store.vectors),
    llm,
  }
  const counts = await consolidate(dependencies, options)
  const isChanged = counts.merged + counts.separated + counts.promoted > 0
  if (isChanged) await (options.userId === undefined ? thinking.embedMissing() : thinking.embedSoon(options.userId))
  return counts
}
