/**
 * Which memories took the place of those that match? A question in the words of a past state, or of one in doubt, is
 * answered by what holds instead.
 */
import type { MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import type { Predecessors } from '../search/memory-documents.ts'
import { tellsOfChange } from '../thinking/facts/stance.ts'
import { slotNamed } from '../thinking/facts/topics.ts'
import type { CandidatesWithPast } from './memories/candidates.ts'
import type { CompiledFilter } from './memories/filter.ts'
import { CHANGED_BY } from './think/plan-changes.ts'

/** A chain of changes is followed this far. */
const MOST_STEPS = 8

/** Matches, and which memories they speak for beside themselves. */
interface SucceededMatches {
  readonly matches: MemoryMatches
  readonly predecessors: Predecessors
}

/**
 * The matches, with successors of past or doubtful ones among them and among the best of all (`past`). Input `subjects`
 * names the asked attributes.
 */
export async function withSuccessors(
  memories: Pick<MemoryStore, 'get' | 'getMany'>,
  userId: string,
  { stored, accepts }: CompiledFilter,
  { found, past }: CandidatesWithPast,
  subjects: readonly string[],
): Promise<SucceededMatches> {
  const predecessors = new Map<string, readonly Memory[]>()
  const heirs = new Map<string, MemoryMatch>()
  const inherit = (heir: Memory, match: MemoryMatch, before: readonly Memory[]): void => {
    predecessors.set(heir.id, [...(predecessors.get(heir.id) ?? []), ...before])
    heirs.set(heir.id, joined({ ...match, ...heirs.get(heir.id), memory: heir }, match))
  }
  for (const match of [...past, ...found.matches]) {
    const next = heirOf(match.memory)
    const last = next === null ? null : await lastOf(memories, userId, next)
    if (last !== null) inherit(last, match, [match.memory])
  }
  if (heirs.size === 0) return { matches: found, predecessors }
  const allowed = (await memories.getMany(userId, [...heirs.keys()], stored)).filter(
    (memory) => accepts === null || accepts(memory),
  )
  for (const { id } of allowed) {
    const heir = heirs.get(id)!
    const later = laterNews(heir, found.matches, subjects)
    if (later !== null) inherit(later.memory, heir, [heir.memory, ...predecessors.get(id)!])
  }
  const matches = new Map(found.matches.map((match) => [match.memory.id, match]))
  for (const { id } of [...allowed, ...found.matches.map(({ memory }) => memory)]) {
    const heir = heirs.get(id)
    if (heir !== undefined) matches.set(id, joined(matches.get(id) ?? heir, heir))
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
async function lastOf(memories: Pick<MemoryStore, 'get'>, userId: string, id: string): Promise<Memory | null> {
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

/** Characters of a memory that are read for a change. */
const MOST_READ = 4000
// The findings about memories that the store keeps from one search to the next; nobody changes them.
const news = new WeakMap<Memory, boolean>()

/** Whether a memory tells of a change: something began, ended or was put right. */
function isNews(memory: Memory): boolean {
  let isSo = news.get(memory)
  if (isSo === undefined) {
    isSo = tellsOfChange(memory.text.slice(0, MOST_READ))
    news.set(memory, isSo)
  }
  return isSo
}
