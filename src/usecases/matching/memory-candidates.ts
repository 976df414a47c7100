/** Which memories does the store bring for these terms, before they are ranked? As many as are wanted, when the filter leaves so many. */
import type { MemoryFilter, MemoryMatch, MemoryMatches, MemoryStore } from '../../domain/contracts/memory-store.ts'
import { holdsAt, MEMORY_TYPES } from '../../domain/memory.ts'
import { isOneCharacter } from '../../language/character-class.ts'
import { foldWord, queryTerms } from '../../language/terms.ts'
import type { SearchedTerm } from '../../search/ranking-formulas.ts'
import type { CompiledFilter } from './filter.ts'

/** Each time too few pass the filter, so many times more are asked for. */
const WIDER = 4

export interface CandidateSearch {
  /** How they are found: by the index, or by the table of specification 000. */
  readonly match: MemoryStore['match']
  readonly userId: string
  readonly terms: readonly SearchedTerm[]
  readonly filter: CompiledFilter
  readonly wanted: number
  /** The message speaks of preferences: the best among those are brought, too (000). */
  readonly preference: boolean
  /** Each type by itself, so that neither crowds out the other (002 R3.2). */
  readonly eachType: boolean
}

export async function findCandidates(search: CandidateSearch): Promise<MemoryMatches> {
  const { filter, eachType } = search
  if (!eachType || filter.stored.memoryType !== undefined) return findTogether(search)
  const found: MemoryMatches[] = []
  for (const memoryType of MEMORY_TYPES)
    found.push(await findTogether({ ...search, filter: { ...filter, stored: { ...filter.stored, memoryType } } }))
  const method = found.some((one) => one.method === 'like') ? 'like' : 'fts'
  return { matches: found.filter((one) => one.method === method).flatMap(({ matches }) => matches), method }
}

/** Matches that hold, and the best of all, those among them that are over. */
export interface CandidatesWithPast {
  readonly found: MemoryMatches
  readonly past: readonly MemoryMatch[]
}

/** As `findCandidates`, with the best `mostPast` whether they hold or not; `now` is the store's time. */
export async function findCandidatesAndPast(
  search: CandidateSearch,
  mostPast: number,
  now: number,
): Promise<CandidatesWithPast> {
  const { filter, eachType } = search
  const stored: MemoryFilter = { ...filter.stored, includePast: true }
  const all = await findCandidates({ ...search, filter: { stored, accepts: null } })
  const past = (eachType ? all.matches.toSorted((a, b) => b.bm25 - a.bm25) : all.matches).slice(0, mostPast)
  const allHold = filter.accepts === null && all.matches.every(({ memory }) => holdsAt(memory, now))
  return { found: allHold ? all : await findCandidates(search), past }
}

async function findTogether(search: CandidateSearch): Promise<MemoryMatches> {
  const { terms, filter, wanted, preference } = search
  if (terms.length === 0) return { matches: [], method: 'fts' }
  const best = await matchAccepted(search)
  if (!preference || filter.stored.category !== undefined || best.matches.length < wanted) return best
  const stored: MemoryFilter = { ...filter.stored, category: 'preference' }
  const preferences = await matchAccepted({ ...search, filter: { ...filter, stored } })
  const known = new Set(best.matches.map(({ memory }) => memory.id))
  return {
    matches: [...best.matches, ...preferences.matches.filter(({ memory }) => !known.has(memory.id))],
    method: best.method,
  }
}

/** Asks the store for more until enough matches pass the part of the filter that it cannot apply. */
async function matchAccepted({ match, userId, terms, filter, wanted }: CandidateSearch): Promise<MemoryMatches> {
  const { stored, accepts } = filter
  const words = terms.map(({ term }) => term)
  for (let asked = wanted; ; asked *= WIDER) {
    const { matches, method } = await match(userId, words, stored, asked)
    const accepted: readonly MemoryMatch[] =
      accepts === null ? matches : matches.filter(({ memory }) => accepts(memory))
    if (accepted.length >= wanted || matches.length < asked) return { matches: accepted.slice(0, wanted), method }
  }
}

/** Terms of one search; of a longer message the first so many, single characters last. */
const MOST_TERMS = 64
/** Characters of a message that are read: so many hold more terms than are looked for. */
const LONGEST_ASKED = 1000

/** "Pyth*": the beginning of a word of a spaced script, at least two letters. A star anywhere else is just text. */
const WORD_START =
  /(?<![\p{L}\p{N}*])([\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]{2,40})\*(?![\p{L}\p{N}*])/gu

/** Beginnings of one message that are looked up; further ones are words. */
const MOST_BEGINNINGS = 4

/** The message with the words that its beginnings of words may stand for, beside these. */
export async function withWholeWords(
  memories: Pick<MemoryStore, 'wordsBeginning'>,
  userId: string,
  message: string,
): Promise<string> {
  if (!message.includes('*')) return message
  const read = message.slice(0, LONGEST_ASKED)
  const words = new Map<string, string>()
  for (const [begun, beginning = ''] of [...read.matchAll(WORD_START)].slice(0, MOST_BEGINNINGS))
    words.set(begun, [beginning, ...(await memories.wordsBeginning(userId, foldWord(beginning)))].join(' '))
  return read.replace(WORD_START, (begun) => words.get(begun) ?? begun) + message.slice(LONGEST_ASKED)
}

/** The terms by which memories that speak of the same are found; `joined`: also neighbouring words written as one. */
export function messageTerms(message: string, joined = true): readonly string[] {
  const most = joined ? (message.length > LONGEST_ASKED ? MOST_TERMS : undefined) : 0
  return shortLast(queryTerms(message.slice(0, LONGEST_ASKED), most)).slice(0, MOST_TERMS)
}

/** The terms of a message, of its conversation's topic, and of its subjects in other words. */
export function memorySearchTerms(
  message: string,
  topic: string | null,
  subjects: readonly string[],
): readonly SearchedTerm[] {
  const asked = messageTerms(message)
  const ofTopic = new Set(topic === null ? [] : queryTerms(topic))
  const words = new Set(messageTerms(message, false))
  const chosen = asked.map((term) => ({
    term,
    fromTopic: false,
    ofTopic: ofTopic.has(term),
    isJoined: !words.has(term),
  }))
  const known = new Set([...asked, ...ofTopic])
  const topical = shortLast([...ofTopic].filter((term) => !asked.includes(term)))
    .slice(0, MOST_TERMS)
    .map((term) => ({ term, fromTopic: true, ofTopic: true }))
  const ofSubjects = [...new Set(subjects.flatMap((subject) => queryTerms(subject)))]
    .filter((term) => !known.has(term))
    .slice(0, MOST_TERMS)
    .map((term) => ({ term, fromTopic: true, ofTopic: false }))
  return [...chosen, ...topical, ...ofSubjects]
}

function shortLast(terms: readonly string[]): readonly string[] {
  if (!terms.some(isOneCharacter)) return terms
  return [...terms.filter((term) => !isOneCharacter(term)), ...terms.filter(isOneCharacter)]
}
