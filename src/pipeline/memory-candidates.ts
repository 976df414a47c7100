/** Which memories does the store bring for these terms, before they are ranked? As many as are wanted, when the filter leaves so many. */
import type { MemoryFilter, MemoryMatch, MemoryMatches, MemoryStore } from '../contracts/memory-store.ts'
import { MEMORY_TYPES } from '../domain/memory.ts'
import type { CompiledFilter } from './memories-filter.ts'
import type { MemorySearchTerm } from './memories-terms.ts'

/** Each time too few pass the filter, so many times more are asked for. */
const WIDER = 4

/** The best matches, and the best among preferences when the message speaks of preferences (000). */
export async function findCandidates(
  memories: MemoryStore,
  userId: string,
  terms: readonly MemorySearchTerm[],
  filter: CompiledFilter,
  wanted: number,
  preference: boolean,
): Promise<MemoryMatches> {
  if (terms.length === 0) return { matches: [], method: 'fts' }
  const best = await matchAccepted(memories, userId, terms, filter, wanted)
  if (!preference || filter.stored.category !== undefined || best.matches.length < wanted) return best
  const stored: MemoryFilter = { ...filter.stored, category: 'preference' }
  const preferences = await matchAccepted(memories, userId, terms, { ...filter, stored }, wanted)
  const known = new Set(best.matches.map(({ memory }) => memory.id))
  return {
    matches: [...best.matches, ...preferences.matches.filter(({ memory }) => !known.has(memory.id))],
    method: best.method,
  }
}

/** Matches that hold, and the best of all, those among them that are over. */
export interface CandidatesWithPast {
  readonly found: MemoryMatches
  readonly past: readonly MemoryMatch[]
}

/** How the past is asked for. */
export interface PastAsked {
  /** How many of the best are given whether they hold or not. */
  readonly mostPast: number
  /** The store's time, in milliseconds since the epoch: it tells what is over. */
  readonly now: number
  /** Each type by itself (002 R3.2). */
  readonly eachType: boolean
}

/** The same, and beside them the best whether they hold or not; the store is asked once where all of the best hold. */
export async function findCandidatesAndPast(
  memories: MemoryStore,
  userId: string,
  terms: readonly MemorySearchTerm[],
  filter: CompiledFilter,
  wanted: number,
  preference: boolean,
  { mostPast, now, eachType }: PastAsked,
): Promise<CandidatesWithPast> {
  const find = eachType ? findCandidatesOfEachType : findCandidates
  const everything: CompiledFilter = { stored: { ...filter.stored, includePast: true }, accepts: null }
  const all = await find(memories, userId, terms, everything, wanted, preference)
  const past = (eachType ? all.matches.toSorted((a, b) => b.bm25 - a.bm25) : all.matches).slice(0, mostPast)
  const hold = all.matches.every(
    ({ memory: { supersededBy, validTo } }) => supersededBy === null && (validTo ?? now + 1) > now,
  )
  if (hold && filter.accepts === null) return { found: all, past }
  return { found: await find(memories, userId, terms, filter, wanted, preference), past }
}

/** The same of each type by itself, so that neither crowds out the other (002 R3.2). */
export async function findCandidatesOfEachType(
  memories: MemoryStore,
  userId: string,
  terms: readonly MemorySearchTerm[],
  filter: CompiledFilter,
  wanted: number,
  preference: boolean,
): Promise<MemoryMatches> {
  const { memoryType } = filter.stored
  if (memoryType !== undefined) return findCandidates(memories, userId, terms, filter, wanted, preference)
  const found: MemoryMatches[] = []
  for (const type of MEMORY_TYPES) {
    const stored: MemoryFilter = { ...filter.stored, memoryType: type }
    found.push(await findCandidates(memories, userId, terms, { ...filter, stored }, wanted, preference))
  }
  const method = found.some((one) => one.method === 'like') ? 'like' : 'fts'
  return { matches: found.filter((one) => one.method === method).flatMap(({ matches }) => matches), method }
}

/** Asks the store for more until enough matches pass the part of the filter that it cannot apply. */
async function matchAccepted(
  memories: MemoryStore,
  userId: string,
  terms: readonly MemorySearchTerm[],
  { stored, accepts }: CompiledFilter,
  wanted: number,
): Promise<MemoryMatches> {
  for (let asked = wanted; ; asked *= WIDER) {
    const { matches, method } = await memories.match(userId, terms, stored, asked)
    const accepted: readonly MemoryMatch[] =
      accepts === null ? matches : matches.filter(({ memory }) => accepts(memory))
    if (accepted.length >= wanted || matches.length < asked) return { matches: accepted.slice(0, wanted), method }
  }
}
