/**
 * Which short note sums up these turns (the Summarizer without a model)? A line for each speaker with the few most
 * telling whole sentences, in their own language, at most `maxBytes` in all.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import type { Turn } from '../../domain/turn.ts'
import { splitSentences } from '../../language/sentences.ts'
import { truncateUtf8, utf8Length } from '../../language/utf8.ts'
import { tellingWords } from '../topic/common-words.ts'
import { topicOf } from '../topic/topic.ts'
import { withoutHandedOver } from '../write-decision/own-words.ts'
import { NOTICE } from '../write-decision/rules.ts'
import { decisionsIn, distinctDecisions, KEY_DECISIONS } from './key-decisions.ts'
import { rankSymbols } from './key-symbols.ts'
import { type Line, writeLines } from './lines.ts'
import { proseOf, recordOf, withoutSecretsIn } from './prose.ts'
import { statementOf, withoutLead } from './statement.ts'
import { needsAnother, worthOf, worthOfAnswer } from './telling.ts'

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
const CHARACTERS_READ_OF_A_TURN = 3_000
const FEWEST_CHARACTERS_OF_A_TURN = 160
/** Sentences of one turn that are weighed. */
const SENTENCES_OF_A_TURN = 24
/** Longest statement in UTF-8 bytes, a sentence that has to stand alone in a small note. */
const STATEMENT_BYTES = 200
/** The least score of a statement that explains the next one. */
const LEAST_NEEDED = 0.2
/** An answer of so few sentences says what there is to say. */
const SHORT_ANSWER = 2
/** How much an answer adds to the question: it comes with it. And the longest such line in UTF-8 bytes. */
const LISTED = 0.2
const LEAST_ANSWERING = 1.2
const LISTED_BYTES = 150
const MOST_LISTED = 5
/** The least score of a log's row, and the least worth of a notice: others advertise, or tell of a device. */
const LEAST_OF_RECORD = 0.55
const LEAST_OF_NOTICE = 0.82
/** The heads of rows that a note names where none tells anything. */
const MOST_HEADS = 4
/** The weight of a decision besides its words. */
const DECISION_WEIGHT = 1.2
/** Characters of the topic of a talk that tells little. */
const TOPIC_CHARACTERS = 80
/** Bytes of the first words, where nobody tells anything. */
const QUOTED_BYTES = 160

/** Summarises turns of one conversation, given in order. `maxBytes` is at most, and by default, SUMMARY_BYTES. */
export function summarizeByRules(said: readonly Turn[], options: { readonly maxBytes?: number } = {}): RuleSummary {
  const turns = withoutSecretsIn(said)
  const maxBytes = Math.min(options.maxBytes ?? SUMMARY_BYTES, SUMMARY_BYTES)
  const allowance = Math.floor(CHARACTERS_READ / Math.max(turns.length, 1))
  const perTurn = Math.min(CHARACTERS_READ_OF_A_TURN, Math.max(FEWEST_CHARACTERS_OF_A_TURN, allowance))
  const words = turns.map((turn) => wordsOf(turn, perTurn))
  const chinese = isChinese(words)
  const decisions = turns.flatMap((turn, at) => decisionsIn(words[at]!, turn, turns[at + 1]))
  const keyDecisions = distinctDecisions(decisions).slice(-KEY_DECISIONS)
  const keySymbols = rankSymbols(turns, words, keyDecisions)
  const lines = tellingLines(turns, words, decisions, chinese, Math.min(STATEMENT_BYTES, maxBytes / 2))
  const told = writeLines(lines, chinese, maxBytes)
  // One line of a talk between people leaves out what the others said.
  const isHalf = !told.includes('\n') && new Set(turns.map(({ speaker }) => speaker)).size > 1
  const topic = told === '' || isHalf ? topicLine(turns, words, chinese, told) : ''
  const both = [topic, told].filter((text) => text !== '').join('\n')
  const summary = (utf8Length(both) <= maxBytes ? both : told) || firstWords(turns, chinese, maxBytes)
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

/** The speaker's name in the note. */
function nameOf({ speaker, role, content }: Pick<Turn, 'speaker' | 'role' | 'content'>, chinese: boolean): string {
  if (speaker !== null && speaker !== '') return speaker.replace(/[\n:：]/g, ' ')
  const record = recordOf(content)
  if (record !== null) return record.from
  return role === 'user' ? (chinese ? '用户' : 'User') : chinese ? '助手' : 'Assistant'
}

function tellingLines(
  turns: readonly Turn[],
  words: readonly string[],
  decisions: readonly string[],
  chinese: boolean,
  mostBytes: number,
): readonly Line[] {
  const lines: Line[] = []
  const around = saidAgain(words)
  let before = ''
  let asked: Line | undefined
  let isAsked = false
  const fits = (text: string): boolean => utf8Length(text) <= mostBytes
  for (const [at, turn] of turns.entries()) {
    const byPerson = turn.role === 'user' || turn.speaker !== null
    // An answer whose question is not here is understood by nobody.
    if ((!byPerson && before === '') || rowOf(turn.content) !== null) continue
    const who = nameOf(turn, chinese)
    const record = recordOf(turn.content)
    const add = (text: string, score: number, needs?: Line): Line => {
      lines.push({ who, text, score, turn: at, needs })
      return lines.at(-1)!
    }
    if (record !== null) {
      const text = noticeOf(record.text, fits)
      const worth = worthOf(text, false, around)
      const isNotice = NOTICE.test(record.from)
      if (isNotice ? worth >= LEAST_OF_NOTICE : !needsAnother(text))
        add(text, isNotice ? worth : Math.max(LEAST_OF_RECORD, worth))
      continue
    }
    const listed = byPerson ? null : headsOf(turn.content, chinese)
    if (listed !== null && asked !== undefined) add(listed, asked.score + LISTED, asked)
    const sentences = splitSentences(words[at]!).slice(0, SENTENCES_OF_A_TURN)
    const isShort = sentences.length <= SHORT_ANSWER && !/[?？]\s{0,9}$/.test(words[at]!)
    if (byPerson) [asked, isAsked] = [undefined, isAsked || /[?？]/.test(words[at]!)]
    let last: Line | undefined
    for (const sentence of listed === null ? sentences : []) {
      // A line of an answer without a mark at its end is a heading.
      const text = byPerson || /[.!。！]["'”’）)]{0,40}$/.test(sentence) ? statementOf(sentence, fits) : null
      const needs: Line | undefined = last
      last = undefined
      if (text === null) continue
      const leans = needsAnother(text)
      const isExplained = needs !== undefined && needs.needs === undefined && needs.score >= LEAST_NEEDED
      const decides = decisions.some((decision) => text.includes(decision)) ? DECISION_WEIGHT : 0
      if (leans && !isExplained && decides === 0) continue
      const worth = byPerson
        ? worthOf(text, turn.speaker !== null, around)
        : worthOfAnswer(text, isShort, before, around)
      // What is advised first answers the question, and comes with it.
      const answers = !byPerson && worth > 0 && asked !== undefined && isAsked
      const score = answers ? Math.max(worth, asked!.score + LISTED, LEAST_ANSWERING) : worth
      if (answers) isAsked = false
      last = add(text, score + decides, leans && isExplained ? needs : byPerson ? undefined : asked)
      if (byPerson && last.needs === undefined) asked = last
    }
    before += `${words[at]}\n`
  }
  return lines
}

/** The heads of an answer's list, as many as a line takes: "Moana, Paddington"; null where there is none. */
function headsOf(content: string, chinese: boolean): string | null {
  const heads: string[] = []
  for (const [, bold, plain] of content.slice(0, CHARACTERS_READ_OF_A_TURN).matchAll(LIST_HEAD)) {
    const head = (bold ?? plain)!
      .replace(/[:：]\s{0,9}$/, '')
      .replace(/^\d{1,2}[.)] /, '')
      .trim()
    const bytes = utf8Length([...heads, head].join(', '))
    if (/^\p{L}|^["“‘《]/u.test(head) && bytes <= LISTED_BYTES && heads.length < MOST_LISTED && !heads.includes(head))
      heads.push(head)
  }
  return heads.length < 2 ? null : `${heads.join(chinese ? '、' : ', ')}${chinese ? '。' : '.'}`
}

/** The head of a numbered item, in bold or before a colon. */
const LIST_HEAD =
  /(?:^|\n|[：:；;。]\s{0,3})[ \t]{0,8}(?:#{1,6} )?\d{1,2}[.)、][ \t]{0,4}(?:\*\*([^*\n]{3,60})\*\*|[‘“"]?([^*\s：:，,；;。\n‘“"’”][^*：:，,；;。\n‘“"’”]{1,40})[’”"]?[:：])/g

/** The telling words of more than one turn. */
function saidAgain(words: readonly string[]): ReadonlySet<string> {
  const once = new Set<string>()
  const again = new Set<string>()
  for (const word of words.flatMap(tellingWords)) (once.has(word) ? again : once).add(word)
  return again
}

/** The first whole sentences of a notice, as many as `fits` takes. */
function noticeOf(text: string, fits: (text: string) => boolean): string {
  let notice = ''
  for (const sentence of splitSentences(text)) {
    if (!fits(notice + sentence)) return notice || (statementOf(sentence, fits) ?? '')
    notice += /[\p{Script=Han}’”》]$/u.test(sentence) ? `${sentence}。` : sentence
  }
  return notice
}

/** A row of a table, no sentence: 通话 小美 1 接通. */
const ROW = /^(\p{Script=Han}{1,6}) ([^\s，。！？、：:]{1,20})(?: [^\s，。！？、：:]{1,20}){1,6}$/u

/** Kind and name of such a row; null where there is a sentence. */
function rowOf(content: string): { readonly from: string; readonly text: string } | null {
  const row = ROW.exec(content.trim())
  return row === null ? null : { from: row[1]!, text: row[2]! }
}

/**
 * What turns hold in which nobody tells anything: the names of rows, the first words, or that there was only code; ''
 * when there are no turns.
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
    const first = proseOf(turn.content, CHARACTERS_READ_OF_A_TURN).replace(/\s+/g, ' ').trim()
    if (first === '' || turn.role === 'tool') continue
    return truncateUtf8(`${nameOf(turn, chinese)}${colon}${first}`, most)
  }
  return truncateUtf8(chinese ? '只有代码，没有说明。' : 'Code only, without words.', most)
}

/** Who speaks of what: "Ana, Bo: pottery class, glazes"; '' where nothing is named, or one word beside what is told. */
function topicLine(turns: readonly Turn[], words: readonly string[], chinese: boolean, told: string): string {
  const isSaid = ({ role, speaker, content }: Turn, at: number): boolean =>
    (role === 'user' || speaker !== null) && words[at] !== '' && recordOf(content) === null && rowOf(content) === null
  const people = [...new Set(turns.filter(isSaid).map((turn) => nameOf(turn, chinese)))]
  const said = words.flatMap((text, turn) =>
    splitSentences(text).map((one) => ({
      text: withoutLead(one),
      turn,
      weight: 1,
      names: isSaid(turns[turn]!, turn) ? () => 1 : null,
    })),
  )
  const topic = topicOf(said, TOPIC_CHARACTERS, { people })
  const isThin = topic === null || (told !== '' && !/[\s\p{Script=Han}]/u.test(topic.text))
  return isThin
    ? ''
    : `${people.join(chinese ? '、' : ', ')}${chinese ? '：' : ': '}${topic.text}${chinese ? '。' : '.'}`
}
