/**
 * Title and snippet of a conversation without a model (001): the user's first real request, and what was decided or
 * answered. They are sentences that were said, in the user's language, without greetings and without code.
 */
import type { ThinkMessage } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { proseOf } from '../summarizer/prose.ts'
import { asks, tellingScore } from '../summarizer/telling.ts'
import { characterCount, shortenToCharacters } from './shorten.ts'
import { type SessionSummary, SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

const CHARACTERS_READ = 4000
const TURNS_READ = 40
const MOST_DECISIONS = 3
/** A task has at least so many characters. */
const SHORTEST_TASK = 4

const GREETING =
  /^(?:(?:hi(?:ya)?|hey(?:a)?|hello|yo|howdy|g['’]day|(?:good )?(?:morning|afternoon|evening)|dear \w+|ok(?:ay)?|so|well|thanks|thank you|你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗|请问一下|请问|那个|好的?|谢谢你?)(?:[呀啊哟]|\s+(?:there|all|team|everyone|again|assistant))?(?:[,，!！.。、~?？:：]+\s*|\s+(?=\S)|$))+/i
const POLITE_OPENING =
  /^(?:(?:please|kindly|pls)\s+|(?:can|could|would|will) (?:you|u)(?: please| kindly)?\s+|i(?:['’]d| would) like (?:you )?to\s+|i (?:want|need) (?:you )?to\s+|help me(?: to)?\s+|tell me\s+|(?:我)?想(?:让|请|要)你(?=帮|给|看|写|想|算|查|讲)|请你?|麻烦你?|能不能|可不可以|可以|能否|你能|帮我|帮忙|帮着|给我|看看|看一下|我想要?请?你?|我?想(?:问问|请教|了解|咨询)(?:你)?(?:一下|下)?|我想知道|我想问(?:一下)?)+/i
const NO_REQUEST =
  /^(?:how are you|what['’]?s up|are you there|can you hear me|who are you|你是谁|你会什么|在不在|吃了吗)[\s?？!！.。]*$/i

/** Whether a message asks for something or tells something beside a greeting, politely or not. */
export function hasRequest(content: string): boolean {
  const rest = content.replace(GREETING, '').trim()
  const task = rest.replace(POLITE_OPENING, '').trim()
  return task !== rest && characterCount(task) >= SHORTEST_TASK && !NO_REQUEST.test(rest)
}

/** The summary of these turns, oldest first; both texts are '' when nobody said anything. */
export function sessionSummaryByRules(turns: readonly Pick<ThinkMessage, 'role' | 'content'>[]): SessionSummary {
  const read = turns
    .slice(0, TURNS_READ)
    .map(({ role, content }) => ({ role, text: proseOf(content, CHARACTERS_READ) }))
  const request = firstRequest(read.filter(({ role }) => role === 'user').map(({ text }) => text))
  if (request === null) return ofAnythingSaid(turns)
  const title = shortenToCharacters(withoutEnd(withoutOpening(request.sentences[0]!)), TITLE_CHARACTERS)
  const decisions = read
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .flatMap(({ text }) => findDecisions(text))
    .filter((decision) => !request.sentences.some((sentence) => sentence.includes(decision)))
  const answer = read.slice(request.at).find(({ role }) => role === 'assistant')
  const outcome =
    decisions.length > 0 ? [...new Set(decisions)].slice(-MOST_DECISIONS) : tellingSentence(answer?.text ?? '')
  return { title, snippet: snippetOf(request.sentences, outcome) }
}

interface Request {
  readonly sentences: readonly string[]
  /** Among the turns of the user. */
  readonly at: number
}

/** The first turn that says more than a greeting. */
function firstRequest(said: readonly string[]): Request | null {
  for (const [at, text] of said.entries()) {
    const sentences = splitSentences(text)
      .map((sentence) => sentence.replace(/\s+/g, ' ').replace(GREETING, '').trim())
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && !NO_REQUEST.test(sentence))
    if (sentences.length > 0) return { sentences, at }
  }
  return null
}

function snippetOf(request: readonly string[], outcome: readonly string[]): string {
  // The request leaves room for what came of it.
  const room = outcome.length === 0 ? SNIPPET_CHARACTERS : Math.ceil(SNIPPET_CHARACTERS * 0.6)
  let text = ''
  for (const sentence of request) {
    const next = text + between(text, sentence) + sentence
    if (text !== '' && characterCount(next) > room) break
    text = next
  }
  text = shortenToCharacters(text, room)
  for (const part of outcome) {
    const next = `${closed(text)}${between(closed(text), part)}${part}`
    if (characterCount(next) <= SNIPPET_CHARACTERS) text = next
    else if (part === outcome[0]) text = shortenToCharacters(next, SNIPPET_CHARACTERS)
  }
  return text
}

function tellingSentence(answer: string): readonly string[] {
  const place = { symbols: 0, opens: false, answeredQuestion: false, answers: true, byUser: false }
  const sentences = splitSentences(answer).map((sentence) => sentence.replace(/\s+/g, ' '))
  // A question that asks back is no outcome.
  const first = sentences.find((sentence) => !asks(sentence) && tellingScore(sentence, place) > 0)
  return first === undefined ? [] : [first]
}

/** Nothing but greetings, code or emoji: the beginning of what stands there. */
function ofAnythingSaid(turns: readonly Pick<ThinkMessage, 'role' | 'content'>[]): SessionSummary {
  const said = turns.find(({ role, content }) => role === 'user' && content.trim() !== '')
  const line = (said?.content ?? '')
    .replace(/```\w*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { title: shortenToCharacters(line, TITLE_CHARACTERS), snippet: shortenToCharacters(line, SNIPPET_CHARACTERS) }
}

function withoutOpening(sentence: string): string {
  const bare = sentence.replace(POLITE_OPENING, '').trim()
  const title = characterCount(bare) < 3 ? sentence : bare
  return title.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** A title ends without a full stop; a question keeps its mark. */
function withoutEnd(sentence: string): string {
  return sentence.replace(/[\s.。!！;；,，:：~～]+$/u, '')
}

function closed(text: string): string {
  if (text === '' || /[.!?。！？…;；:：]["'”’）)」』]*$/.test(text)) return text
  return text + (/\p{Script=Han}$/u.test(text) ? '。' : '.')
}

function between(before: string, after: string): string {
  return before === '' || (/[。！？；…」』”）]$/.test(before) && !/^[A-Za-z0-9]/.test(after)) ? '' : ' '
}
