/** Which memories speak of the same as a draft, and how do they stand to it? Found by keys and words, judged by their words. */
import { DAY_MS } from '../../domain/clock.ts'
import type { MemoryFilter, MemoryStore } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { type MatchedMemories, matchMemories } from '../../search/match-memories.ts'
import { isReplyWish } from '../../thinking/change/corrections-and-orders.ts'
import { relatedQuery } from '../../thinking/change/dependents.ts'
import { changedAsWhole } from '../../thinking/change/ended-values.ts'
import { relate, relateAll } from '../../thinking/change/relate.ts'
import type { Related, Statement } from '../../thinking/change/statement-reading.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { compileFilter } from '../matching/filter.ts'
import type { Draft, News } from './draft.ts'

/** The reads of the store that a plan needs. */
export interface MemoryReads {
  readonly list: MemoryStore['list']
  readonly get: MemoryStore['get']
  /** As `matchMemories` of the store. */
  readonly find: MemoryStore['match']
}

/** The reads of a whole store. */
export function readsOf(memories: MatchedMemories & Pick<MemoryStore, 'list' | 'get'>): MemoryReads {
  return { list: memories.list, get: memories.get, find: (...asked) => matchMemories(memories, ...asked) }
}

/** The reads as they are once these are gone, and these have changed. */
export function asChanged(
  memories: MemoryReads,
  gone: Pick<ReadonlySet<string>, 'has'>,
  changed: readonly Memory[] = [],
): MemoryReads {
  const byId = new Map(changed.map((memory) => [memory.id, memory]))
  const seen = (found: readonly Memory[], isMeant: (memory: Memory) => boolean): readonly Memory[] => {
    const known = new Map(found.map((memory) => [memory.id, byId.get(memory.id) ?? memory]))
    for (const memory of changed) if (memory.validTo === null && isMeant(memory)) known.set(memory.id, memory)
    return [...known.values()].filter(({ id }) => !gone.has(id))
  }
  return {
    get: async (userId, id) => (gone.has(id) ? null : (byId.get(id) ?? memories.get(userId, id))),
    list: async (userId, page) => {
      const { items, total } = await memories.list(userId, page)
      return { total, items: seen(items, ({ key }) => key !== null && key === page.filter?.key) }
    },
    find: async (...asked) => {
      const { matches, method } = await memories.find(...asked)
      const found = new Map(matches.map((match) => [match.memory.id, match]))
      const all = seen(
        [...found.values()].map(({ memory }) => memory),
        () => true,
      )
      return { method, matches: all.map((memory) => ({ bm25: 0, matchedTerms: [], ...found.get(memory.id), memory })) }
    },
  }
}

/** The most memories compared for their words; a draft of no chat that tells of no change can hardly but repeat one. */
const [MOST_CANDIDATES, LIKELIEST_CANDIDATES] = [20, 6]
const MOST_OF_A_KEY = 20
const MOST_OF_LATE = 5
/** Memories looked through where only some of them are compared. */
const MOST_LOOKED_THROUGH = 400

/** The memories that may speak of the same: by the keys of its facts and by its words. */
export async function candidates(
  memories: MemoryReads,
  userId: string,
  statement: Statement,
  draft: Draft | News,
): Promise<readonly Memory[]> {
  const { facts, memory, among } = draft
  const found = new Map<string, Memory>()
  const compiled = compileFilter(among)
  const { accepts } = compiled
  const { projectRoot } = memory
  const isOrder = 'kind' in draft && draft.kind === 'forget'
  const stored: MemoryFilter = {
    ...compiled.stored,
    ...(projectRoot === null ? {} : { projectRoot }),
    ...(isOrder ? { includePast: true } : {}),
  }
  const passes = (memory: Memory): boolean => accepts === null || accepts(memory)
  const looked = (most: number): number => (accepts === null ? most : MOST_LOOKED_THROUGH)
  const findLast = async (filter: MemoryFilter, most: number): Promise<void> => {
    const page = { limit: looked(most), offset: 0, filter: { ...stored, ...filter } }
    const { items } = await memories.list(userId, page)
    for (const item of items.filter(passes).slice(0, most)) found.set(item.id, item)
  }
  if (isOrder && draft.turnId !== undefined && memory.conversationId !== null)
    await findLast({ conversationId: memory.conversationId }, MOST_LOOKED_THROUGH)
  const keys = new Set(facts.map(({ key }) => key))
  if (memory.key !== null) keys.add(memory.key)
  if (changedAsWhole(statement.text).has('job')) keys.add('job').add('employer')
  for (const key of keys) await findLast({ key }, MOST_OF_A_KEY)
  // "Not 60, I checked" names nothing: it is about the last statement.
  const { begins, replaces, ends, corrects, unreal } = stanceOf(statement.text)
  if (corrects) await findLast({}, MOST_OF_LATE)
  if (isReplyWish(statement.text)) await findLast({ category: 'preference' }, MOST_OF_A_KEY)
  const terms = relatedQuery(statement)
  if (terms.length > 0) {
    const tellsChange = !unreal && (begins || replaces || ends || corrects)
    const repeatsAtMost = statement.heard !== true && !tellsChange && !('kind' in draft)
    const most = repeatsAtMost ? LIKELIEST_CANDIDATES : MOST_CANDIDATES
    const { matches } = await memories.find(userId, terms, stored, looked(most))
    const passing = matches.map(({ memory: one }) => one).filter(passes)
    for (const one of passing.slice(0, most)) found.set(one.id, one)
  }
  return isOrder ? [...found.values()] : [...found.values()].slice(0, MOST_CANDIDATES + MOST_OF_A_KEY)
}

/** A memory and how it stands to a draft. */
export interface RelatedMemory extends Related {
  readonly memory: Memory
  /** The draft was said after the other. */
  readonly newer: boolean
}

/** The draft's effect on memories said before it, and the effect of later ones on the draft. */
export function relationsOf(
  draft: Omit<Memory, 'id'>,
  statement: Statement,
  known: readonly Memory[],
): readonly RelatedMemory[] {
  const siblings = known.filter((memory) => isSibling(memory, draft))
  const before = known.filter((memory) => isToldBefore(memory, draft) && !siblings.includes(memory))
  const after = known.filter((memory) => !isToldBefore(memory, draft))
  const last = Math.max(...before.map(({ createdAt }) => createdAt))
  const related = relateAll(
    statement,
    before.map((memory) => ({ ...statementOf(memory), justBefore: isJustBefore(memory, draft, last) })),
  )
  return [
    // Other statements of one message may repeat it, but nothing has changed between them.
    ...siblings
      .map((memory) => ({ ...relate(statement, statementOf(memory)), memory, newer: true }))
      .filter(({ relation }) => relation === 'same'),
    ...before.map((memory, index) => ({ ...related[index]!, memory, newer: true })),
    ...after.map((memory) => ({ ...relate(statementOf(memory), statement), memory, newer: false })),
  ]
}

/** Both were said in one message, and the other in no message before. */
function isSibling(memory: Memory, { conversationId, sourceTurnIds }: Omit<Memory, 'id'>): boolean {
  if (memory.conversationId === null || memory.conversationId !== conversationId) return false
  return memory.sourceTurnIds.length > 0 && memory.sourceTurnIds.every((turn) => sourceTurnIds.includes(turn))
}

/** The time in which people correct their own words. */
const STILL_IN_MIND_MS = 10 * DAY_MS

/** A message, its answer, and the next message of one conversation; outside of chats the last thing told. */
function isJustBefore(memory: Memory, draft: Omit<Memory, 'id'>, last: number): boolean {
  const { conversationId, sourceTurnIds, createdAt } = memory
  if (draft.conversationId === null)
    return conversationId === null && createdAt === last && draft.createdAt - createdAt <= STILL_IN_MIND_MS
  const apart = (draft.sourceTurnIds[0] ?? Number.NaN) - (sourceTurnIds.at(-1) ?? Number.NaN)
  return conversationId === draft.conversationId && apart > 0 && apart <= 2
}

/** Turns of one conversation are in order whatever the clock showed; everything else was told when it says. */
function isToldBefore(memory: Memory, draft: Omit<Memory, 'id'>): boolean {
  const isOneChat = memory.conversationId !== null && memory.conversationId === draft.conversationId
  const apart = (a: readonly number[], b: readonly number[]): boolean => isOneChat && (a.at(-1) ?? 0) < (b[0] ?? 0)
  if (apart(memory.sourceTurnIds, draft.sourceTurnIds)) return true
  return memory.createdAt <= draft.createdAt && !apart(draft.sourceTurnIds, memory.sourceTurnIds)
}

/** A memory in the words of the step `change`. */
export function statementOf({ text, who, createdAt, key, conversationId }: Memory): Statement {
  return { text, who, occurredAt: createdAt, key, heard: conversationId !== null }
}
