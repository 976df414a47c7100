/** What does a person tell first? Said in whole clauses, it names a Chinese talk where no few words surely do. */
import { statementOf } from '../summarizer/prose.ts'
import { needsAnother } from '../summarizer/sentence-worth.ts'
import { type Said, widthOf } from './title-spans.ts'
import { tellingWords, weightOf } from './word-rarity.ts'

/** Who is asked or shown something, and a concession without its main clause. */
const UNFIT = /[你您]|^(?:虽然|尽管)(?!.{0,200}，(?:但|不过|还是|却))/u
/** What the words of a statement must tell. */
const LEAST_TOLD = 1.5
const CLOSE = /[\s。.！!？?…～~]{1,40}$/u
const LEADS_TO_REST = /，(?:但|不过|可|而|结果|虽然)[^，]{0,100}$/u
/** Who speaks and when, in front of what is told. */
const SPEAKER_AND_TIME =
  /^(?:，|我们?(?![们的爸妈哥姐弟妹爷奶儿女老家])|刚(?!好)|最近|正在|[今昨](?:天|[早晚](?!餐|饭))|[早晚]上|[上中下]午){1,8}(?!的)/u

/**
 * What the opening turn tells with these words, or else first: a sentence, or as many of its first clauses as fit into
 * `most` columns.
 */
export function openingStatement(said: readonly Said[], most: number, words: string): string | null {
  const opening = said.find(({ text, names }) => names && tellingWords(text).length > 0)?.turn
  const statements = said
    .filter(({ turn }) => turn === opening)
    .map(({ text }) => withoutTeller(statementOf(text, (piece) => widthOf(withoutTeller(piece)) <= most) ?? '', text))
    .filter((statement) => !UNFIT.test(statement) && weightOf(tellingWords(statement)) >= LEAST_TOLD)
  return (
    statements.find((statement) => statement.includes(words)) ?? statements.find((one) => !needsAnother(one)) ?? null
  )
}

/** Without who tells it when, its close, and, where the sentence goes on, the clause that leads to the rest. */
function withoutTeller(statement: string, sentence = statement): string {
  const text = statement.replace(SPEAKER_AND_TIME, '').replace(CLOSE, '')
  return sentence.replace(CLOSE, '').endsWith(text) ? text : text.replace(LEADS_TO_REST, '')
}
