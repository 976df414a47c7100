/** Which memories speak of the same as a draft, and how do they stand to it? Found by keys and words, judged by their words. */

import { speaksOn } from '../../cognition/change/meant.ts'
import { relate, relateAll } from '../../cognition/change/relate.ts'
import { relatedQuery } from '../../cognition/change/related-query.ts'
import type { Related, Statement } from '../../cognition/change/statement.ts'
import { stanceOf } from '../../cognition/facts/stance.ts'
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { memorySearchTerms } from '../memories-terms.ts'
import type { Draft } from './thoughts.ts'

/** What of the store a plan is made from. */
export type MemoryReads = Pick<MemoryStore, 'match' | 'list'>

/** Memories compared with one draft at most. */
const MOST_CANDIDATES = 40
const MOST_OF_A_KEY = 20
const MOST_OF_LATE = 5

/** The memories that may speak of the same: by the keys of its facts and by its words. */
export async function candidates(
  memories: MemoryReads,
  userId: string,
  statement: Statement,
  { facts, memory }: Draft,
): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>()
  const keys = new Set(facts.map(({ key }) => key))
  if (memory.key !== null) keys.add(memory.key)
  for (const key of keys) {
    const { items } = await memories.list(userId, { limit: MOST_OF_A_KEY, offset: 0, filter: { key } })
    for (const item of items) found.set(item.id, item)
  }
  // "Not 60, I checked" names nothing: it speaks of what was said last.
  if (stanceOf(statement.text).corrects || speaksOn(statement.text)) {
    const { items } = await memories.list(userId, { limit: MOST_OF_LATE, offset: 0, filter: {} })
    for (const item of items) found.set(item.id, item)
  }
  const terms = memorySearchTerms(relatedQuery(statement).join(' '), null)
  if (terms.length > 0) {
    const { matches } = await memories.match(userId, terms, {}, MOST_CANDIDATES)
    for (const match of matches) found.set(match.memory.id, match.memory)
  }
  return [...found.values()].slice(0, MOST_CANDIDATES + MOST_OF_A_KEY)
}

/** A memory and how it stands to a draft. */
export interface Judged extends Related {
  readonly memory: Memory
  /** The draft was said after the other. */
  readonly newer: boolean
}

/** What the draft does to those that were said before it, and what those that were said after it do to the draft. */
export function judge(draft: Omit<Memory, 'id'>, statement: Statement, known: readonly Memory[]): readonly Judged[] {
  const before = known.filter(({ createdAt }) => createdAt <= draft.createdAt)
  const after = known.filter(({ createdAt }) => createdAt > draft.createdAt)
  const related = relateAll(statement, before.map(statementOf))
  return [
    ...before.map((memory, index) => ({ ...related[index]!, memory, newer: true })),
    ...after.map((memory) => ({ ...relate(statementOf(memory), statement), memory, newer: false })),
  ]
}

/** A memory in the words of the step `change`. */
export function statementOf({ text, who, createdAt, key, value, tags }: Memory): Statement {
  return { text, who, occurredAt: createdAt, key, value, topics: tags }
}
