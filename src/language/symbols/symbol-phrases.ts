/** Ordinary words that a sentence calls a function, a variable, a class ("The function parse", 参数叫 token). */
import type { SymbolKind } from '../../domain/turn.ts'
import { CAPITAL_WORDS, LANGUAGE_WORDS } from '../known-names.ts'
import { ENGLISH_STOP_WORDS } from '../stop-words.ts'
import { isBrand, isClassWord, isCommonInNames, isVerbOfCode, kindBySpelling } from './identifier-shape.ts'
import type { DefinedName } from './symbol-definitions.ts'

/** Phrases taken of one text at most. */
const MOST_PHRASES = 100
const NAME = '[A-Za-z_$][\\w$]{0,60}(?:\\(\\))?'
const AND = '(?: ?[,、，] ?(?:and )?| and | or | ?[和与及或] ?)'
const LIST = `${NAME}(?:${AND}${NAME}){0,9}`
/** The end of the list, which nothing else may follow: "variables: some are hidden" is a sentence. */
const END_OF_LIST = '(?=\\s*(?:[.。;；!！?？\\n)）]|$))'

const KINDS: Readonly<Record<string, SymbolKind>> = {
  function: 'function',
  method: 'function',
  class: 'class',
  interface: 'class',
  struct: 'class',
  enum: 'class',
  trait: 'class',
}
/** Nouns of programming with hardly another meaning. */
const SURE = 'function|variable|parameter|param|arg|attribute|struct|enum'
/** Nouns whose lists are surely of code; functions may be weddings, attributes virtues. */
const LISTED_ALONE = /^(?:variables|parameters|params|args|constants)$/i
const SURE_NOUNS: ReadonlySet<string> = new Set(SURE.split('|'))
/** Nouns of everyday life, too: the name beside them must look like one, or the text must speak of code. */
const UNSURE = 'method|constant|argument|field|property|option|flag|class|interface|trait|hook|prop|column|object'
const NOUN = `(${SURE}|${UNSURE})`
const PLURAL =
  '(functions|variables|parameters|params|args|attributes|constants|structs|enums|methods|arguments|fields|properties|options|flags|classes|interfaces|hooks|props|columns)'
const BEFORE_NOUN =
  '(?:the|a|an|this|that|our|my|its|your|one|and|or|to|of|helper|utility|async|local|global|private|public|static|boolean|optional|required|rename|pass|call|calls)'

const NAMED = new RegExp(`\\b${NOUN}s? (?:(?:is |are |was |were )?(?:called|named)) (${LIST})`, 'dgi')
const BESIDE = new RegExp(`\\b${BEFORE_NOUN} ${NOUN} (${NAME})(?=(?: to (${NAME}))?)`, 'dgi')
const SEVERAL = new RegExp(`\\b${PLURAL} (${NAME}${AND}${NAME}(?:${AND}${NAME}){0,8})`, 'dgi')
const LABEL = new RegExp(`\\b${PLURAL}(?: names?)?[:：][ \\t]*(${LIST})${END_OF_LIST}`, 'dgi')
const NAMES_LABEL = new RegExp(
  `\\b(function|variable|parameter|method|field|class|column|constant) names?[:：][ \\t]*(${LIST})${END_OF_LIST}`,
  'dgi',
)

const CHINESE_NOUN = '(函数|方法|变量|参数|字段|常量|接口|类|属性|枚举)'
const CHINESE_SAID = new RegExp(
  `${CHINESE_NOUN}名?[ ]?(?:分别)?(?:叫做|叫|是|为|名为|命名为|称为|有|包括|[:：])[ ]?(${LIST})`,
  'dg',
)
const CHINESE_BEARING = new RegExp(
  `(?<![他她你我人友弟妹哥姐])(?:叫做|叫|名为|命名为|称为|名叫)[ ]?(${LIST})[ ]?的[ ]?${CHINESE_NOUN}(?![似别型])`,
  'dg',
)

const ENGLISH_HINT = new RegExp(
  `\\b(?:${SURE}|${UNSURE}|propertie)(?:s|es)?(?: names?)?(?: (?:is |are |was |were )?(?:called|named))?[:：]? ?[A-Za-z_$]`,
  'i',
)
const CHINESE_HINT =
  /(?:函数|方法|变量|参数|字段|常量|接口|类|属性|枚举)名?[^A-Za-z\n]{1,5}[A-Za-z_$]|(?:叫做?|命名为|名为|称为) ?[A-Za-z_$]/
/** Second halves of compound nouns, and what functions and variables do in a sentence. */
const NO_NAMES = new Set(
  `room rooms hall key keys call calls name names named called body signature pointer point type types definition
  declaration argument arguments parameter parameters space composition generator actor acting man section rate rates
  cost costs weather speed star stars income interest length scope assignment value values list trip work hockey goal day
  study test tests notes research guide hand tax taxes market manager owner developer price prices rights damage law
  pressure pain noise change motion threat battle folding source struggle reminder stress pole football carrier action
  size reunion clown teacher schedule president mate time like instead example here now returns return returned takes
  take gets get works work fails fail does accepts throws needs needs must should could would may might gives inside
  outside within without named itself used uses using first second new old two three stand stands also always never
  still anymore yet please maybe today trained hypothesis theory approximation group groups member members object
  objects parameterised error errors bug issue problem level levels wise fitting selection width height`.split(/\s+/),
)

/** A cheap test: false means that `phraseNames` would find nothing. */
export function mayHoldPhrase(text: string): boolean {
  return ENGLISH_HINT.test(text) || CHINESE_HINT.test(text)
}

/** The names that phrases of the text introduce, each with its place; only of its prose between `from` and `to`. */
export function phraseNames(text: string, from: number, to: number): readonly DefinedName[] {
  const prose = text.slice(from, to)
  const found: DefinedName[] = []
  const ofCode = speaksOfCode(prose.replace(/\b(?:functions?|methods?|variables?|interfaces?|classes|class)\b/gi, ' '))
  const take = (match: RegExpExecArray, noun: string, group: number, needs: Needs): void => {
    const start = match.indices![group]![0]
    const names = [...match[group]!.matchAll(/[A-Za-z_$][\w$]*/g)].filter((name) => !/^(?:and|or)$/.test(name[0]))
    // "Functions: weddings, parties" names none; one name that is clearly code vouches for its list.
    const vouched = ofCode || (needs === 'list' && (LISTED_ALONE.test(noun) || names.some((name) => isOfCode(name[0]))))
    if (needs === 'list' && !vouched) return
    for (const name of names) {
      if (isNameOf(name[0], noun, needs, vouched))
        found.push({ name: name[0], kind: kindOf(noun, name[0]), at: from + start + name.index })
    }
  }
  for (const match of matches(CHINESE_SAID, prose)) take(match, match[1]!, 2, 'nothing')
  for (const match of matches(CHINESE_BEARING, prose)) take(match, match[2]!, 1, 'nothing')
  for (const match of matches(NAMED, prose)) take(match, match[1]!, 2, 'look')
  for (const match of matches(LABEL, prose)) take(match, match[1]!, 2, 'list')
  for (const match of matches(NAMES_LABEL, prose)) take(match, match[1]!, 2, 'nothing')
  for (const match of matches(SEVERAL, prose)) take(match, match[1]!, 2, 'look')
  for (const match of matches(BESIDE, prose)) {
    take(match, match[1]!, 2, 'look')
    if (match[3] !== undefined && /\brename[sd]?\b[^.\n]{0,20}$/i.test(prose.slice(0, match.index + 7)))
      take(match, match[1]!, 3, 'look')
  }
  return found
}

/** The evidence that a name needs: none; no noun of a compound; or, in a list behind a colon, its spelling. */
type Needs = 'nothing' | 'list' | 'look'

function matches(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  const all: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    all.push(match)
    if (all.length >= MOST_PHRASES) break
  }
  return all
}

function isNameOf(name: string, noun: string, needs: Needs, ofCode: boolean): boolean {
  const lower = name.toLowerCase()
  if (name.length < 2 || LANGUAGE_WORDS.has(name) || CAPITAL_WORDS.has(name) || isBrand(name)) return false
  if (ENGLISH_STOP_WORDS.has(lower) || /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/.test(lower)) return false
  if (needs === 'look' && NO_NAMES.has(lower)) return false
  if (needs === 'nothing' || kindBySpelling(name) !== null) return true
  const single = singular(noun)
  if (KINDS[single] === 'class')
    return /^[A-Z]/.test(name) && (ofCode || isClassWord(lower) || /^(?:struct|enum|interface|trait)$/.test(single))
  if (!/^[a-z_$]/.test(name) || /(?:ing|ed|ly)$/.test(name)) return false
  if (ofCode || isOfCode(name)) return true
  return SURE_NOUNS.has(single)
}

/** A verb or a noun of programs, a spelling of code, or letters without a vowel: src, ctx. */
function isOfCode(name: string): boolean {
  if (kindBySpelling(name) !== null || /^[b-df-hj-np-tv-xz]{2,5}$/.test(name)) return true
  return isVerbOfCode(name) || isCommonInNames(name) || (/^[A-Z]/.test(name) && isClassWord(name.toLowerCase()))
}

function kindOf(noun: string, name: string): SymbolKind {
  if (/(?:Error|Exception)$/.test(name)) return 'error'
  if (noun === '函数' || noun === '方法') return 'function'
  if (noun === '类' || noun === '接口' || noun === '枚举') return 'class'
  return KINDS[singular(noun)] ?? 'variable'
}

function singular(noun: string): string {
  const lower = noun.toLowerCase()
  return lower.startsWith('class') ? 'class' : lower.replace(/ies$/, 'y').replace(/s$/, '')
}

const CODE_WORDS =
  /[`{};]|=>|\(\)|\b(?:class(?:es)? [A-Z]|function|method|bugs?|code|codebase|module|imports?|component|null|undefined|exceptions?|throws|refactor\w{0,40}|commits?|deploy\w{0,40}|unit tests?|interface|struct|enum|variable|instance|constructor|inherit\w{0,40}|extends|implements|compil\w{1,40}|debug\w{0,40}|stack ?trace|repo|parser|renders?|endpoint|schema|migration|singleton|subclass|mutex|thread|async|callback|serializ\w{1,40})\b|函数|方法|[这该个子父]类|接口|代码|报错|变量|组件|模块|重构|部署|编译|实例|调用|异常|单元测试|抛出|继承|字段|线程|加锁|回调|序列化|数据库表/i
/** Characters that are read, as the beginning of a page shows its subject. */
const CHARACTERS_READ = 20_000

/** Whether a text speaks of programs at all: it decides about names that people and companies may bear as well. */
export function speaksOfCode(text: string): boolean {
  return CODE_WORDS.test(text.length > CHARACTERS_READ ? text.slice(0, CHARACTERS_READ) : text)
}
