/**
 * A question in the words of a past state is answered with its successor. A memory also answers by the words of those
 * that it superseded, or threw into doubt by speaking of the same.
 */

import type { MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import { slotNamed } from '../thinking/facts/topics.ts'
import type { CompiledFilter } from './memories-filter.ts'
import type { CandidatesWithPast } from './memory-candidates.ts'
import { CHANGED_BY } from './think/plan-changes.ts'

/** Past memories that are looked at. */
export const MOST_PAST = 12
/** A chain of changes is followed this far. */
const MOST_STEPS = 8

/** Matches, and which memories they speak for beside themselves, by id. */
export interface SucceededMatches {
  readonly matches: MemoryMatches
  readonly predecessors: ReadonlyMap<string, readonly Memory[]>
}

/**
 * The matches, with successors of past or doubtful ones among them and among the best of all (`past`). Input `subjects`
 * names the asked attributes, and `isNews` says whether a memory tells of a change.
 */
export async function withSuccessors(
  memories: MemoryStore,
  userId: string,
  { stored, accepts }: CompiledFilter,
  { found, past }: CandidatesWithPast,
  subjects: readonly string[],
  isNews: (memory: Memory) => boolean,
): Promise<SucceededMatches> {
  const predecessors = new Map<string, readonly Memory[]>()
  const heirs = new Map<string, MemoryMatch>()
  for (const match of [...past, ...found.matches]) {
    const heir = heirOf(match.memory)
    if (heir === null) continue
    const last = await lastOf(memories, userId, heir)
    const before = last === null ? undefined : heirs.get(last.id)
    if (last !== null) predecessors.set(last.id, [...(predecessors.get(last.id) ?? []), match.memory])
    if (last !== null) heirs.set(last.id, before === undefined ? { ...match, memory: last } : joined(before, match))
  }
  if (heirs.size === 0) return { matches: found, predecessors }
  const allowed = (await memories.getMany(userId, [...heirs.keys()], stored)).filter(
    (memory) => accepts === null || accepts(memory),
  )
  const matches = new Map(found.matches.map((match) => [match.memory.id, match]))
  for (const { id } of allowed) {
    const own = matches.get(id)
    const inherited = heirs.get(id)!
    const heir = own === undefined ? inherited : joined(own, inherited)
    matches.set(id, heir)
    const later = laterNews(heir, found.matches, subjects, isNews)
    if (later !== null) matches.set(later.memory.id, joined(matches.get(later.memory.id) ?? later, heir))
  }
  return { matches: { ...found, matches: [...matches.values()] }, predecessors }
}

/**
 * The last news after the heir's of an asked attribute with one value, or null. It answers by the heir's words, too
 * ("Sold the car", "picked up the new one").
 */
function laterNews(
  { memory: { key, tags, createdAt, who } }: MemoryMatch,
  matches: readonly MemoryMatch[],
  subjects: readonly string[],
  isNews: (memory: Memory) => boolean,
): MemoryMatch | null {
  const asked = subjects.filter((name) => slotNamed(name)?.single === true && (name === key || tags.includes(name)))
  if (asked.length === 0) return null
  let last: MemoryMatch | null = null
  for (const match of matches) {
    const { memory } = match
    if (memory.createdAt <= (last?.memory.createdAt ?? createdAt) || memory.who !== who || memory.suspect !== null)
      continue
    if (asked.some((name) => name === memory.key || memory.tags.includes(name)) && isNews(memory)) last = match
  }
  return last
}

/** The id of the memory that may say what holds instead; null where there is none. */
function heirOf({ validTo, supersededBy, suspect, metadata }: Memory): string | null {
  if (validTo !== null) return supersededBy
  const changedBy = suspect === null ? undefined : metadata?.[CHANGED_BY]
  return typeof changedBy === 'string' ? changedBy : null
}

/** The end of the chain that begins with this id; null where it is gone or over. */
async function lastOf(memories: MemoryStore, userId: string, id: string): Promise<Memory | null> {
  let next: string | null = id
  for (let step = 0; next !== null && step < MOST_STEPS; step += 1) {
    const memory: Memory | null = await memories.get(userId, next)
    if (memory === null || (memory.validTo === null && heirOf(memory) === null)) return memory
    next = heirOf(memory)
  }
  return null
}

/** Matches of one memory, once by its own words and once by inherited ones. */
function joined(one: MemoryMatch, other: MemoryMatch): MemoryMatch {
  return {
    ...one,
    bm25: Math.max(one.bm25, other.bm25),
    matchedTerms: [...new Set([...one.matchedTerms, ...other.matchedTerms])].sort((a, b) => a - b),
  }
}
