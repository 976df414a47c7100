/**
 * Title and snippet of a conversation without a model (001): the title names its topic, the snippet is one more telling
 * sentence. Both are the user's words, without greetings and code.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { isQuestion } from '../../language/questions.ts'
import { upToSecret } from '../../language/secrets/mask-secrets.ts'
import { splitSentences } from '../../language/sentences.ts'
import { proseOf, statementOf, withoutLead, withoutSecretsIn } from '../summarizer/prose.ts'
import { needsAnother, worthOf } from '../summarizer/sentence-worth.ts'
import { nameOf, wordsOf } from '../summarizer/summarize-by-rules.ts'
import { openingRequest } from '../topic/request.ts'
import { type Said, withoutQuotations } from '../topic/title-spans.ts'
import { BETWEEN, type Topic, topicOf } from '../topic/topic.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { KINDS, writeJudgement } from '../write-decision/linear-model.ts'

/** Longest title and snippet in characters as a person counts them. */
export const TITLE_CHARACTERS = 60
export const SNIPPET_CHARACTERS = 200

/** Title and snippet of one conversation. */
export interface SessionSummary {
  /** One line, at most TITLE_CHARACTERS, in the user's language. */
  readonly title: string
  /** At most SNIPPET_CHARACTERS, in the user's language. */
  readonly snippet: string
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Code units that one character may take; more are not looked at. */
const UNITS_A_CHARACTER = 16

/** Characters as a person counts them. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

/** The text, or its beginning up to a word with an ellipsis, in at most `most` characters. */
export function shortenToCharacters(text: string, most: number): string {
  const looked = text.slice(0, (most + 1) * UNITS_A_CHARACTER).toWellFormed()
  if (looked.length === text.length && characterCount(text) <= most) return text
  let kept = ''
  let count = 0
  for (const { segment } of words.segment(looked)) {
    const more = characterCount(segment)
    if (count + more > most - 1) break
    kept += segment
    count += more
  }
  // One word that is longer than all the room is cut between two of its characters.
  if (kept.trim() === '')
    kept = [...graphemes.segment(looked)]
      .slice(0, most - 1)
      .map(({ segment }) => segment)
      .join('')
  return `${upToSecret(kept, text).replace(/[\s,;:，；：、(（[「“"'-]{1,40}$/u, '')}…`
}

/** A message as far as a title needs it. */
export type NamingMessage = Pick<ThinkMessage, 'role' | 'content'> & { readonly speaker?: string | null }

const CHARACTERS_READ = 600
const TURNS_READ = 40
/** The weight of the first request, of each turn against the next, of requests and among people, and the least. */
const OPENING = 2.5
const FADING_REQUESTS = 0.88
const FADING = 0.95
const LEAST_WEIGHT = 0.4
/** The weight of each sentence of a turn against the one before, and of an answer. */
const LATER_SENTENCE = 0.92
const ANSWER_WEIGHT = 0.5
/** A topic whose words tell less is none, and one that is less likely wanted above the talk is better not shown. */
const LEAST_TOLD = 0.6
const LEAST_ODDS = -0.6

/** Whether these messages state their subject, so that a title can name it. */
export function namesTopic(said: readonly NamingMessage[]): boolean {
  const { turns, topic } = readingOf(said)
  if (topic !== null) return topic.told >= LEAST_TOLD && topic.odds >= LEAST_ODDS
  // Nothing but code or an error message.
  return turns.some((turn) => isByPerson(turn) && isPasted(turn))
}

/** The summary of these turns, oldest first; both texts are '' when nobody said anything. */
export function sessionSummaryByRules(said: readonly NamingMessage[]): SessionSummary {
  const { turns, topic } = readingOf(said)
  if (topic === null) return ofAnythingSaid(turns)
  const title = topic.parts.join(BETWEEN)
  return { title: capitalised(title), snippet: snippetFor(title, turns) ?? ofAnythingSaid(turns).snippet }
}

const readings = new WeakMap<readonly NamingMessage[], ReturnType<typeof readingOf>>()

/** The turns without secrets, and their topic: whoever asks whether they name one asks for the title next. */
function readingOf(said: readonly NamingMessage[]): { turns: readonly NamingMessage[]; topic: Topic | null } {
  const known = readings.get(said)
  if (known !== undefined) return known
  const turns = withoutSecretsIn(said)
  const { said: sentences, people } = saidIn(turns)
  const request = people.length > 0 ? null : openingRequest(sentences, TITLE_CHARACTERS)
  const reading = { turns, topic: request ?? topicOf(sentences, TITLE_CHARACTERS, people) }
  readings.set(said, reading)
  return reading
}

/** The text with a capital in front, unless its first word has one of its own: `useState`. */
function capitalised(text: string): string {
  return text.replace(/^\p{Ll}(?=[\p{Ll}'’-]*(?:[\s,]|$))/u, (letter) => letter.toUpperCase())
}

function isByPerson({ role, speaker = null }: NamingMessage): boolean {
  return role === 'user' || speaker !== null
}

function ownWordsOf(message: NamingMessage): string {
  return wordsOf({ speaker: null, ...message }, CHARACTERS_READ)
}

function isPasted({ content }: NamingMessage): boolean {
  return proseOf(content, CHARACTERS_READ).trim() === '' && tellingWords(content.slice(0, CHARACTERS_READ)).length > 0
}

/** The sentences of turns without secrets, as a title weighs them, and the names of who spoke. */
export function saidIn(turns: readonly NamingMessage[]): {
  readonly said: readonly Said[]
  readonly people: readonly string[]
} {
  const said: Said[] = []
  const people = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
  const fading = people.length > 0 ? FADING : FADING_REQUESTS
  let weight = OPENING
  for (const [turn, message] of turns.slice(0, TURNS_READ).entries()) {
    const isNamed = isByPerson(message)
    let place = 0
    for (const sentence of splitSentences(withoutQuotations(ownWordsOf(message)))) {
      const text = withoutLead(sentence)
      said.push({
        text,
        turn,
        weight: isNamed ? weight * LATER_SENTENCE ** place : ANSWER_WEIGHT,
        names: isNamed,
      })
      // A greeting takes no place.
      if (tellingWords(text).length > 0) place++
    }
    if (isNamed) weight = people.length === 0 && weight > 1 ? 1 : Math.max(LEAST_WEIGHT, weight * fading)
  }
  return { said, people }
}

/** The least worth of a sentence to which the next one points. */
const LEADS = 0.1
/** The weight of a statement without a word of the title. */
const OFF_TOPIC = 0.5

/** The fewest telling words of a question that says what is asked, unlike "Any ideas?" */
const FEWEST_ASKED = 3
/** Likelihood from which a statement asks, too: 不知道从哪里开始剪枝. */
const ASKS = 0.8
const ASKED = KINDS.findIndex(({ reason }) => reason === 'knowledge_question')

function asksSomething({ said, text }: Sentence): boolean {
  const asked = text ?? said
  return (
    tellingWords(asked).length >= FEWEST_ASKED && (isQuestion(asked) || writeJudgement(asked).kinds[ASKED]! >= ASKS)
  )
}

function points({ text }: Sentence): boolean {
  return text !== null && needsAnother(text)
}

/** What a person says in a talk. */
interface Sentence {
  readonly said: string
  /** As it may be shown, where it states something. */
  readonly text: string | null
  /** "Ann: " in a talk of people, otherwise ''. */
  readonly teller: string
}

/** A statement that a snippet may consist of. */
interface Telling {
  /** The statement, before it the one that it points to, behind it the question that it leads to. */
  readonly sentences: readonly Sentence[]
  readonly turn: number
  readonly score: number
}

/**
 * The short statement of a person that is wanted most beside the title, and the next, rather of the opening, as far as
 * there is room; null when nobody states anything.
 */
function snippetFor(topic: string, turns: readonly NamingMessage[]): string | null {
  const said = turns.slice(0, TURNS_READ).map(sentencesOf)
  const tellings = tellingsOf(topic, turns, said)
  const best = likeliest(tellings, ({ score }) => score)
  if (best === null) return null
  const withBest = (other: readonly Sentence[]): string =>
    asText(said.flat().filter((sentence) => best.sentences.includes(sentence) || other.includes(sentence)))
  const alone = withBest([])
  const least = best.score * (hasHan(alone) ? SECOND_CHINESE : SECOND)
  const second = likeliest(tellings, ({ sentences, turn, score }) => {
    const both = withBest(sentences)
    if (score < least || both === alone || !isShort(both)) return 0
    return score * (turn === 0 ? OPENING_SAYS : 1)
  })
  return second === null ? alone : withBest(second.sentences)
}

/** A second statement is worth at least this part of the first, and more in the opening; fitted on 579 judged snippets. */
const [SECOND, SECOND_CHINESE, OPENING_SAYS] = [0.5, 0.3, 1.5]

/** The sentences in one text: who tells is named where it changes. */
function asText(sentences: readonly Sentence[]): string {
  return sentences.reduce((before, { said, text, teller }, at) => {
    const gap = before === '' || /[。！？]$/.test(before) ? '' : ' '
    return before + gap + (sentences[at - 1]?.teller === teller ? '' : teller) + (text ?? said.trim())
  }, '')
}

function isShort(text: string): boolean {
  return characterCount(text) <= SNIPPET_CHARACTERS
}

function likeliest<T>(items: readonly T[], worth: (item: T) => number): T | null {
  let best: { readonly item: T; readonly worth: number } | null = null
  for (const item of items) {
    const own = worth(item)
    if (own > (best?.worth ?? 0)) best = { item, worth: own }
  }
  return best?.item ?? null
}

function sentencesOf(message: NamingMessage): readonly Sentence[] {
  if (!isByPerson(message)) return []
  // Among people nobody knows whose "I" it is.
  const teller = (message.speaker ?? '') === '' ? '' : `${nameOf({ speaker: null, ...message }, false)}: `
  return splitSentences(ownWordsOf(message)).map((said) => ({
    said,
    text: statementOf(said, (piece) => isShort(teller + piece)),
    teller,
  }))
}

/**
 * What persons state, in order: with the sentence that it points to, and, to an assistant, with the question that it
 * leads to. A statement on the topic counts more.
 */
function tellingsOf(
  topic: string,
  turns: readonly NamingMessage[],
  said: readonly (readonly Sentence[])[],
): readonly Telling[] {
  const around = new Set(tellingWords(topic))
  const found: Telling[] = []
  // Who opens with an occasion alone says what for when he is asked.
  const [opening, answer] = said.filter((sentences) => sentences.length > 0)
  const later = opening?.some(asksSomething) ? undefined : answer?.find((one) => asksSomething(one) && !points(one))
  for (const [turn, sentences] of said.entries()) {
    let before: readonly Sentence[] = []
    for (const [place, sentence] of sentences.entries()) {
      const { text, teller } = sentence
      if (text === null) continue
      const who = nameOf({ speaker: null, ...turns[turn]! }, hasHan(text))
      const worth = worthOf({ who, text, opens: turn === 0, around })
      const lead = points(sentence) ? before : []
      before = worth >= LEADS ? [sentence] : []
      const words = tellingWords(text)
      // The title says it already.
      if (words.every((term) => around.has(term))) continue
      const score = worth * (words.some((term) => around.has(term)) ? 1 : OFF_TOPIC)
      const asked = sentences.slice(place + 1).find(asksSomething) ?? (sentences === opening ? later : undefined)
      const forms = [[...lead, sentence, ...(teller === '' && asked ? [asked] : [])], [...lead, sentence], [sentence]]
      found.push({ sentences: forms.find((form) => isShort(asText(form)))!, turn, score })
    }
  }
  return found
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
