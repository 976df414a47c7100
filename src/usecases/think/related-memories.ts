/** Which memories are related to a new statement, and does it end them, or cast doubt on them? */
import { MINUTE_MS } from '../../domain/clock.ts'
import type { MemoryFilter, MemoryStore } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { type MatchedMemories, matchMemories } from '../../search/match-memories.ts'
import { isBareValue } from '../../thinking/change/judge.ts'
import { speaksOn } from '../../thinking/change/meant.ts'
import { isPerson } from '../../thinking/change/profile.ts'
import { relate, relateAll } from '../../thinking/change/relate.ts'
import { relatedQuery } from '../../thinking/change/related-query.ts'
import type { Related, Statement } from '../../thinking/change/statement.ts'
import { changedAsWhole } from '../../thinking/change/whole-change.ts'
import { happenedOnce } from '../../thinking/facts/happened.ts'
import { stanceOf } from '../../thinking/facts/stance.ts'
import { topicsOf } from '../../thinking/facts/topics.ts'
import { memorySearchTerms } from '../memories/candidates.ts'
import { compileFilter } from '../memories/filter.ts'
import type { Draft } from './draft.ts'

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

const MOST_CANDIDATES = 20
const MOST_OF_A_KEY = 20
const MOST_OF_LATE = 5
/** Memories looked through where only some of them are compared. */
const MOST_LOOKED_THROUGH = 400

/** The memories that may speak of the same: by the keys of its facts and by its words. */
export async function candidates(
  memories: MemoryReads,
  userId: string,
  statement: Statement,
  { facts, memory, among }: Draft,
): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>()
  const compiled = compileFilter(among)
  const { accepts } = compiled
  const { projectRoot } = memory
  const stored = projectRoot === null ? compiled.stored : { ...compiled.stored, projectRoot }
  const passes = (memory: Memory): boolean => accepts === null || accepts(memory)
  const looked = (most: number): number => (accepts === null ? most : MOST_LOOKED_THROUGH)
  const findLast = async (filter: MemoryFilter, most: number): Promise<void> => {
    const page = { limit: looked(most), offset: 0, filter: { ...stored, ...filter } }
    const { items } = await memories.list(userId, page)
    for (const item of items.filter(passes).slice(0, most)) found.set(item.id, item)
  }
  const keys = new Set(facts.map(({ key }) => key))
  if (memory.key !== null) keys.add(memory.key)
  if (changedAsWhole(statement.text).has('job')) keys.add('job')
  for (const key of keys) await findLast({ key }, MOST_OF_A_KEY)
  // "Not 60, I checked" names nothing: it is about the last statement.
  if (stanceOf(statement.text).corrects || speaksOn(statement.text) || isBareValue(statement.text))
    await findLast({}, MOST_OF_LATE)
  const terms = memorySearchTerms(relatedQuery(statement).join(', '), null)
  if (terms.length > 0) {
    const { matches } = await memories.find(userId, terms, stored, looked(MOST_CANDIDATES))
    const passing = matches.map(({ memory: one }) => one).filter(passes)
    for (const one of passing.slice(0, MOST_CANDIDATES)) found.set(one.id, one)
  }
  return [...found.values()].slice(0, MOST_CANDIDATES + MOST_OF_A_KEY)
}

/** A memory and how it stands to a draft. */
export interface Judged extends Related {
  readonly memory: Memory
  /** The draft was said after the other. */
  readonly newer: boolean
}

/** The draft's effect on memories said before it, and the effect of later ones on the draft. */
export function judge(draft: Omit<Memory, 'id'>, statement: Statement, known: readonly Memory[]): readonly Judged[] {
  const siblings = known.filter((memory) => isSibling(memory, draft))
  const before = known.filter((memory) => memory.createdAt <= draft.createdAt && !siblings.includes(memory))
  const after = known.filter(({ createdAt }) => createdAt > draft.createdAt)
  const related = relateAll(statement, before.map(statementOf))
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

/** A memory in the words of the step `change`. */
export function statementOf({ text, who, createdAt, key, value, tags, conversationId }: Memory): Statement {
  return { text, who, occurredAt: createdAt, key, value, topics: tags, heard: conversationId !== null }
}

/** The effects; with `sameMatter` the draft may give the present value. */
export type Effect =
  | { readonly kind: 'end' }
  | { readonly kind: 'doubt'; readonly reason: string; readonly sameMatter: boolean }
  | { readonly kind: 'leave' }

/** Relations that end the older memory. */
export const ENDING: ReadonlySet<Related['relation']> = new Set(['supersedes', 'corrects', 'ends'])

const LEAVE: Effect = { kind: 'leave' }

/** The effect of the draft, which was said later, on the memory. */
export function effectOn(
  other: Memory,
  draft: Draft,
  {
    relation,
    reason,
    sameMatter = false,
    ofValue = false,
  }: Pick<Related, 'relation' | 'reason' | 'sameMatter' | 'ofValue'>,
): Effect {
  // The continuation of an episode just told in the chat is added to it (002 R4), by a job of its own.
  if (ENDING.has(relation) && isStoryAtHand(other, draft)) return LEAVE
  if (!ENDING.has(relation))
    return relation === 'doubts' && other.suspect === null ? { kind: 'doubt', reason, sameMatter } : LEAVE
  const touched = subjectsOf(draft)
  if (relation === 'corrects')
    return saysMore(other, touched) ? { kind: 'doubt', reason, sameMatter: true } : { kind: 'end' }
  // Later news of an event does not undo it.
  if (relation === 'supersedes' && !ofValue && isEvent(other) && !stanceOf(draft.memory.text).replaces) return LEAVE
  const allowed = mayEnd(other, draft, relation === 'ends')
  if (allowed === 'leave') return LEAVE
  // Likeness alone ends nothing: only a statement on the same subject does.
  if (!sharesSubject(other, touched)) return { kind: 'doubt', reason, sameMatter: true }
  if (allowed === 'doubt') return { kind: 'doubt', reason, sameMatter: true }
  if (saysMore(other, touched))
    return { kind: 'doubt', reason: `${reason}; the rest of it may still hold`, sameMatter: true }
  return { kind: 'end' }
}

/** The subjects that a draft speaks of. */
export function subjectsOf({ memory, facts }: Draft): ReadonlySet<string> {
  return new Set([...(memory.key === null ? [] : [memory.key]), ...memory.tags, ...facts.map(({ key }) => key)])
}

/** A context is built around the time of the message that it serves. */
const AT_HAND_MS = 10 * MINUTE_MS

/** An episode, not a fact with a name, that was put into a context about when the draft was said. */
function isStoryAtHand({ memoryType, key, lastAccessed }: Memory, { memory }: Draft): boolean {
  if (memoryType !== 'episodic' || key !== null || lastAccessed === null) return false
  return Math.abs(lastAccessed - memory.createdAt) <= AT_HAND_MS
}

function sharesSubject({ key, tags }: Memory, touched: ReadonlySet<string>): boolean {
  return (key !== null && touched.has(key)) || tags.some((tag) => touched.has(tag))
}

/** Whether it is a single event without an attribute that could have another value by now. */
function isEvent({ memoryType, key, text }: Memory): boolean {
  return memoryType === 'episodic' && key === null && happenedOnce(text)
}

/** Whether a memory says something else in the same breath: it stays, since ending it would lose that. */
function saysMore(other: Memory, touched: ReadonlySet<string>): boolean {
  // The words of the value that changed say nothing beside it: "Java 11" is no version of its own.
  const value = other.key !== null && touched.has(other.key) ? String(other.value ?? '') : ''
  const rest = value === '' ? other.text : other.text.replace(value, ' ')
  return [...topicsOf(rest)].some(([name, weight]) => weight >= 1 && !touched.has(name) && !isPerson(name))
}

/** Attributes of a person that one sentence in passing must not end. */
const OF_A_PERSON: ReadonlySet<string> = new Set(
  'home hometown employer job name age birthday school major partner boss doctor dentist landlord teacher'.split(' '),
)
/** The attributes with a name as value: "on holiday" takes the place of no boss. */
const NAMED: ReadonlySet<string> = new Set(
  [...OF_A_PERSON].filter((key) => !['job', 'age', 'birthday', 'major'].includes(key)),
)

/** Whether the statement may end the memory, only doubt it, or neither. `isOver`: it gives no new value. */
function mayEnd(other: Memory, { memory, facts }: Draft, isOver: boolean): 'end' | 'doubt' | 'leave' {
  const keys = new Set(
    [...(other.key === null ? [] : [other.key]), ...other.tags].filter((key) => OF_A_PERSON.has(key)),
  )
  if (keys.size === 0) return 'end'
  const mine = facts.filter(({ key }) => keys.has(key))
  const given = mine.find(({ standing }) => standing === 'holds' || standing === 'corrects')
  const before = String(other.value ?? '')
  if (given !== undefined) {
    // Small Latin words only are a description, not a name.
    const isNoName = /^\p{Lu}/u.test(before) && !/\p{Lu}|\p{Script=Han}/u.test(given.value)
    return isNoName && NAMED.has(given.key) && given.key === other.key ? 'leave' : 'end'
  }
  const denied = mine.find(({ key, standing }) => standing === 'ended' && key === other.key)
  // "I do not live in Munich" does not end a home in Berlin.
  if (denied !== undefined) return fold(denied.value) === fold(before) ? 'end' : 'leave'
  if (isOver) return 'end'
  // The replaced attribute is none of a person: my work phone number, beside facts of the work.
  const replaced = facts.some(({ key, standing }) => key === other.key && standing !== 'held' && standing !== 'ended')
  if (replaced && other.key !== null && !OF_A_PERSON.has(other.key)) return 'end'
  const changed = changedAsWhole(memory.text)
  if ([...keys].some((key) => changed.has(key))) return 'end'
  return 'doubt'
}

function fold(value: string): string {
  return value.toLowerCase().replace(/[\s.'’-]+/gu, '')
}
