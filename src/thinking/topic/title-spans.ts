/** Which words of a sentence could stand in a title? Those of one clause that stand side by side. */
import { readOnce } from '../../domain/read-once.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/word-lists.ts'
import { tellingTerm } from './word-rarity.ts'

/** A sentence that was said. */
export interface Said {
  readonly text: string
  /** The turn, shared by its sentences. */
  readonly turn: number
  /** How much it counts. */
  readonly weight: number
  /** Whether it may name the topic; others only weigh its words. */
  readonly names: boolean
}

/** Words of a clause side by side. */
export interface Span {
  readonly text: string
  /** The terms that tell something, each once. */
  readonly terms: readonly string[]
  /** Its words, whatever their forms: two spans with the same are one. */
  readonly key: string
  /** In small letters, without marks between them. */
  readonly words: readonly string[]
  /** The words beside it: `ASKED` or `START` in front, `END` behind, where the clause has none. */
  readonly before: string
  readonly after: string
  /** Whether a word of content stands beside it. */
  readonly cutBefore: boolean
  readonly cutAfter: boolean
  readonly isChinese: boolean
  /** The place of its clause in the sentence. */
  readonly clause: number
  readonly width: number
}

/** The edges of a clause; the first where words of a request stand in front of it. */
const ASKED = '^asked'
const START = '^'
const END = '$'

/** Words of another's text between marks: a sentence, or a long piece of one. */
const QUOTED =
  /(?<![\p{L}\p{N}.,])["“「『](?:[^"“”「」『』\n]{40,2000}|(?=\p{Script=Han})[^"“”「」『』\n]{12,2000}|[^"“”「」『』\n]{1,200}[.!?。！？])["”」』]/gu
/** Words by which somebody is asked, in front of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|(?:can|could|would|will) (?:you|u)|help me(?: with| to)?|i(?:['’]d| would) like(?: you)? to|i (?:want|need)(?: you)? to)\s{0,9})+|^(?:请问?|麻烦|你?能不能|你?可不可以|你?可以|你?能|帮我|给我(?![妈爸哥姐弟妹爷奶儿女老家们的])|帮忙|想请你|我?想问问?|一下|，)+/iu

/** The text without what somebody else said in it. */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTED, '…')
}

const EACH_HAN = /\p{Script=Han}/gu

/** Columns of a text: a Chinese character takes two. */
export function widthOf(text: string): number {
  const count = [...text].length
  return hasHan(text) ? count + text.match(EACH_HAN)!.length : count
}

/** Marks between clauses; in Chinese a gap is one, too. */
const BREAK = /(?:[，;；:：。！？!?…\n]|,(?!\d)){1,9}|\s[-–—]{1,3}\s|—|(?<=\p{Script=Han})\s(?=\p{Script=Han})/gu
const JOINS = /^(?:(?:而且|但是?|所以|因为)|(?:and|but|so)\s|[，,\s])+/iu
const WORD = /[\p{L}\p{N}$£€#](?:[\p{L}\p{N}'’.,+#%&/:-]{0,60}[\p{L}\p{N}+#%])?|\s{1,40}|[^\s\p{L}\p{N}]{1,40}/gu
/** Marks that may stand within a title, and the pairs that must be whole. */
const INNER_MARK = /^[-&/+'’·]$/
const OPENS = /^[“‘「『《（(]$/u
const CLOSES = /^[”’」』》）)]$/u
/** Chinese words that need one in front of them, as what counts things does, and those that need one behind. */
const LEANS_BACK = /^(?:[了的着过吗吧呢啊呀啦地得和与个位件份封款组盘篇条种些])$|^(?:了(?![解不])|[又也])/u
const LEADS_ON = /^(?:[和与跟给把被对从在到])$|[了的着过吗吧呢啊呀啦地得]$/u
/** Without such a word in front, the rest says the opposite. */
const NEGATES = /^[不没别未无勿]|^(?:not|no|never|without)$|n['’]t$/i
const MOST_CLAUSES = 12
const WORDS_READ = 60
const MOST_WORDS = 9
/** More in Chinese, whose words are shorter. */
const MOST_CHINESE_WORDS = 12
const FEWEST_COLUMNS = 3
const MOST_COLUMNS = 46

/** A word with all that is asked of it for each span that it stands in. */
interface Word {
  readonly isContent: boolean
  readonly isHan: boolean
  readonly text: string
  /** In small letters. */
  readonly small: string
  readonly width: number
  /** 1 for a mark that opens a pair, -1 for one that closes it. */
  readonly pairs: number
  /** Whether no title goes on behind it. */
  readonly breaks: boolean
  readonly term: string | null
  readonly gap: string
  readonly isMark: boolean
  readonly mayBegin: boolean
  readonly mayEnd: boolean
}

/** The spans of a sentence, in the order in which they begin, the shorter first. */
export const spansOf = readOnce('spans', (sentence): readonly Span[] =>
  clausesOf(sentence).flatMap(({ text, asked }, at) => spansIn(text, at, asked ? ASKED : START)),
)

/** The clauses of a sentence without words by which somebody is asked, and whether such stood in front. */
export function clausesOf(sentence: string): readonly { readonly text: string; readonly asked: boolean }[] {
  return sentence
    .split(BREAK)
    .slice(0, MOST_CLAUSES)
    .map((clause) => {
      const said = clause.trim().replace(JOINS, '')
      const text = said.replace(POLITE, '').trim()
      return { text, asked: text !== said }
    })
}

function spansIn(text: string, clause: number, start: string): readonly Span[] {
  const words = wordsIn(text)
  const most = hasHan(text) ? MOST_CHINESE_WORDS : MOST_WORDS
  const found: Span[] = []
  for (const [from, first] of words.entries()) {
    if (!first.mayBegin || NEGATES.test(words[from - 1]?.text ?? '')) continue
    let [width, open, tells] = [-first.gap.length, 0, false]
    for (let to = from; to < Math.min(words.length, from + most); to++) {
      const word = words[to]!
      width += word.gap.length + word.width
      open += word.pairs
      if (width > MOST_COLUMNS || open < 0 || word.breaks) break
      tells ||= word.term !== null
      if (!tells || open > 0 || !word.mayEnd || width < FEWEST_COLUMNS) continue
      const span = words.slice(from, to + 1)
      const said = span.filter(({ isMark }) => !isMark)
      found.push({
        text: textOf(span),
        terms: [...new Set(span.flatMap(({ term }) => term ?? []))],
        key: said.map(({ term, small }) => term ?? small).join(' '),
        words: said.map(({ small }) => small),
        before: words[from - 1]?.small ?? start,
        after: words[to + 1]?.small ?? END,
        cutBefore: words[from - 1]?.isContent ?? false,
        cutAfter: words[to + 1]?.isContent ?? false,
        isChinese: span.some(({ isHan }) => isHan),
        clause,
        width,
      })
    }
  }
  return found
}

function textOf(span: readonly Word[]): string {
  return span.map(({ text, gap }, at) => (at === 0 ? '' : gap) + text).join('')
}

function wordsIn(clause: string): readonly Word[] {
  const words: Word[] = []
  let gap = ''
  for (const text of (hasHan(clause) ? chineseWords(clause) : (clause.match(WORD) ?? [])).slice(0, WORDS_READ)) {
    if (/^\s+$/.test(text)) {
      gap = ' '
      continue
    }
    const isMark = !/[\p{L}\p{N}]/u.test(text)
    const isContent = !isMark && !isStop(text)
    const isHan = hasHan(text)
    const stands = isContent || (isHan && !isMark)
    const pairs = OPENS.test(text) ? 1 : CLOSES.test(text) ? -1 : 0
    words.push({
      text,
      small: text.toLowerCase(),
      width: widthOf(text),
      pairs,
      breaks: isMark && pairs === 0 && !INNER_MARK.test(text),
      isContent,
      isHan,
      term: /\p{L}/u.test(text) ? tellingTerm(text) : null,
      gap,
      isMark,
      mayBegin: (stands && !LEANS_BACK.test(text)) || text === '《',
      mayEnd: (stands && !LEADS_ON.test(text)) || pairs < 0,
    })
    gap = ''
  }
  return words
}

/** Whether a word only joins others. */
export function isStop(word: string): boolean {
  if (hasHan(word)) return [...word].every((character) => CHINESE_STOP_CHARACTERS.has(character))
  return ENGLISH_STOP_WORDS.has(word.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, ''))
}
