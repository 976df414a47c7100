/** A question in the words of a past state, or of one in doubt, is answered by what holds instead. */
import type { MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import type { Predecessors } from '../search/memory-documents.ts'
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

/** The matches, with successors of past or doubtful ones among them and among the best of all (`past`). */
export async function withSuccessors(
  memories: Pick<MemoryStore, 'get' | 'getMany'>,
  userId: string,
  { stored, accepts }: CompiledFilter,
  { found, past }: CandidatesWithPast,
): Promise<SucceededMatches> {
  const predecessors = new Map<string, readonly Memory[]>()
  const matches = new Map(found.matches.map((match) => [match.memory.id, match]))
  const heirs = new Map<string, MemoryMatch>()
  for (const match of [...past, ...found.matches]) {
    const next = heirOf(match.memory)
    const last = next === null ? null : await lastOf(memories, userId, next)
    if (last === null) continue
    predecessors.set(last.id, [...(predecessors.get(last.id) ?? []), match.memory])
    const own = heirs.get(last.id) ?? matches.get(last.id)
    const isBetter = own === undefined || own.matchedTerms.length < match.matchedTerms.length
    heirs.set(last.id, isBetter ? { ...match, memory: last } : own)
  }
  for (const memory of heirs.size === 0 ? [] : await memories.getMany(userId, [...heirs.keys()], stored))
    if (accepts === null || accepts(memory)) matches.set(memory.id, heirs.get(memory.id)!)
  return { matches: { ...found, matches: [...matches.values()] }, predecessors }
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
