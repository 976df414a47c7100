/**
 * In which order do matching memories answer a message? A memory that shares no more with it than one frequent Chinese
 * character does not answer it. Ties go to the newer memory, so the order is always the same.
 */
import type { MemoryMatch, MemoryMatches } from '../contracts/memory-store.ts'
import { isTelling, MatchJudge, type RankedMemory, type RankingQuestion } from './match-judge.ts'

/** A memory that shares no word with the message answers it from this cosine on. */
const SIMILAR_ENOUGH = 0.3
/** Share of the terms of the best match that another one needs to speak of the same. */
const AS_MUCH = 0.75
/** What tells of no change counts half as late. */
const NO_NEWS = 0.5

/** Best first. */
export function rankMemories({ matches, method }: MemoryMatches, question: RankingQuestion): readonly RankedMemory[] {
  const similarTo = ({ memory }: MemoryMatch): number => question.similarity?.get(memory.id) ?? 0
  const telling = question.terms.map(isTelling)
  const answering = ofAsked(
    matches.filter((match) => answers(match, telling) || similarTo(match) >= SIMILAR_ENOUGH),
    question,
  )
  const best = Math.max(...answering.map(({ bm25 }) => bm25), 0)
  const asked = question.terms.filter(({ fromTopic }) => !fromTopic).length || question.terms.length
  const judge = new MatchJudge(question, method, latenessOf(answering, question))
  return answering
    .map((match) => judge.rank(match, method === 'like' ? Math.min(1, match.bm25 / asked) : match.bm25 / (best || 1)))
    .sort(
      (a, b) => b.score - a.score || b.memory.updatedAt - a.memory.updatedAt || (a.memory.id < b.memory.id ? -1 : 1),
    )
}

/**
 * What another person likes, or where they live, is no answer about the one who is asked about: such matches go, unless
 * they are all that there is. The formula of 000 knows no persons.
 */
function ofAsked(matches: readonly MemoryMatch[], { ranking, isAboutAsked }: RankingQuestion): readonly MemoryMatch[] {
  if (ranking === 'long-term' || isAboutAsked === undefined) return matches
  const right = matches.filter(({ memory }) => isAboutAsked(memory))
  return right.length === 0 ? matches : right
}

/** A word, a pair of characters, or two single ones. */
function answers({ matchedTerms }: MemoryMatch, telling: readonly boolean[]): boolean {
  if (matchedTerms.length >= 2) return true
  return matchedTerms.some((index) => telling[index] === true) || (matchedTerms.length > 0 && !telling.includes(true))
}

/**
 * How late was what answers said? Of the memories that speak of an asked attribute, or tell of a change in about as many
 * words of the question as the best, the last said has 1, the next ones 1/2, 1/3 …, and half of that when it tells of no
 * change: of two that answer alike, the newer one tells how things are. Ids that are missing speak of something else.
 */
function latenessOf(
  matches: readonly MemoryMatch[],
  { subjects = [], isNews }: RankingQuestion,
): ReadonlyMap<string, number> {
  const most = Math.max(...matches.map(({ matchedTerms }) => matchedTerms.length), 0)
  const speaking = matches
    .filter(
      ({ memory, matchedTerms }) =>
        subjects.some((subject) => subject === memory.key || memory.tags.includes(subject)) ||
        (matchedTerms.length >= AS_MUCH * most && isNews?.(memory) === true),
    )
    .map(({ memory }) => memory)
    .sort((a, b) => b.createdAt - a.createdAt)
  if (speaking.length < 2) return new Map()
  return new Map(speaking.map((memory, place) => [memory.id, (isNews?.(memory) === true ? 1 : NO_NEWS) / (1 + place)]))
}
