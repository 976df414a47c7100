/**
 * Which short note sums up these turns (the Summarizer without a model)? A line for each speaker with the few most
 * telling whole sentences, in their own language, at most `maxBytes` in all.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import type { Turn } from '../../domain/turn.ts'
import { splitSentences } from '../../language/sentences.ts'
import { singleSpaced } from '../../language/spelling.ts'
import { truncateUtf8, utf8Length } from '../../language/utf8.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { withoutHandedOver } from '../write-decision/own-words.ts'
import {
  decisionsIn,
  distinctDecisions,
  KEY_DECISIONS,
  type Line,
  rankSymbols,
  withDecision,
  writeLines,
} from './note-lines.ts'
import { proseOf, recordOf, statementOf, withoutSecretsIn } from './prose.ts'
import { worthOf } from './sentence-worth.ts'

/** A note about some turns. */
export interface RuleSummary {
  /** At most SUMMARY_BYTES UTF-8 bytes; never empty when there were turns. */
  readonly summary: string
  /** Most mentioned first, at most 8, as written. */
  readonly keySymbols: readonly string[]
  /** In the order they were made, at most 5, each at most 120 UTF-8 bytes. */
  readonly keyDecisions: readonly string[]
}

/** Characters of all turns together that are read, and the most and the least of one turn. */
const CHARACTERS_READ = 16_000
const CHARACTERS_READ_OF_A_TURN = 2_400
const FEWEST_CHARACTERS_OF_A_TURN = 160
const SENTENCES_OF_A_TURN = 24
/** How much of an answer is weighed: what answers stands in its beginning. */
const SENTENCES_OF_AN_ANSWER = 8
/** Longest statement in UTF-8 bytes, a sentence that has to stand alone in a small note. */
const [STATEMENT_BYTES, CHINESE_STATEMENT_BYTES] = [210, 260]
/** Longest line of points in UTF-8 bytes, and how many points it has. */
const LISTED_BYTES = 150
const [FEWEST_POINTS, MOST_POINTS] = [2, 5]
/** What names a symbol is soon a statement ("parseRow fails"), worth a line only for the name. */
const NAMING = 2
/** The least worth of such a line and of an answer of so few sentences. */
const [ANSWERED, SHORT] = [0.3, 2]
/** The bounds of a stretch's note: that of the whole conversation chooses from it. */
const OF_A_STRETCH = { least: 0.15, more: 0.15, most: 6 }
/** The heads of rows that a note names where none tells anything. */
const MOST_HEADS = 4
/** Bytes of the first words, where nobody tells anything. */
const QUOTED_BYTES = 160

/** Summarises turns of one conversation, given in order. `maxBytes` is at most, and by default, SUMMARY_BYTES. */
export function summarizeByRules(said: readonly Turn[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  // A secret may look like a symbol, and only the turn before tells that it is one.
  const turns = withoutSecretsIn(said).map((turn) => ({
    ...turn,
    symbols: turn.symbols.filter((symbol) => turn.content.includes(symbol)),
  }))
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const allowance = Math.floor(CHARACTERS_READ / Math.max(turns.length, 1))
  const perTurn = Math.min(CHARACTERS_READ_OF_A_TURN, Math.max(FEWEST_CHARACTERS_OF_A_TURN, allowance))
  const words = turns.map((turn) => wordsOf(turn, perTurn))
  const chinese = isChinese(words)
  const decisions = turns.flatMap((turn, at) => decisionsIn(words[at]!, turn, turns[at + 1]))
  const keyDecisions = distinctDecisions(decisions).slice(-KEY_DECISIONS)
  const keySymbols = rankSymbols(turns, words, keyDecisions)
  const lines = tellingLines(
    turns,
    words,
    decisions,
    chinese,
    Math.min(chinese ? CHINESE_STATEMENT_BYTES : STATEMENT_BYTES, maxBytes / 2),
  )
  const summary = writeLines(lines, chinese, maxBytes, OF_A_STRETCH, keySymbols) || firstWords(turns, chinese, maxBytes)
  return { summary, keySymbols, keyDecisions }
}

/** The words of a turn that are its speaker's own: no code, no log, nothing quoted or handed over, no list of an answer. */
export function wordsOf(turn: Pick<Turn, 'role' | 'content' | 'speaker'>, most: number): string {
  if (turn.role === 'user' || turn.speaker !== null) return withoutHandedOver(proseOf(turn.content, most))
  return turn.role === 'assistant' ? proseOf(turn.content, most, { lists: false }) : ''
}

/** The note is written in Chinese when Han characters outnumber Latin words. */
export function isChinese(texts: readonly string[]): boolean {
  let han = 0
  let words = 0
  for (const text of texts) {
    han += text.match(/[\u4e00-\u9fff]/g)?.length ?? 0
    words += text.match(/[A-Za-z]+/g)?.length ?? 0
  }
  return han > words
}

/** The kind and the way of a message in front of its person. */
const SENT = /^\p{Script=Han}{1,6} (发送|接收) /u

/** The name in front of a turn's lines. */
export function nameOf(
  { speaker, role, content }: Pick<Turn, 'speaker' | 'role' | 'content'>,
  chinese: boolean,
): string {
  if (speaker !== null && speaker !== '') return speaker.replace(/[\n:：]/g, ' ')
  const record = recordOf(content)
  if (record !== null) return record.from.replace(SENT, (_, way) => (way === '发送' ? '发给' : ''))
  return role === 'user' ? (chinese ? '用户' : 'User') : chinese ? '助手' : 'Assistant'
}

/** The lines of the turns, each with its worth; an answer needs the line that it answers. */
function tellingLines(
  turns: readonly Turn[],
  words: readonly string[],
  decisions: readonly string[],
  chinese: boolean,
  mostBytes: number,
): readonly Line[] {
  const around = wordsSaidAgain(words)
  const fits = (text: string): boolean => utf8Length(text) <= mostBytes
  let asked: Line | undefined
  return turns.flatMap((turn, at) => {
    if (rowOf(turn.content) !== null) return []
    const who = nameOf(turn, chinese)
    const line = (text: string): Line => ({
      who,
      text,
      score: withDecision(worthOf({ who, text, opens: turn.turnId === 1, around }), who, text, decisions),
      turn: at,
    })
    const record = recordOf(turn.content)
    if (record !== null) return [line(noticeOf(record.text, fits))]
    const linesOf = (most: number): readonly Line[] =>
      splitSentences(words[at]!)
        .slice(0, most)
        .flatMap((sentence) => {
          const text = statementOf(sentence, fits)
          if (text !== null) return line(text)
          const short = turn.symbols.some((name) => sentence.includes(name))
            ? statementOf(sentence, fits, NAMING)
            : null
          return short === null ? [] : { ...line(short), score: 0 }
        })
    if (turn.role === 'user' || turn.speaker !== null) {
      const lines = linesOf(SENTENCES_OF_A_TURN)
      // An answer belongs to what the turn is about.
      const telling = lines.filter(({ score }) => score > 0)
      if (telling.length > 0) asked = telling.reduce((best, one) => (one.score > best.score ? one : best))
      return lines
    }
    if (asked === undefined) return []
    const needs = asked
    const points = headsOf(turn.content, chinese)
    const lines = points === null ? linesOf(SENTENCES_OF_AN_ANSWER) : [line(points)]
    const isShort = points !== null || lines.length <= SHORT
    return lines.map((one) => ({ ...one, needs, score: isShort ? Math.max(ANSWERED, one.score) : one.score }))
  })
}

/** The titles or points that an answer lists, as many as a line takes; null where there are none. */
function headsOf(content: string, chinese: boolean): string | null {
  const read = content
    .slice(0, CHARACTERS_READ_OF_A_TURN)
    .split('```')
    .filter((_, at) => at % 2 === 0)
    .join('')
  const listed = (pattern: RegExp): readonly string[] => {
    const heads: string[] = []
    for (const [, head] of read.matchAll(pattern)) {
      const text = head!.trim()
      const isTelling = tellingWords(text).length > 0 && !/\d$/.test(text) && !heads.includes(text)
      if (isTelling && heads.length < MOST_POINTS && utf8Length([...heads, text].join(', ')) <= LISTED_BYTES)
        heads.push(text)
    }
    return heads
  }
  const titles = listed(LISTED_TITLE)
  if (titles.length > 1)
    return chinese ? `提到了${titles.join('、')}。` : `It names ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}.`
  const points = LISTED_POINTS.map(listed).find(({ length }) => length >= FEWEST_POINTS)
  if (points === undefined) return null
  return chinese ? `要点：${points.join('、')}。` : `Points: ${points.join('; ')}.`
}

/** The title at the head of a numbered item. */
const LISTED_TITLE =
  /(?:^|\n|[：:；;。]\s{0,3})[ \t]{0,8}(?:#{1,6} )?\d{1,2}[.)、][ \t]{0,4}(?:\*\*)?(["“‘《][^"”’》*\n]{2,60}["”’》])/g
/** The heads of numbered items, of sections, and of marked items. */
const LISTED_POINTS = [
  /(?:^|\n|[：:；;。]\s{0,3})(?:#{1,6} )?\d{1,2}[.)、] {0,3}(?:\*\*)?([^*:：。，,`\n]{2,50})(?:\*\*)?(?:[:：\n]|\*\*)/g,
  /(?:^|\n)#{1,6} (?:\*\*)?([^*:：`\n]{2,50})(?:[:：*]|\s?\n)/g,
  /(?:^|\n)[-*•] \*\*([^*:：`\n]{2,50}?)[:：]?\*\*/g,
]
/** The telling words of more than one turn. */
export function wordsSaidAgain(words: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>()
  const again = new Set<string>()
  for (const word of words.flatMap(tellingWords)) (once.has(word) ? again : once).add(word)
  return again
}

/** The first whole sentences of a log's row, as many as `fits` takes. */
export function noticeOf(text: string, fits: (text: string) => boolean): string {
  let notice = ''
  for (const sentence of splitSentences(text)) {
    if (!fits(notice + sentence)) return notice || (statementOf(sentence, fits) ?? '')
    notice += /[\p{Script=Han}’”》]$/u.test(sentence) ? `${sentence}。` : sentence
  }
  return notice
}

/** A row of a table, no sentence: 通话 小美 1 接通. 我们决定用 RedLock 给 Slot 加锁 has no space between Chinese words. */
const ROW =
  /^(?=.{0,180}\p{Script=Han} \p{Script=Han})(\p{Script=Han}{1,6}) ([^\s，。！？、：:]{1,20})(?: [^\s，。！？、：:]{1,20}){1,6}$/u

/** Kind and name of such a row; null where there is a sentence. */
function rowOf(content: string): { readonly from: string; readonly text: string } | null {
  const row = ROW.exec(content.trim())
  return row === null ? null : { from: row[1]!, text: row[2]! }
}

/**
 * Turns in which nobody tells anything: the names of rows, the first words, or that there was only code. '' without
 * turns.
 */
function firstWords(turns: readonly Turn[], chinese: boolean, maxBytes: number): string {
  if (turns.length === 0) return ''
  const most = Math.min(QUOTED_BYTES, maxBytes)
  const [comma, colon] = chinese ? ['、', '：'] : [', ', ': ']
  const rows = turns.flatMap(({ content }) => rowOf(content) ?? recordOf(content) ?? [])
  const kinds = Map.groupBy(rows, ({ from }) => from.split(' ')[0]!)
  const named = [...kinds].map(([kind, all]) => {
    const heads = new Set(all.map(({ text }) => text.split(/[:：。！!，,]/, 1)[0]!))
    return `${kind}${colon}${[...heads].slice(0, MOST_HEADS).join(comma)}${chinese ? '。' : '.'}`
  })
  if (named.length > 0) return truncateUtf8(named.join('\n'), most)
  for (const turn of turns) {
    const first = singleSpaced(proseOf(turn.content, CHARACTERS_READ_OF_A_TURN)).trim()
    if (first === '' || turn.role === 'tool') continue
    return truncateUtf8(`${nameOf(turn, chinese)}${colon}${first}`, most)
  }
  return truncateUtf8(chinese ? '只有代码，没有说明。' : 'Code only, without words.', most)
}
