/**
 * Which short note sums up these turns (the Summarizer without a model)? A line for each speaker with the few most
 * telling whole sentences, in their own language, at most `maxBytes` in all.
 */
import { SUMMARY_BYTES } from '../../domain/limits.ts'
import type { Turn } from '../../domain/turn.ts'
import { splitSentences } from '../../language/sentences.ts'
import { truncateUtf8, utf8Length } from '../../language/utf8.ts'
import { tellingWords } from '../topic/common-words.ts'
import { withoutHandedOver } from '../write-decision/own-words.ts'
import { NOTICE } from '../write-decision/rules.ts'
import { decisionsIn, distinctDecisions, KEY_DECISIONS } from './key-decisions.ts'
import { rankSymbols } from './key-symbols.ts'
import { type Line, writeLines } from './lines.ts'
import { proseOf, recordOf, withoutSecretsIn } from './prose.ts'
import { statementOf } from './statement.ts'
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
/** The share left to a statement that needs one which is not there: it stands only where nobody tells anything else. */
const LEANING = 0.05
/** The least score of a statement that explains the next one. */
const LEAST_NEEDED = 0.2
/** An answer of so few sentences says what there is to say. */
const SHORT_ANSWER = 2
/** The least score of a log's row that is no notice: it names whom a call was with. */
const LEAST_OF_RECORD = 0.55
/** The weight of a decision besides its words. */
const DECISION_WEIGHT = 1.2
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
  const summary = writeLines(lines, chinese, maxBytes) || firstWords(turns, chinese, maxBytes)
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
  const fits = (text: string): boolean => utf8Length(text) <= mostBytes
  for (const [at, turn] of turns.entries()) {
    const byPerson = turn.role === 'user' || turn.speaker !== null
    // An answer whose question is not here is understood by nobody.
    if (!byPerson && before === '') continue
    const who = nameOf(turn, chinese)
    const record = recordOf(turn.content)
    const texts =
      record !== null
        ? [noticeOf(record.text, fits)]
        : splitSentences(words[at]!)
            .slice(0, SENTENCES_OF_A_TURN)
            // A line of an answer without a mark at its end is a heading.
            .map((text) => (byPerson || /[.!。！]["'”’）)]{0,40}$/.test(text) ? statementOf(text, fits) : null))
    const isShort = texts.length <= SHORT_ANSWER && !/[?？]\s{0,9}$/.test(words[at]!)
    let last: Line | undefined
    for (const text of texts) {
      const needs: Line | undefined = last
      last = undefined
      if (text === null) continue
      const leans = needsAnother(record === null ? text : text.slice(text.indexOf('：') + 1))
      const isExplained = needs !== undefined && needs.needs === undefined && needs.score >= LEAST_NEEDED
      const decides = decisions.some((decision) => text.includes(decision))
      const worth = byPerson
        ? worthOf(text, turn.speaker !== null, around)
        : worthOfAnswer(text, isShort, before, around)
      const least = record === null || NOTICE.test(record.from) ? 0 : LEAST_OF_RECORD
      const share = leans && !isExplained ? LEANING : 1
      const score = share * Math.max(least, worth) + (decides ? DECISION_WEIGHT : 0)
      last = { who, text, score, turn: at, needs: leans && isExplained ? needs : undefined }
      lines.push(last)
    }
    before += `${words[at]}\n`
  }
  return lines
}

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
    notice += sentence
  }
  return notice
}

/** The first words of turns in which nobody tells anything, or that there was only code; '' when there are no turns. */
function firstWords(turns: readonly Turn[], chinese: boolean, maxBytes: number): string {
  if (turns.length === 0) return ''
  const most = Math.min(QUOTED_BYTES, maxBytes)
  for (const turn of turns) {
    const words = proseOf(turn.content, CHARACTERS_READ_OF_A_TURN).replace(/\s+/g, ' ').trim()
    if (words === '' || turn.role === 'tool') continue
    return truncateUtf8(`${nameOf(turn, chinese)}${chinese ? '：' : ': '}${words}`, most)
  }
  return truncateUtf8(chinese ? '只有代码，没有说明。' : 'Code only, without words.', most)
}
