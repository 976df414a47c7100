/**
 * Which memories answer this message? Terms, the store's candidates, the caller's filter and ranking, in that order;
 * only memories put into a model's context count as accessed.
 */

import type { Clock } from '../domain/clock.ts'
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import type { MemoryStore, WorkingMemoryStore } from '../domain/contracts/memory-store.ts'
import { WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { Memory, MemoryType } from '../domain/memory.ts'
import type { Explanation } from '../domain/recall.ts'
import { speaksOfPreference } from '../language/preference.ts'
import { matchMemories } from '../search/match-memories.ts'
import { type RankedMemory, rankMemories } from '../search/rank-memories.ts'
import { type Asked, askedOf, isMemoryAboutAsked, type Telling, tellingOf } from '../thinking/facts/asked.ts'
import { relativesOf } from '../thinking/facts/families.ts'
import { tellsOfChange } from '../thinking/facts/stance.ts'
import { checkMoment } from './memories.ts'
import { readSearch, type SearchMemoriesInput } from './memories-search-input.ts'
import { type MemorySearchTerm, memorySearchTerms } from './memories-terms.ts'
import { type CandidatesWithPast, findCandidates, findCandidatesAndPast } from './memory-candidates.ts'
import { MOST_PAST, withSuccessors } from './memory-successors.ts'
import { boundTo, projectOf } from './projects.ts'
import { type MeaningModel, type MeaningTable, withSimilar } from './similar-memories.ts'

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
