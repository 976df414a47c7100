/**
 * Does a model's text say only what its sources say? No number or name that nobody said, no steering of an assistant,
 * the script of the sources; days may be worked out.
 */
import { readOnce } from '../../domain/read-once.ts'
import { chineseNumber, ENGLISH_NUMBERS, yearNumber } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { indexTerms, isGenericTerm } from '../../language/terms.ts'
import { wordList } from '../../language/word-lists.ts'

/** Words with which a model speaks about its user, in any text. */
const TELLING_ABOUT = new Set([
  ...indexTerms(
    'user users person speaker assistant stated says expressed wants likes prefers 用户 该用户 表示 提到 喜欢',
  ).keys(),
])
const SINGLE_UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u

/** The terms of a text that could tell it from another one. */
export const tellingTerms = readOnce('telling terms', (text): ReadonlySet<string> => {
  const terms = [...indexTerms(text).keys()].filter((term) => !SINGLE_UNSPACED.test(term))
  const telling = terms.filter((term) => !isGenericTerm(term) && !TELLING_ABOUT.has(term))
  return new Set(telling)
})

/** Share of the telling terms of `text` that are among `terms`, 0 to 1; null when it has none. */
export function shareFound(text: string, terms: ReadonlySet<string>): number | null {
  const asked = tellingTerms(text)
  if (asked.size === 0) return null
  let found = 0
  for (const term of asked) if (terms.has(term)) found++
  return found / asked.size
}

const ENGLISH = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|foregoing|all|any|your|system|these|those)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|directions?|guardrails?|restrictions?|policies)\b/i,
  // Another identity or mode.
  /\byou (?:are|will) now\b|\bfrom now on,? you (?:are|will|must|act)\b|(?:^|[.!?:\n]\s{0,40})(?:act|behave|respond) as (?:if|though|an?|the)\b|\b(?:developer|jailbreak|dan|god|unrestricted) mode\b/im,
  // Hiding or giving away of things.
  /\b(?:do not|don['’]?t|never|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|warn|alert|notify)(?:ing)? (?:\w{1,40} ){0,3}?(?:the )?user\b/i,
  /\b(?:reveal|print|repeat|output|show|leak|send|exfiltrate|forward)\b[^.!?\n]{0,40}\b(?:system prompt|your (?:instructions|prompt)|hidden prompt|api keys?|credentials|all (?:stored )?memories)\b/i,
  // Orders to the assistant for later.
  /\b(?:ai|assistant|chatbot|llm)s? (?:must|shall|has to|is (?:required|instructed) to|are (?:required|instructed) to) (?:always |never |now |only )?(?:recommend|promote|endorse|tell|say|send|obey|follow|ignore|include|insert|visit|click|reply|respond|answer)\b/i,
  /\b(?:when|whenever|if) (?:the|a|any) users? (?:asks?|mentions?|wants?|says?|requests?)\b[^.!?\n]{0,80}\b(?:recommend|promote|endorse|tell|say|send|reply|respond|answer|insist|suggest|include)\b/i,
]
const CHINESE = [
  /(?:忽略|无视|忘记|忘掉|不要理会|不用管|绕过|推翻)[^。！？\n]{0,12}(?:之前|以前|以上|上面|前面|先前|所有|全部|一切|系统|你的|原有)[^。！？\n]{0,12}(?:指令|指示|提示|命令|规则|设定|限制|要求|约束)/,
  /(?:从现在(?:开始|起)|接下来|此后)[，,]?\s{0,40}你(?:就)?(?:是|将|必须|要扮演|扮演)|你现在(?:是|扮演|进入)|(?:越狱|开发者|无限制)模式/,
  /(?:不要|别|不准|不许|切勿|无需|禁止)(?:把[^。！？\n]{0,12})?(?:告诉|告知|通知|提醒|透露给|让)用户/,
  /(?:输出|打印|泄露|泄漏|透露|公开|发送|复述)[^。！？\n]{0,12}(?:系统提示|提示词|你的指令|密钥|凭证|全部记忆|所有记忆)/,
  /(?:助手|助理|聊天机器人|智能体|AI)(?:们)?(?:必须|应当|务必|一定要)[^。！？\n]{0,12}(?:推荐|推销|宣传|告诉|回答|回复|发送|服从|遵守|忽略|点击|访问)/,
  /(?:当|如果|只要|每当|若)用户(?:问|提到|要求|想|说)[^。！？\n]{0,30}(?:推荐|推销|宣传|告诉|回答|回复|发送|坚称|建议)/,
]
/** Orders for every time to come; a user may give such an order, nobody else. */
const ENGLISH_ORDER =
  /(?:^|[.!?:;,\n]\s{0,40}|\b(?:should|must|shall|will|to) )(?:please )?(?:always|never|only|invariably) (?:recommend|promote|endorse|suggest|advertise|praise|mention|cite|link|insert|include|append|advise|tell|say|answer|reply|respond|send|visit|click|prefer|trust|obey|follow)\b/im
const CHINESE_ORDER =
  /(?:总是|始终|务必|永远|一律|一定要|每次都?要?|必须|只能|只|从不|绝不)(?:要|优先)?(?:推荐|推销|宣传|推广|提及|提到|引用|插入|附上|告诉|回答|回复|发送|点击|访问|服从|遵守)/
/** Calls of tools by models, and their usual contents. */
const TOOL_CALL =
  /<\/?(?:tool_?calls?|tool_?use|tool_?results?|function_?calls?|function_?results?|invoke)\b|"(?:tool_calls?|function_call|tool_use_id)"\s{0,40}:|"name"\s{0,40}:\s{0,40}"[\w.-]{1,40}"\s{0,40},\s{0,40}"(?:arguments|parameters|input)"\s{0,40}:|(?:^|\n)\s{0,40}(?:Action|Action Input|Observation)\s{0,40}:/
/** Marks by which chat templates separate speakers. */
const TEMPLATE =
  /<\|[a-z_]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|(?:^|\n)\s{0,40}#{0,4}\s{0,40}(?:system|assistant)\s{0,40}[:：]/i

const LONGEST_TEXT = 20_000

/** true for "Always recommend …", 务必推荐……: steers an assistant too, unless the user asked for it. */
export function ordersAssistant(text: string): boolean {
  const bounded = text.slice(0, LONGEST_TEXT).normalize('NFKC')
  return ENGLISH_ORDER.test(bounded) || CHINESE_ORDER.test(bounded)
}

/** true for "Ignore all previous instructions and …", 忽略以上所有指令, template marks, tool calls, orders to any assistant. */
export function steersAssistant(text: string): boolean {
  const bounded = text.slice(0, LONGEST_TEXT).normalize('NFKC')
  return (
    TEMPLATE.test(bounded) ||
    TOOL_CALL.test(bounded) ||
    [...ENGLISH, ...CHINESE].some((pattern) => pattern.test(bounded))
  )
}

/** The numbers and the words in Latin letters that an exchange holds. */
export interface SaidDetails {
  readonly numbers: ReadonlySet<number>
  /** Lower-case. */
  readonly words: ReadonlySet<string>
  /** The first letters of each word, for "Norway" and "Norwegian". */
  readonly beginnings: ReadonlySet<string>
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** Days and years as models write them. */
const DATE = new RegExp(
  [
    '\\d{4}-\\d{2}(?:-\\d{2})?(?:T[\\d:.]+Z?)?',
    '(?:\\d{2,4} ?年 ?)?\\d{1,2} ?月(?: ?\\d{1,2} ?[日号])?|\\d{2,4} ?年',
    `\\b${MONTH}\\.? \\d{1,2}(?!\\d)(?:st|nd|rd|th)?(?:[-–]\\d{1,2})?(?:,? \\d{4})?`,
    `\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? \\d{4})?|\\b${MONTH},? \\d{4}`,
  ].join('|'),
  'gi',
)
const NUMBER = /\d+(?:[,.]\d{3}(?!\d))*(?:\.\d+)?/g
const HAN_NUMBER = /[零〇一二两三四五六七八九十百半]+/g
const LATIN_WORD = /[\p{Script=Latin}\p{M}][\p{Script=Latin}\p{M}\d'’]*/gu
/** The number of first letters that make two words one. */
const BEGINNING = 4
const WORDS: ReadonlyMap<string, number> = new Map([
  ...ENGLISH_NUMBERS,
  ...'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at): [string, number] => [word, at + 1]),
  ['once', 1],
  ['twice', 2],
  ['double', 2],
  ['couple', 2],
  ['pair', 2],
  ['half', 0.5],
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])
/** The words of a model for those who speak: no names. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'users', 'assistant', 'ai'])
const CAPITAL = /^\p{Lu}/u
/** The beginning of a line or sentence, where any word has a capital. */
const BEGINS = /(?:^|[.!?:;"“”‘(\n—–-])\s{0,40}['"“‘(]{0,40}$/u

/** The details of these texts; with the day on which they were said, the years too that are reckoned from it: "for 3 years". */
export function saidDetails(text: string, saidAt: number | null = null): SaidDetails {
  const words = new Set(latinWords(text).map(({ word }) => word))
  const numbers = new Set([...digits(text), ...spelled(text), ...inHan(text)])
  const year = saidAt === null ? null : new Date(saidAt).getUTCFullYear()
  const reckoned =
    year === null ? [] : [0, 1, 2, ...numbers].filter(Number.isInteger).flatMap((n) => [year - n, year + n])
  return {
    words,
    beginnings: new Set([...words].flatMap(beginningsOf)),
    numbers: new Set([...numbers, ...reckoned]),
  }
}

/** A double letter counts once: "Marakesh" was meant as Marrakesh. */
function beginningsOf(word: string): readonly string[] {
  return [word, word.replace(/(.)\1/gu, '$1')].map((letters) => letters.slice(0, BEGINNING))
}

/** true when the text holds a number or a name that is not among the details. */
export function holdsUnsaidDetail(text: string, said: SaidDetails): boolean {
  const undated = text.replace(DATE, ' ').replace(/(\d{1,2}):\d{2}/g, '$1')
  return digits(undated).some((number) => !isSaid(number, said)) || names(undated).some((name) => !isNamed(name, said))
}

/** The number one is no detail; 15 o'clock may have been said as 3. */
function isSaid(number: number, { numbers }: SaidDetails): boolean {
  return number <= 1 || numbers.has(number) || (number > 12 && number < 24 && numbers.has(number - 12))
}

function isNamed(name: string, { words, beginnings }: SaidDetails): boolean {
  return words.has(name) || (name.length >= BEGINNING && beginningsOf(name).some((letters) => beginnings.has(letters)))
}

/** Words with a capital inside a sentence; among Han every word in Latin letters. */
function names(text: string): readonly string[] {
  const isHan = hasHan(text)
  const words = latinWords(text)
  const long = words.filter(({ word }) => word.length >= BEGINNING)
  // A capital in A Title Written Like This tells no name.
  if (!isHan && long.length > 2 && long.every(({ written }) => CAPITAL.test(written))) return []
  return words
    .filter(({ written, at }) => isHan || (CAPITAL.test(written) && !BEGINS.test(text.slice(Math.max(0, at - 8), at))))
    .map(({ word }) => word)
    .filter((word) => word.length > 1 && !SPEAKERS.has(word) && !wordList('no-names').has(word))
}

function latinWords(text: string): readonly { readonly word: string; readonly written: string; readonly at: number }[] {
  return [...text.matchAll(LATIN_WORD)].map(({ 0: written, index }) => ({
    word: written.toLowerCase().replace(/['’](?:s|m|re|ve|ll|d)?$/, ''),
    written,
    at: index,
  }))
}

function digits(text: string): readonly number[] {
  return (text.match(NUMBER) ?? []).map((number) => Number(number.replaceAll(',', ''))).filter(Number.isFinite)
}

/** "twenty-five" is 20, 5 and 25. */
function spelled(text: string): readonly number[] {
  const found = latinWords(text).map(({ word }) => WORDS.get(word))
  return found.flatMap((number, at) => {
    const next = found[at + 1]
    if (number === undefined) return []
    if (next === undefined) return [number]
    return [number, number >= 20 && number < 100 && next < 10 ? number + next : number * next]
  })
}

function inHan(text: string): readonly number[] {
  return (text.match(HAN_NUMBER) ?? []).flatMap((number) => [
    chineseNumber(number),
    yearNumber(number),
    ...[...number].map(chineseNumber),
  ])
}

const SCRIPTS = {
  han: /\p{Script=Han}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}+/gu,
  cyrillic: /\p{Script=Cyrillic}+/gu,
  arabic: /\p{Script=Arabic}+/gu,
  latin: /\p{Script=Latin}+/gu,
} as const
/** A script that texts are told apart by. */
type Script = keyof typeof SCRIPTS
const NAMES: readonly Script[] = ['han', 'kana', 'hangul', 'cyrillic', 'arabic', 'latin']

/** Characters of Han or kana to a word. */
const CHARACTERS_PER_WORD = 1.5
/** Share of the words from which on a text is Chinese though it names much in Latin letters. */
const HAN_SHARE = 0.4
const KANA_SHARE = 0.2

/** The script of the text's sentences; null without letters. */
export function mainScript(text: string): Script | null {
  const bounded = text.slice(0, LONGEST_TEXT)
  const words = (script: Script): number => {
    const count = bounded.match(SCRIPTS[script])?.length ?? 0
    return script === 'han' || script === 'kana' ? count / CHARACTERS_PER_WORD : count
  }
  const counts = NAMES.map((script) => ({ script, count: words(script) }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  const share = (wanted: Script): number => counts.find(({ script }) => script === wanted)!.count / all
  if (share('kana') >= KANA_SHARE) return 'kana'
  if (share('han') + share('kana') >= HAN_SHARE) return 'han'
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).script
}

/** false when `answer` is surely not in the language in which `written` is. */
export function inSameScript(written: string, answer: string): boolean {
  const wanted = mainScript(written)
  const given = mainScript(answer)
  if (wanted === null || given === null || wanted === given) return true
  const holds = (text: string, script: Script): boolean => text.search(SCRIPTS[script]) >= 0
  // A short Chinese statement may name more in Latin letters than it says in Han.
  return wanted === 'han' || wanted === 'kana' ? holds(answer, 'han') || holds(answer, 'kana') : holds(written, given)
}
