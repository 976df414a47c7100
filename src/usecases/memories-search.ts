/**
 * Which memories answer this message? Terms, the store's candidates, the caller's filter and ranking, in that order;
 * only memories put into a model's context count as accessed.
 */
import type { Clock } from '../domain/clock.ts'
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import type { MemoryMatch, MemoryMatches, MemoryStore, WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { Memory, MemoryType } from '../domain/memory.ts'
import type { Explanation } from '../domain/recall.ts'
import { speaksOfPreference } from '../language/preference.ts'
import { matchMemories } from '../search/match-memories.ts'
import { type RankedMemory, rankMemories } from '../search/rank-memories.ts'
import { type Asked, askedOf, isMemoryAboutAsked, type Telling, tellingOf } from '../thinking/facts/asked.ts'
import { relativesOf } from '../thinking/facts/families.ts'
import { tellsOfChange } from '../thinking/facts/stance.ts'
import { slotNamed } from '../thinking/facts/topics.ts'
import {
  type CandidatesWithPast,
  findCandidates,
  findCandidatesAndPast,
  type MemorySearchTerm,
  memorySearchTerms,
} from './memories/candidates.ts'
import type { CompiledFilter } from './memories/filter.ts'
import { boundTo, projectOf } from './memories/projects.ts'
import { checkMoment } from './memories.ts'
import { readSearch, type SearchMemoriesInput } from './memories-search-input.ts'
import { type MeaningModel, type MeaningTable, withSimilar } from './query-vector.ts'
import { CHANGED_BY } from './think/plan-changes.ts'

/** A memory that answers. */
export interface FoundMemory {
  /** The store's own object, shared by later searches: copy it before a change. */
  readonly memory: Memory
  /** Above 0; comparable within one answer. */
  readonly score: number
  readonly explanation: Explanation | null
}

/** The answer to a search, best first; empty when nothing matches. */
export interface MemorySearchAnswer {
  readonly results: readonly FoundMemory[]
  /** The warnings about the answer, as sentences. */
  readonly warnings: readonly string[]
}

/** The dependencies of searching. */
export interface SearchMemoriesDependencies {
  readonly memories: MemoryStore
  readonly workingMemory: WorkingMemoryStore
  readonly log: Pick<ConversationLog, 'firstProject'>
  readonly clock: Clock
  /** 000, MEMORY_RETRIEVAL_LIMIT. */
  readonly retrievalLimit: number
  /** The model of meaning and its index where there is one, else the table of word vectors. */
  readonly meaning?: MeaningModel | MeaningTable | undefined
}

/** The ranking chooses among this many more than asked for. */
const CANDIDATES_BESIDES = 30

/** Searches a user's memories. Rejects with `invalid` for a bad question. */
export async function searchMemories(
  dependencies: SearchMemoriesDependencies,
  query: string,
  input: SearchMemoriesInput,
): Promise<MemorySearchAnswer> {
  const { memories, workingMemory, clock, retrievalLimit } = dependencies
  const question = await readSearch(query, input, clock().getTime(), retrievalLimit)
  const { message, userId, ranking, limit, now, explain, conversationId, most, isBounded } = question
  const project = await projectOf(dependencies.log, userId, question.projectRoot)
  const filter = boundTo(project, question.filter)
  const asked = askedOf(message)
  // A question about earlier times is answered from the past, too.
  const asksPast = asked.past && (input.asOf === undefined || input.asOf === null) && ranking !== 'long-term'
  const stored = { ...filter.stored, ...checkMoment(input.asOf, asksPast ? true : input.includePast) }

  const living =
    conversationId === null ? null : await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  const topic = living?.currentTopic ?? null
  const preference = speaksOfPreference(message)
  // A question in the words of a past state is answered with its successor.
  const follows = ranking === 'hybrid' && stored.includePast !== true && stored.asOf === undefined
  const match: MemoryStore['match'] =
    ranking === 'long-term' ? memories.match : (...wanted) => matchMemories(memories, ...wanted)
  const find = async (terms: readonly MemorySearchTerm[]): Promise<CandidatesWithPast> => {
    const wanted = limit + CANDIDATES_BESIDES
    const searched = { ...filter, stored }
    const search = { match, userId, terms, filter: searched, wanted, preference, eachType: isBounded }
    if (follows) return findCandidatesAndPast(search, MOST_PAST, clock().getTime())
    return { found: await findCandidates(search), past: [] }
  }
  let subjects = asked.topics
  let terms = memorySearchTerms(message, topic, subjects)
  let candidates = await find(terms)
  // Where no memory is about the asked matter, neighbours of it may answer.
  if (
    ranking !== 'long-term' &&
    subjects.length > 0 &&
    !candidates.found.matches.some(({ memory }) => speaksOf(memory, subjects))
  ) {
    subjects = [...subjects, ...relativesOf(subjects)]
    terms = memorySearchTerms(message, topic, subjects)
    candidates = await find(terms)
  }
  const { matches: found, predecessors } = follows
    ? await withSuccessors(memories, userId, { ...filter, stored }, candidates, subjects, isNews)
    : { matches: candidates.found, predecessors: new Map<string, readonly Memory[]>() }
  const meaning = await withSimilar(dependencies, ranking, message, userId, found.matches, { ...filter, stored })
  const ranked = rankMemories(
    { ...found, matches: meaning.matches },
    {
      ranking,
      terms,
      speaksOfPreference: preference,
      similarity: meaning.similarity,
      subjects,
      isNews,
      ...(asked.people.length === 0
        ? {}
        : {
            isAboutAsked: (memory) =>
              [memory, ...(predecessors.get(memory.id) ?? [])].some((one) => isAbout(one, asked)),
          }),
      now,
    },
  )
  const chosen = isBounded ? mostOfEach(ranked, most) : ranked
  return {
    results: chosen
      .slice(0, limit)
      .map((one) => ({ memory: one.memory, score: one.score, explanation: explain ? one.explain() : null })),
    warnings: [
      ...(found.method === 'like'
        ? [
            'The full-text index of memories could not answer; plain text search did. Run memory_reindex to build it anew.',
          ]
        : []),
      ...(meaning.warning === null ? [] : [meaning.warning]),
    ],
  }
}

// The findings about memories that the store keeps from one search to the next; nobody changes them.
const tellings = new WeakMap<Memory, Telling>()
const news = new WeakMap<Memory, boolean>()

function isAbout(memory: Memory, asked: Asked): boolean {
  let telling = tellings.get(memory)
  if (telling === undefined) {
    telling = tellingOf(memory.text)
    tellings.set(memory, telling)
  }
  return isMemoryAboutAsked(telling, memory.who, asked)
}

/** Characters of a memory that are read for a change. */
const MOST_READ = 4000

function isNews(memory: Memory): boolean {
  let isSo = news.get(memory)
  if (isSo === undefined) {
    isSo = tellsOfChange(memory.text.slice(0, MOST_READ))
    news.set(memory, isSo)
  }
  return isSo
}

function speaksOf({ key, tags }: Memory, subjects: readonly string[]): boolean {
  return subjects.some((subject) => subject === key || tags.includes(subject))
}

/** 002 R3.3: at most so many of each type, in order. */
function mostOfEach(
  ranked: readonly RankedMemory[],
  most: Readonly<Record<MemoryType, number>>,
): readonly RankedMemory[] {
  const taken = { semantic: 0, episodic: 0 }
  return ranked.filter(({ memory: { memoryType } }) => {
    taken[memoryType] += 1
    return taken[memoryType] <= most[memoryType]
  })
}

/** Past memories that are looked at. */
const MOST_PAST = 12
/** A chain of changes is followed this far. */
const MOST_STEPS = 8

/** Matches, and which memories they speak for beside themselves, by id. */
interface SucceededMatches {
  readonly matches: MemoryMatches
  readonly predecessors: ReadonlyMap<string, readonly Memory[]>
}

/**
 * The matches, with successors of past or doubtful ones among them and among the best of all (`past`). Input `subjects`
 * names the asked attributes, and `isNews` says whether a memory tells of a change.
 */
async function withSuccessors(
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
