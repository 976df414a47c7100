/**
 * Where does one clause of a text end and another begin, and which words tell of unreal things or are somebody else's?
 * Dreams, songs, figures of a story and quotations: nothing in them is a fact about the writer.
 */
import { readOnce } from '../../domain/read-once.ts'
import { inSmallLetters } from '../../language/character-class.ts'
import { endsSentence, withoutSentences } from '../../language/sentences.ts'

/** The border between two clauses: a mark, a gap in Chinese, or a word that may join clauses or only words. */
const BETWEEN =
  /(?<=[!?。！？])\s*|(?<=\p{Script=Han})[ \u3000]{1,40}(?=\p{Script=Han})|(?<=\.)\s+|[,，;；]\s{0,40}(?!\d)|\s{1,40}(?:and|but|so|while|because)\s+/giu
const JOINS = /[a-z]/i
/** "…and my sister", "…but we": a clause of its own follows; "bread and butter": none. */
const BEGINS_CLAUSE = /^(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve)|my|our|now)\b/i

/**
 * Decides whether a clause of its own follows a border, by the border's mark, the words behind it and those before.
 */
export type StandsAlone = (next: string, before: string, mark: string) => boolean

/** A word that ties a clause to another one, before somebody or at any clause. */
const TIED =
  /^(?:(?:because|so|and|but|by the way,?|btw,?)|(?:since|as)(?= (?:i|my|we|our)\b)) |^(?:因为|由于|既然|所以|但是?|不过|对了)[\s，,]{0,3}/i

/** A clause as it stands by itself, without the word that ties it to another one. */
export function standaloneClause(clause: string): string {
  return clause.replace(TIED, '')
}

/** Every mark ends a clause, a joining word only before somebody who does something. */
const byMarks: StandsAlone = (next, _before, mark) => !JOINS.test(mark) || BEGINS_CLAUSE.test(next)

/** The clauses in the words of the text, trimmed, without empty ones; a dependent one stays with the one before. */
export function clausesOf(text: string, standsAlone?: StandsAlone): readonly string[] {
  return standsAlone === undefined ? clausesByMarks(text) : cut(text, standsAlone)
}

const clausesByMarks = readOnce('clauses', (text) => cut(text, byMarks))

function cut(whole: string, standsAlone: StandsAlone): readonly string[] {
  const { text, quotes } = withoutQuotes(whole)
  const marks = [...text.matchAll(BETWEEN)]
  const starts = [0]
  const ends: number[] = []
  for (const [at, { index, 0: mark }] of marks.entries()) {
    const from = index + mark.length
    const next = text.slice(from, marks[at + 1]?.index ?? text.length)
    const isShortened = text[index - 1] === '.' && !endsSentence(text, index - 1, starts.at(-1)!)
    if (isShortened || next.trim() === '' || !standsAlone(next, text.slice(starts.at(-1), index), mark)) continue
    ends.push(index)
    starts.push(from)
  }
  const clauses = starts.map((start, at) => text.slice(start, ends[at] ?? text.length).trim())
  return clauses.filter((clause) => clause !== '').map((clause) => withQuotes(clause, quotes))
}

const QUOTED =
  /"[^"\n]{2,200}"|“[^“”\n]{2,200}”|「[^「」\n]{2,200}」|『[^『』\n]{2,200}』|(?<![\p{L}\p{N}])[‘'][^'‘’\n]{0,200}(?:['’]\p{L}[^'‘’\n]{0,200}){0,40}[’'](?![\p{L}\p{N}])|(?<=(?:[跟对和给]我|(?<!我))(?:说|写道|回[复答])[:：]\s?|\b(?:said|says|wrote|texted|replied|told (?:me|us)): )[^"“「『‘\s][^"“「『\n]{1,200}/giu
const HAN = /[\u3400-\u9fff]/
/** The least words of a quotation; shorter ones are names and terms. */
const FEWEST_WORDS = 4
const FEWEST_HAN = 8
/** Every long word has a capital, and the last one: the name of a work, not a person's statement. */
const TITLE = /^(?:[^\p{Ll}\s]\S*\s+|\p{Ll}\S{0,2}\s+)+[^\p{Ll}\s][^\s.!?]*$/u
/** Words in which somebody speaks of themselves: then a short quotation is speech as well. */
const SPEECH = /\b(?:i|i['’]?m|i['’]ve|we|my|me|our|you|your)\b.+|[我俺咱].{2}/i

/** Words that make a sentence unreal. */
const TOLD = new RegExp(
  [
    String.raw`\b(?:i|we|i['’]ve|she|he)\s+(?:\w+\s+){0,2}?(?:dreamt|dreamed)\b(?!\s+of\s+(?:becoming|being|a career|having)\b)|^(?:(?:so|ok|last night|just|once|again)[,\s]+)*(?:dreamt|dreamed)\b`,
    String.raw`\b(?:had|having|have)\s+(?:\w+\s+){0,3}?(?:dream|nightmare)s?\b(?!\s+(?:job|house|home|of becoming))|\b(?:weird|strange|odd|funny|mad|bad|recurring|crazy)\s+dream\b|\bin\s+(?:my|the|a|that|last night['’]s)\s+(?:\w+\s+)?(?:dream|nightmare)s?\b`,
    String.raw`\b(?:my|the|our)\s+(?:\w+\s+){0,2}?(?:(?:d&d|dnd|game|fictional|main|player|lead)\s+character|character(?:['’]s\s+\w+)?\s+(?:says?|is|lives?|has|wants|hates|loves|grew|works?|tells?|thinks|in)|protagonist|antagonist|heroine|narrator|villain|oc\b)`,
    String.raw`\b(?:in|for)\s+(?:my|the|a|our|this)\s+(?:\w+\s+)?(?:novel|short story|story|screenplay|fanfic|chapter)\b`,
    String.raw`\b(?:lyrics?|song|chorus|line)\s+(?:goes|says|that goes|is|go)\b`,
    '[🎵🎶♪♫]',
    '(?:梦见|梦到|梦里|噩梦|做(?:了|过)?(?:一)?个?[^，。]{0,6}梦)',
    '(?:主角|主人公|女主|男主|反派|我的?角色|我笔下|我写的(?:故事|小说)|(?:小说|故事|剧本|(?<!游)戏)里(?!的?[“「])[^，。]{0,3}我)',
    '(?:歌词|歌里唱|唱道|唱的是|台词(?:是|说))',
  ].join('|'),
  'u',
)
/** From here on a part is played, to the end of the message. */
const PLAYED =
  /\b(?:let['’]?s |time to |wanna |want to )?role-?play(?:ing)?\b|\b(?:let['’]?s )?pretend\b(?=.{0,40}\b(?:i|i['’]?m|you|you['’]?re|we)\b)|\byou(?:['’]re| are| play| be)\s{1,40}(?:the|a|an|my)\b.{0,60}\b(?:and|,)\s{0,40}i(?:['’]?m| am| play)\b|\bi(?:['’]ll| will) (?:be|play) the\b.{0,80}\byou(?:['’]ll|['’]re| are| will| take| play| ask|\b)|\b(?:i['’]?m|i am) (?:a |an )?level \d{1,40}\b|\bplay a game with me\b|角色扮演|我是\d{1,40}级(?=[^，。\s]{0,6}(?:士|师|手|者|侠|客|徒|灵|人|王|兵))|假装(?:你|我|咱)|你(?:来)?(?:演|扮|当)[^，。]{1,12}[，,\s]?我(?:来)?(?:演|扮|当)|我(?:来)?(?:演|扮)[^，。]{1,20}[，,\s].{0,20}你|来?(?:演|玩)一?(?:段|场)|玩个游戏/u

/** Characters of private use that stand where quotations were, one for each. */
const HOLES = /[\ue000-\uefff]/g
const FIRST_HOLE = 0xe000
const MOST_HOLES = 0x1000
/** A text without some of its words. */
interface RealWords {
  readonly text: string
  /** How many places were taken out. */
  readonly taken: number
  /** The quotations that `withQuotes` puts back into sentences of the text. */
  readonly quotes: readonly string[]
}

/** The text with a mark in the place of every quotation that is somebody's speech. */
export function withoutQuotes(text: string): RealWords {
  const quotes: string[] = []
  const rest = text.replace(QUOTED, (quote) => {
    const said = quote.replace(/^["“「『‘']|["”」』’']$/g, '')
    if (quotes.length >= MOST_HOLES || !isSpeech(said)) return quote
    return String.fromCharCode(FIRST_HOLE + quotes.push(quote) - 1)
  })
  return { text: rest, taken: quotes.length, quotes }
}

/** A sentence as it was said, with its quotations. */
export function withQuotes(sentence: string, quotes: readonly string[]): string {
  return quotes.length === 0
    ? sentence
    : sentence.replace(HOLES, (hole) => quotes[hole.charCodeAt(0) - FIRST_HOLE] ?? hole)
}

/** The text without told, played or quoted parts. */
export function withoutUnreal(text: string): RealWords {
  const { text: unquoted, quotes } = withoutQuotes(text)
  let rest = unquoted
  let taken = quotes.length
  const played = PLAYED.exec(inSmallLetters(rest))
  if (played !== null) {
    taken++
    rest = rest.slice(0, played.index)
  }
  if (!TOLD.test(inSmallLetters(rest))) return { text: rest, taken, quotes }
  const isTold = (sentence: string): boolean => {
    const told = TOLD.test(inSmallLetters(sentence))
    if (told) taken++
    return told
  }
  return { text: withoutSentences(rest, isTold, ' '), taken, quotes }
}

function isSpeech(words: string): boolean {
  if (HAN.test(words)) return [...words].length >= FEWEST_HAN || SPEECH.test(words)
  if (TITLE.test(words)) return false
  const count = words.split(/\s+/).length
  return count >= FEWEST_WORDS || (count > 1 && SPEECH.test(words))
}
