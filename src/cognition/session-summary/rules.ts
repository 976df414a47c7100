/**
 * Title and snippet of a conversation without a model (001): the title names the matter in a few words, the snippet is one
 * whole sentence that tells more of it. Both are words that were said, in the user's language, without greetings and code.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { isGenericTerm } from '../../text/generic-words.ts'
import { splitSentences } from '../../text/sentences.ts'
import { indexTerms } from '../../text/tokens.ts'
import { wordsOf } from '../summarizer/rules.ts'
import { isHan, statementOf, withoutLead } from '../summarizer/statement.ts'
import { tellingScore, tellingTerms } from '../summarizer/telling.ts'
import { characterCount, shortenToCharacters } from './shorten.ts'
import { topicsOf } from './topic.ts'
import { type SessionSummary, SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

/** A message as far as a title needs it. */
export type NamingMessage = Pick<ThinkMessage, 'role' | 'content'> & { readonly speaker?: string | null }

const CHARACTERS_READ = 4000
const TURNS_READ = 40
const SENTENCES_READ = 40
/** What a title counts less for each sentence, and each clause, that stands before it. */
const LATER_SENTENCE = 0.88
const LATER_CLAUSE = 0.7
/** Fewer points name no topic. */
const LEAST_TOPIC = 1.7
const MOST_TERMS = 5
const REPEATED_WEIGHT = 0.5
const NAME_WEIGHT = 0.5
const ASKED_WEIGHT = 0.8
/** A pronoun in a title stands for nothing that a reader knows. */
const LEANING = 0.8
const PRONOUN = /\b(?:it|this|that|these|those|they|them|he|she|him|you|your|me)\b|[它她他这那你]/i
/** Nothing but the day, feelings and courtesy. */
const SMALL_TALK =
  /\b(?:day|weather|sunny|chat|chatting|talk|talking|doing|night|evening|morning|weekend|see|time|long|ages|meet|sleep|tired|sounds|busy|fun|miss|pic|photo|picture)\b|(?:感觉|身体|放松|幸福感|心里|心情|时候|喘口气|忙完|搞定|充实|特别开心|一天|开心|踏实|忙碌|总结得|说得)/gi
const CONDOLES = /\b(?:sorry|glad|happy|nice|good|great) to (?:hear|see|meet)\b|^(?:congrat|thank)/i
const DECISION_WEIGHT = 1

/** Whether these messages say what they are about, so that a title can name it. */
export function namesTopic(turns: readonly NamingMessage[]): boolean {
  return (bestTopic(turns)?.score ?? 0) >= LEAST_TOPIC
}

/** The summary of these turns, oldest first; both texts are '' when nobody said anything. */
export function sessionSummaryByRules(turns: readonly NamingMessage[]): SessionSummary {
  const topic = bestTopic(turns)
  return topic === null ? ofAnythingSaid(turns) : { title: topic.title, snippet: snippetFor(topic.title, turns) }
}

interface Said {
  readonly text: string
  readonly byPerson: boolean
  readonly opens: boolean
}

/** The sentences of the turns with who said them, and how often each term stands in them. */
function sentencesOf(turns: readonly NamingMessage[]): readonly Said[] {
  return turns.slice(0, TURNS_READ).flatMap(({ role, content, speaker = null }) => {
    const byPerson = role === 'user' || speaker !== null
    return splitSentences(wordsOf({ role, content, speaker }, CHARACTERS_READ))
      .slice(0, SENTENCES_READ)
      .filter((text) => byPerson || /[.!?。！？]["'”’）)]*$/.test(text))
      .map((text, at) => ({ text, byPerson, opens: at === 0 }))
  })
}

function bestTopic(turns: readonly NamingMessage[]): { readonly title: string; readonly score: number } | null {
  const said = sentencesOf(turns)
  const counts = indexTerms(said.map(({ text }) => text).join('\n'))
  let best: { title: string; score: number } | null = null
  let weight = 1
  for (const { text } of said.filter(({ byPerson, text }) => byPerson && !CONDOLES.test(text))) {
    let clause = 1
    for (const { title, asks } of topicsOf(text)) {
      const score = (topicScore(title, counts) + (asks ? ASKED_WEIGHT : 0)) * weight * clause
      if (score > (best?.score ?? 0)) best = { title, score }
      clause *= LATER_CLAUSE
    }
    weight *= LATER_SENTENCE
  }
  return best
}

/** How much a phrase names: words with a meaning, those that come again in the exchange, names and numbers. */
function topicScore(title: string, counts: ReadonlyMap<string, number>): number {
  const terms = [...indexTerms(title.replace(SMALL_TALK, ' ')).keys()].filter((term) => !isGenericTerm(term))
  if (terms.length === 0) return 0
  const scale = isHan(title) ? 0.5 : 1
  let score = Math.min(terms.length * scale, MOST_TERMS)
  score += REPEATED_WEIGHT * Math.min(terms.filter((term) => (counts.get(term) ?? 0) > 1).length * scale, MOST_TERMS)
  if (/(?:\s["“(]?\p{Lu}|[a-z][A-Z]|[\d_/《])/u.test(title)) score += NAME_WEIGHT
  if (/^(?:he|she|they|it|that|this|these|you|him|her)\b/i.test(title)) score -= LEANING
  return PRONOUN.test(title) ? score - LEANING : score
}

/** The sentence that tells most beside the title: the words of a person first, then of the answer. */
function snippetFor(title: string, turns: readonly NamingMessage[]): string {
  const around = new Set(tellingTerms(title))
  let best = { text: '', score: -1 }
  let weight = 1
  for (const { text, byPerson, opens } of sentencesOf(turns)) {
    const statement = statementOf(text, (piece) => characterCount(piece) <= SNIPPET_CHARACTERS)
    if (statement === null) continue
    const adds = tellingTerms(statement).some((term) => !around.has(term))
    const decides = byPerson && findDecisions(text).length > 0 ? DECISION_WEIGHT : 0
    const told = tellingScore(statement, { around, opens, byPerson, amongPeople: false })
    const score = (adds ? 1 : 0.3) * (told + decides + 0.1) * weight
    if (score > best.score) best = { text: statement, score }
    weight *= 0.97
  }
  return best.text === '' ? ofAnythingSaid(turns).snippet : best.text
}

/** Nothing but greetings, code or emoji: the beginning of what stands there. */
function ofAnythingSaid(turns: readonly NamingMessage[]): SessionSummary {
  const said = turns.find(({ role, content }) => role === 'user' && content.trim() !== '')
  const line = (said?.content ?? '')
    .slice(0, CHARACTERS_READ)
    .toWellFormed()
    .replace(/```\w*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const bare = withoutLead(line).replace(/[\s.。!！;；,，:：~～]+$/u, '')
  return {
    title: shortenToCharacters(bare === '' ? line : bare, TITLE_CHARACTERS),
    snippet: shortenToCharacters(line, SNIPPET_CHARACTERS),
  }
}
