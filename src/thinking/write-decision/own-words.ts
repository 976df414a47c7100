/**
 * Which words of a message are the writer's own? Code, logs, long quotations, text handed over to be translated, and what
 * was recalled by us and sent back teach nothing about the user.
 */
import { readOnce } from '../../domain/read-once.ts'
import { withoutQuotedBlocks } from '../../language/quoted-block.ts'
import { lastSentence, splitSentences, withoutFences, withoutSentences } from '../../language/sentences.ts'
import { withoutUnreal } from '../facts/clauses.ts'
import { withoutMachineLines, withoutOthersText } from '../summarizer/prose.ts'
import { cutWords, MEANINGS, normalizedText, walkMeanings } from './word-meanings.ts'

/** The writer's own words, and how much of the message they are not. */
export interface OwnWords {
  readonly text: string
  /** 0 (all is the writer's own) to 1. */
  readonly pasted: number
  /** How many dreams, songs, parts of stories and quotations were taken out. */
  readonly unreal: number
  /** The quotations among them, as `withQuotes` puts them back. */
  readonly quotes: readonly string[]
}

const LONGEST_HEAD = 80
const HEAD = /^([^:：\n"“「『]{1,80})[:：]\s*(\S[\s\S]*)$/
/** "The rewrite is live", "our translation was late": the word is a thing that something is said of, not an order. */
const STATES = /^\s*(?:the|our|my|this|that|a)\s+(?:[\w-]+\s+){1,3}(?:is|are|was|were|has|have|had|went|got)\b(?!.*\?)/i

/** The writer's own part of the text. An order to remember makes everything their own. */
export const ownWords = readOnce('own words', (text): OwnWords => {
  if (text.trim() === '') return { text: '', pasted: 0, unreal: 0, quotes: [] }
  const own = withoutHandedOver(withoutMachineLines(withoutOthersText(withoutBlocks(text))))
  const real = withoutUnreal(own)
  if (real.text.length < text.length && orders(text.slice(0, LONGEST_HEAD)))
    return { text, pasted: 0, unreal: 0, quotes: [] }
  return {
    text: real.text,
    pasted: 1 - real.text.trim().length / text.trim().length,
    unreal: real.taken,
    quotes: real.quotes,
  }
})

/** The end of a text that announces what stands behind it, and is not kept: "…, here's my code:". */
export const ANNOUNCES = /(?:[,;，；]\s?[^,;，；.。!?！？:：\n]{1,80})?[:：][*_\s]{0,8}$/

/** The text without its blocks of code, and without the sentences or clauses that announce them. */
function withoutBlocks(text: string): string {
  const parts = withoutFences(text)
  return parts.map((part, at) => (at === parts.length - 1 ? part : withoutAnnouncement(part))).join('\n')
}

function withoutAnnouncement(text: string): string {
  const last = lastSentence(text)
  const [announced = ''] = ANNOUNCES.exec(last) ?? []
  if (announced === '') return text
  const told = /^[,;，；]/.test(announced) ? last.slice(0, -announced.length) : ''
  return text.slice(0, text.lastIndexOf(last)) + told
}

/** The words before the colon where somebody's text is handed over after it; else the whole text. */
export function withoutHandedOver(text: string): string {
  const head = /[:：]/.test(text) ? HEAD.exec(text) : null
  return head !== null && handsOver(lastSentence(head[1]!)) ? head[1]! : text
}

/** "Translate to English", 帮我润色, "is this right": somebody's text follows the colon. */
function handsOver(head: string): boolean {
  if (STATES.test(head)) return false
  const seen = meaningsOf(head)
  return (seen.has('pasting') || seen.has('given')) && !seen.has('remember')
}

function orders(text: string): boolean {
  const seen = meaningsOf(text)
  return seen.has('remember') && !seen.has('pasting')
}

function meaningsOf(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  walkMeanings(cutWords(normalizedText(text)).words, (meaning) => seen.add(MEANINGS[meaning]!))
  return seen
}

/** Letters and digits that a sentence must have to count as a repetition: "Yes." is nobody's. */
const SHORTEST_LATIN = 12
const SHORTEST_HAN = 6

/** Characters of a recalled text in which repetitions are looked for. */
const MOST_RECALLED = 16_384
/** Sentences up to which the letters of a recalled text are looked through for each; of more, it is cut into sentences. */
const FEW_SENTENCES = 40

/** The content without recalled text. Untouched, to the letter, when nothing of it was recalled. */
export function withoutRecalled(content: string, injected: readonly string[]): string {
  const outside = withoutQuotedBlocks(content)
  if (injected.length === 0) return outside
  const keys = new Set(splitSentences(outside).map(normalised).filter(isLongEnough))
  // The letters of a sentence stand in those of its text: hardly any text needs to be cut.
  const mayHold = (text: string): boolean => {
    const letters = normalised(text)
    return keys.size > FEW_SENTENCES || keys.values().some((key) => letters.includes(key))
  }
  const repeated = injected.map((text) => text.slice(0, MOST_RECALLED)).filter(mayHold)
  const known = new Set(repeated.flatMap((text) => [text, ...splitSentences(text)]).map(normalised))
  const isKnown = (sentence: string): boolean => {
    const key = normalised(sentence)
    return keys.has(key) && known.has(key)
  }
  const rest = withoutSentences(outside, isKnown, ' ')
  return rest === outside ? outside : rest.trim()
}

function isLongEnough(key: string): boolean {
  return key.length >= (/[\u3400-\u9fff]/.test(key) ? SHORTEST_HAN : SHORTEST_LATIN)
}

/** Letters and digits alone, lower-case. */
const normalised = readOnce('letters', (text): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ''),
)
