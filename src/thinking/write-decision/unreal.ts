/**
 * Which words of a message tell of what is not so, or what somebody else says? Dreams, songs, figures of a story, parts that
 * are played and words in quotation marks: nothing in them is a fact about the writer.
 */
import { splitSentences } from '../../language/sentences.ts'
import { formsFor } from '../facts/forms.ts'
import { statedIn } from '../facts/generic-forms.ts'

const QUOTED =
  /"[^"\n]{2,200}"|“[^”\n]{2,200}”|「[^」\n]{2,200}」|『[^』\n]{2,200}』|(?<![\p{L}\p{N}])[‘'][^'‘’\n]{0,200}(?:['’]\p{L}[^'‘’\n]{0,200}){0,40}[’'](?![\p{L}\p{N}])/gu
const HAN = /[\u3400-\u9fff]/
/** Shorter quotations are names and terms. */
const FEWEST_WORDS = 4
const FEWEST_HAN = 8
/** Every long word has a capital, and the last one: the name of a work, not what somebody says. */
const TITLE = /^(?:\P{Ll}\S*\s+|\p{Ll}\S{0,2}\s+)+\P{Ll}[^\s.!?]*$/u
/** Words in which somebody speaks of themselves: then a short quotation is speech as well. */
const SPEECH = /\b(?:i|i['’]?m|i['’]ve|we|my|me|our|you|your)\b.+|[我俺咱].{2}/i

/** The telling starts here and lasts to the end of the sentence. */
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
  'iu',
)
/** From here on a part is played, to the end of the message. */
const PLAYED =
  /\b(?:let['’]?s |time to |wanna |want to )?role-?play(?:ing)?\b|\b(?:let['’]?s )?pretend\b(?=.{0,40}\b(?:i|i['’]?m|you|you['’]?re|we)\b)|\byou(?:['’]re| are| play| be)\s{1,40}(?:the|a|an|my)\b.{0,60}\b(?:and|,)\s{0,40}i(?:['’]?m| am| play)\b|\bi(?:['’]ll| will) (?:be|play) the\b.{0,80}\byou(?:['’]ll|['’]re| are| will| take| play| ask|\b)|\b(?:i['’]?m|i am) (?:a |an )?level \d{1,40}\b|\bplay a game with me\b|角色扮演|我是\d{1,40}级(?=[^，。\s]{0,6}(?:士|师|手|者|侠|客|徒|灵|人|王|兵))|假装(?:你|我|咱)|你(?:来)?(?:演|扮|当)[^，。]{1,12}[，,\s]?我(?:来)?(?:演|扮|当)|我(?:来)?(?:演|扮)[^，。]{1,20}[，,\s].{0,20}你|来?(?:演|玩)一?(?:段|场)|玩个游戏/iu

/** What a program said is no speech: "failing with 'no space left on device'", 报错“连接被拒绝”. */
const PROGRAM_SAYS =
  /(?:\b(?:fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|dies|died|errors?|exception|warnings?|logs?|logged)(?:\s{1,40}(?:out|again|message|line))?(?:\s{1,40}(?:with|saying|says|said|of|was|is))?|报错|报了|错误|异常|警告|日志|提示)(?:信息)?(?:说|是|里)?[:：,，]?\s{0,40}$/iu

/** No program speaks of itself like this. */
const SELF = /\b(?:i|i['’]m|i['’]ve|my|me|we|our)\b|[我俺咱]/i
/** Characters before a quotation in which that is said. */
const LONGEST_CUE = 40

/** Stands where a quotation was. */
const HOLE = '…'
/** "She goes …." says nothing without what was quoted. */
const ENDS_IN_HOLE = new RegExp(`${HOLE}[\\s.!?,;。！？，；)）]*$`)

/**
 * The text without what is told, played or quoted, and how many places were taken out. A sentence that ends in a quotation
 * goes with it; within a sentence `…` stands in its place.
 */
export function withoutUnreal(text: string): { readonly text: string; readonly taken: number } {
  let taken = 0
  let rest = text.replace(QUOTED, (quote, at: number) => {
    const said = quote.slice(1, -1)
    if (!isSpeech(said) || isOfProgram(said, text.slice(Math.max(0, at - LONGEST_CUE), at))) return quote
    taken++
    return HOLE
  })
  if (taken > 0)
    for (const sentence of splitSentences(rest)) {
      if (ENDS_IN_HOLE.test(sentence)) rest = rest.replace(sentence, ' ')
    }
  const played = PLAYED.exec(rest)
  if (played !== null) {
    taken++
    rest = rest.slice(0, played.index)
  }
  if (!TOLD.test(rest)) return { text: rest, taken }
  for (const sentence of splitSentences(rest)) {
    const told = TOLD.exec(sentence)
    if (told === null) continue
    taken++
    rest = rest.replace(sentence, () => clauseBefore(sentence, told.index))
  }
  return { text: rest, taken }
}

/** What the sentence says before the clause in which the telling begins. */
function clauseBefore(sentence: string, at: number): string {
  const before = sentence.slice(0, at)
  const end = Math.max(...[',', '，', ';', '；', ':', '：', '—', ' - '].map((mark) => before.lastIndexOf(mark)))
  return end < 0 ? ' ' : `${before.slice(0, end)} `
}

/** Whether a program said it. What tells of a person is somebody's words: people warn, remind and log, too. */
function isOfProgram(said: string, before: string): boolean {
  if (!PROGRAM_SAYS.test(before) || SELF.test(said)) return false
  return !formsFor(said).some(({ pattern }) => pattern.test(said)) && statedIn(said)?.preference !== true
}

function isSpeech(words: string): boolean {
  if (HAN.test(words)) return [...words].length >= FEWEST_HAN || SPEECH.test(words)
  if (TITLE.test(words)) return false
  const count = words.split(/\s+/).length
  return count >= FEWEST_WORDS || (count > 1 && SPEECH.test(words))
}
