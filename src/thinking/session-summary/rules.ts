/**
 * Title and snippet of a conversation without a model (001): the title names its topic, the snippet is one more telling
 * sentence. Both are the user's words, without greetings and code; a verb may take another form.
 */

import type { ThinkMessage } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { wordsOf, wordsSaidAgain } from '../summarizer/rules.ts'
import { statementOf, withoutLead } from '../summarizer/statement.ts'
import { needsAnother, worthOf } from '../summarizer/telling.ts'
import { tellingWords, weightOf } from '../topic/common-words.ts'
import { type Said, type Topic, topicOf } from '../topic/topic.ts'
import { characterCount, shortenToCharacters } from './shorten.ts'
import { type SessionSummary, SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

/** A message as far as a title needs it. */
export type NamingMessage = Pick<ThinkMessage, 'role' | 'content'> & { readonly speaker?: string | null }

const CHARACTERS_READ = 600
const TURNS_READ = 40
/** The weight of each turn against the next, among people and of requests, and the least; the weight of an answer. */
const FADING = 0.93
const FADING_REQUESTS = 0.85
const LEAST_WEIGHT = 0.4
/** The weight of each sentence of a turn against the one before. */
const LATER_SENTENCE = 0.85
const ANSWER_WEIGHT = 0.6
/** A topic with so many words of the one named before is the same. */
const STAYS = 0.5
/** The least that a sentence may name, however little it tells. */
const LEAST_NAMING = 0.3
/** A topic that weighs less is none, and a phrase that does names none. */
const LEAST_TOPIC = 0.25
const LEAST_PHRASE = 0.12
/** The weight of the words of an opening that tells enough. */
const ENOUGH_TOLD = 2.5

/** Whether these messages state their subject, so that a title can name it. */
export function namesTopic(turns: readonly NamingMessage[]): boolean {
  return (topicIn(turns)?.score ?? 0) >= LEAST_TOPIC
}

/** The summary of these turns, oldest first; both texts are '' when nobody said anything. */
export function sessionSummaryByRules(turns: readonly NamingMessage[]): SessionSummary {
  const topic = topicIn(turns)
  const least = topic !== null && tellingWords(topic.text).length > 1 ? LEAST_PHRASE : LEAST_TOPIC
  const title = (topic !== null && topic.score >= least ? null : openingOf(turns)) ?? topic?.text
  return title === undefined ? ofAnythingSaid(turns) : summaryOf(title, turns)
}

/** The summary of these turns where they speak of something else than the title so far; null where that stays. */
export function renamedByRules(turns: readonly NamingMessage[], known: string): SessionSummary | null {
  const topic = topicIn(turns, known)
  if (topic === null || topic.score < LEAST_TOPIC) return null
  const words = tellingWords(topic.text)
  const before = new Set(tellingWords(known))
  const shared = words.filter((word) => before.has(word)).length
  // The topic named before stays, unless fewer of its words name it.
  const isSame =
    capitalised(topic.text) === known ||
    known.split('、').includes(topic.text) ||
    (shared < words.length && shared >= STAYS * words.length)
  return isSame ? null : summaryOf(topic.text, turns)
}

function summaryOf(title: string, turns: readonly NamingMessage[]): SessionSummary {
  return { title: capitalised(title), snippet: snippetFor(title, turns) ?? ofAnythingSaid(turns).snippet }
}

/** The text with a capital in front, unless its first word has one of its own: `useState`. */
function capitalised(text: string): string {
  return text.replace(/^\p{Ll}(?=[\p{Ll}'’-]*(?:[\s,]|$))/u, (letter) => letter.toUpperCase())
}

function isByPerson({ role, speaker = null }: NamingMessage): boolean {
  return role === 'user' || speaker !== null
}

function topicIn(turns: readonly NamingMessage[], known: string | null = null): Topic | null {
  const said: Said[] = []
  const fading = turns.some(({ speaker = null }) => speaker !== null) ? FADING : FADING_REQUESTS
  let weight = 1
  for (const [turn, message] of turns.slice(0, TURNS_READ).entries()) {
    const isNamed = isByPerson(message)
    const sentences = splitSentences(wordsOf({ speaker: null, ...message }, CHARACTERS_READ))
    for (const [at, sentence] of sentences.entries())
      said.push({
        text: withoutLead(sentence),
        turn,
        weight: isNamed ? weight * LATER_SENTENCE ** at : ANSWER_WEIGHT,
        names: isNamed ? () => Math.max(LEAST_NAMING, worthOf(sentence, (message.speaker ?? null) !== null)) : null,
      })
    if (isNamed) weight = Math.max(LEAST_WEIGHT, weight * fading)
  }
  const people = new Set(turns.flatMap(({ speaker }) => speaker ?? []))
  return topicOf(said, TITLE_CHARACTERS, { people: [...people], known })
}

/** The person's words on the topic that tell most by themselves. */
function snippetFor(topic: string, turns: readonly NamingMessage[]): string | null {
  const around = new Set(tellingWords(topic))
  return tellingStatement(turns, SNIPPET_CHARACTERS, (statement, isAmongPeople) => {
    const named = tellingWords(statement).filter((term) => around.has(term)).length / around.size
    return named === 0 ? 0 : worthOf(statement, isAmongPeople, around) + named
  })
}

/** The most telling short statement near the beginning, where nothing is spoken of for long. */
function openingOf(turns: readonly NamingMessage[]): string | null {
  const again = wordsSaidAgain(turns.map((turn) => wordsOf({ speaker: null, ...turn }, CHARACTERS_READ)))
  const most = turns.some(({ content }) => hasHan(content)) ? TITLE_CHARACTERS / 2 : TITLE_CHARACTERS
  const opening = tellingStatement(
    turns,
    most,
    (statement, isAmongPeople, turn) =>
      worthOf(statement, isAmongPeople, again) *
      Math.min(1, weightOf(tellingWords(statement)) / ENOUGH_TOLD) *
      FADING ** turn,
  )
  return opening?.replace(/[.。]$/, '') ?? null
}

function tellingStatement(
  turns: readonly NamingMessage[],
  most: number,
  scoreOf: (statement: string, isAmongPeople: boolean, turn: number) => number,
): string | null {
  let best: { readonly text: string; readonly score: number } | null = null
  for (const [turn, message] of turns.slice(0, TURNS_READ).filter(isByPerson).entries())
    for (const sentence of splitSentences(wordsOf({ speaker: null, ...message }, CHARACTERS_READ))) {
      const text = statementOf(sentence, (piece) => piece.length <= most || characterCount(piece) <= most)
      if (text === null || needsAnother(text)) continue
      const score = scoreOf(text, (message.speaker ?? null) !== null, turn)
      if (score > (best?.score ?? 0)) best = { text, score }
    }
  return best?.text ?? null
}

/** The first words of a talk with nothing but greetings, code or emoji. */
function ofAnythingSaid(turns: readonly NamingMessage[]): SessionSummary {
  const said = turns.find(({ role, content }) => role === 'user' && content.trim() !== '')
  const line = (said?.content ?? '')
    .slice(0, CHARACTERS_READ)
    .toWellFormed()
    .replace(/```\w*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const bare = withoutLead(line).replace(/[\s.。!！;；,，:：~～]{1,40}$/u, '')
  return {
    title: shortenToCharacters(capitalised(bare === '' ? line : bare), TITLE_CHARACTERS),
    snippet: shortenToCharacters(line, SNIPPET_CHARACTERS),
  }
}
