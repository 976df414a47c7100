/**
 * What do new memories do to those that are there? Each draft is compared with the few that speak of the same: said
 * before in other words it is not stored again; a new value supersedes the old one; what rested on the old one falls
 * into doubt. The plan is made from one state of the memories and holds for that state only.
 */
import { relate, relateAll } from '../../cognition/change/relate.ts'
import { relatedQuery } from '../../cognition/change/related-query.ts'
import type { Related, Statement } from '../../cognition/change/statement.ts'
import { stanceOf } from '../../cognition/facts/stance.ts'
import type { MemoryChange, MemoryPatch, MemoryStore } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { memorySearchTerms } from '../memories-terms.ts'
import { ENDING, effectOn, subjectsOf } from './effect.ts'
import type { Draft } from './thoughts.ts'

/** What became of one draft. */
export interface Outcome {
  /** The memory that now says it: the new one, or the one that said it before. */
  readonly memory: Memory
  readonly event: 'ADD' | 'SUPERSEDE' | 'UPDATE' | 'NONE'
  /** Ids of the memories whose place it took. */
  readonly superseded: readonly string[]
  /** Ids of the memories that it made doubtful. */
  readonly doubted: readonly string[]
}

/** Memories to insert and to change, and what became of each draft, in order. */
export interface Plan {
  readonly insert: readonly Memory[]
  readonly update: readonly MemoryChange[]
  readonly outcomes: readonly Outcome[]
}

/** Field of a memory's metadata: id of the memory that cast doubt on it. */
export const DOUBTED_BY = 'doubted_by'
/** Memories compared with one draft at most. */
const MOST_CANDIDATES = 40
const MOST_OF_A_KEY = 20
const MOST_OF_LATE = 5
const MOST_TAGS = 12
/** Conversations in which a caller may use the same id of its own. */
const MOST_OF_A_NAME = 1000
/** Makes the plan; writes nothing. `newId` gives a new id. */
export async function planChanges(
  memories: Pick<MemoryStore, 'match' | 'list'>,
  userId: string,
  drafts: readonly Draft[],
  newId: () => string,
): Promise<Plan> {
  const planned = new Map<string, Memory>()
  const inserted: string[] = []
  const patches = new Map<string, MemoryChange>()
  const outcomes: Outcome[] = []
  /** A memory as it will be after what is planned so far. */
  const current = (memory: Memory): Memory => ({ ...memory, ...patches.get(memory.id)?.patch })
  const change = (memory: Memory, patch: MemoryPatch, event: MemoryChange['event']): void => {
    if (planned.has(memory.id)) planned.set(memory.id, { ...planned.get(memory.id)!, ...patch })
    else patches.set(memory.id, { id: memory.id, patch: { ...patches.get(memory.id)?.patch, ...patch }, event })
  }
  for (const draft of drafts) {
    const stored = await storedBefore(memories, userId, draft)
    if (stored !== null) {
      outcomes.push({ memory: stored, event: 'NONE', superseded: [], doubted: [] })
      continue
    }
    const statement = statementOf({ ...draft.memory, id: '' })
    const others = (await candidates(memories, userId, statement, draft))
      .filter(({ id }) => !planned.has(id))
      .map(current)
    const known = [...planned.values(), ...others].filter(({ validTo }) => validTo === null)
    const judged = judge(draft.memory, statement, known)

    const twin = judged.filter(({ relation }) => relation === 'same').sort((a, b) => b.strength - a.strength)[0]
    if (twin !== undefined) {
      outcomes.push(repeated(twin.memory, draft, change))
      continue
    }
    const id = newId()
    const superseded: string[] = []
    const doubted: string[] = []
    let memory: Memory = { ...draft.memory, id }
    for (const { memory: other, relation, reason, newer } of judged) {
      if (!newer) {
        // What was told first is processed last: it comes into the world as the past.
        if (ENDING.has(relation)) memory = { ...memory, validTo: startOf(other), supersededBy: other.id }
        else if (relation === 'doubts') memory = { ...memory, suspect: { reason, since: startOf(other) } }
        continue
      }
      const effect = effectOn(other, draft, { relation, reason })
      if (effect.kind === 'end') {
        change(other, { validTo: endOf(other, draft.memory), supersededBy: id }, 'SUPERSEDE')
        superseded.push(other.id)
        // "The new one arrived" is found by what the old one was called.
        const taken = other.tags.filter((tag) => !effect.rests.some(({ tags }) => tags.includes(tag)))
        memory = { ...memory, tags: [...new Set([...memory.tags, ...taken])].slice(0, MOST_TAGS) }
        for (const rest of effect.rests) {
          const restId = newId()
          planned.set(restId, { ...rest, id: restId })
          inserted.push(restId)
        }
      } else if (effect.kind === 'doubt') {
        const metadata = { ...other.metadata, [DOUBTED_BY]: id }
        change(other, { suspect: { reason: effect.reason, since: startOf(draft.memory) }, metadata }, 'UPDATE')
        doubted.push(other.id)
      }
    }
    memory = asPast(memory, draft, known)
    planned.set(id, memory)
    inserted.push(id)
    outcomes.push({ memory, event: superseded.length > 0 ? 'SUPERSEDE' : 'ADD', superseded, doubted })
  }
  return {
    insert: inserted.map((id) => planned.get(id)!),
    update: [...patches.values()],
    outcomes: outcomes.map((outcome) => ({ ...outcome, memory: planned.get(outcome.memory.id) ?? outcome.memory })),
  }
}

/** The memory that the caller's own id names already. */
async function storedBefore(
  memories: Pick<MemoryStore, 'list'>,
  userId: string,
  { memory: { externalId, conversationId } }: Draft,
): Promise<Memory | null> {
  if (externalId === null) return null
  const filter = { externalId, includePast: true }
  const { items } = await memories.list(userId, { limit: MOST_OF_A_NAME, offset: 0, filter })
  return items.find((item) => item.conversationId === conversationId) ?? null
}

/** The memories that may speak of the same: by the keys of its facts and by its words. */
async function candidates(
  memories: Pick<MemoryStore, 'match' | 'list'>,
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
  if (stanceOf(statement.text).corrects) {
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

interface Judged extends Related {
  readonly memory: Memory
  /** The draft was said after the other. */
  readonly newer: boolean
}

/** What the draft does to those that were said before it, and what those that were said after it do to the draft. */
function judge(draft: Omit<Memory, 'id'>, statement: Statement, known: readonly Memory[]): readonly Judged[] {
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

/** Said before: nothing new, but an order to remember makes the old one more important. */
function repeated(
  twin: Memory,
  { memory }: Draft,
  change: (memory: Memory, patch: MemoryPatch, event: MemoryChange['event']) => void,
): Outcome {
  const patch: MemoryPatch = {
    ...(memory.importance > twin.importance ? { importance: memory.importance } : {}),
    ...(memory.confidence > twin.confidence ? { confidence: memory.confidence } : {}),
    // Said again, it is no longer in doubt.
    ...(twin.suspect === null ? {} : { suspect: null }),
  }
  const changed = Object.keys(patch).length > 0
  if (changed) change(twin, patch, 'UPDATE')
  return { memory: { ...twin, ...patch }, event: changed ? 'UPDATE' : 'NONE', superseded: [], doubted: [] }
}

/** What was over when it was told ("I used to …") steps behind the fact that holds now. */
function asPast(memory: Memory, { facts }: Draft, known: readonly Memory[]): Memory {
  const { past, corrects } = stanceOf(memory.text)
  if (memory.validTo !== null || !past || corrects) return memory
  const subjects = subjectsOf({ memory, facts })
  const present = known.find(
    ({ key, tags, who, text }) =>
      who === memory.who && !stanceOf(text).past && [key ?? '', ...tags].some((subject) => subjects.has(subject)),
  )
  return present === undefined ? memory : { ...memory, validTo: startOf(present), supersededBy: present.id }
}

/** When a memory began to hold: when what it tells happened, but not after it was told. */
function startOf({ validFrom }: Pick<Memory, 'validFrom'>): number {
  return validFrom
}

/** The old one holds until the new one begins, and never ends before it began. */
function endOf(older: Memory, newer: Omit<Memory, 'id'>): number {
  return Math.max(older.validFrom, startOf(newer))
}
