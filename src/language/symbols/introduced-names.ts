/** Which names does a text introduce, by a keyword ("class OrderService") or in a phrase ("the function processPayment")? */
import type { SymbolKind } from '../../domain/turn.ts'
import { ENGLISH_STOP_WORDS } from '../word-lists.ts'
import {
  CAPITAL_WORDS,
  isBrand,
  isClassWord,
  isCommonInNames,
  isVerbOfCode,
  kindBySpelling,
  LANGUAGE_WORDS,
  NO_NAMES,
} from './name-shapes.ts'

/** A name with its kind; `at` is its place in the text. */
export interface DefinedName {
  readonly name: string
  readonly kind: SymbolKind
  readonly at: number
}

interface Rule {
  readonly kind: SymbolKind
  /** Sticky; group 1 is the name. Strict enough for prose: "the function is slow" must not match. */
  readonly prose: RegExp
  /** Inside a block of code, where a keyword is a keyword. */
  readonly code: RegExp
}

const GAP = '[ \\t]{1,8}'
const NAME = '([A-Za-z_$][\\w$]{0,99})'
const FUNCTION_RULE: Rule = {
  kind: 'function',
  prose: new RegExp(`\\*?${GAP}(?:\\([^()\\n]{0,60}\\)${GAP})?${NAME}[ \\t]?[(<]`, 'y'),
  code: new RegExp(`\\*?${GAP}(?:\\([^()\\n]{0,60}\\)${GAP})?${NAME}`, 'y'),
}
const CLASS_RULE: Rule = {
  kind: 'class',
  prose: new RegExp(`${GAP}((?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|I\\b)[A-Z]\\w{1,99})`, 'y'),
  code: new RegExp(`${GAP}([A-Z]\\w{0,99})`, 'y'),
}
const TYPE_RULE: Rule = {
  kind: 'class',
  prose: new RegExp(`${GAP}([A-Z]\\w{0,99})[ \\t]?(?:[{(<:;]|=(?!=)|extends\\b|implements\\b)`, 'y'),
  code: CLASS_RULE.code,
}
const VARIABLE_RULE: Rule = {
  kind: 'variable',
  prose: new RegExp(`${GAP}(?:mut${GAP})?${NAME}[ \\t]?(?::[^=\\n]{1,60})?:?=(?!=)`, 'y'),
  code: new RegExp(`${GAP}(?:mut${GAP})?${NAME}(?=[ \\t]?(?::[^=\\n]{1,60})?[=;\\n])`, 'y'),
}

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...['def', 'function', 'fn', 'func', 'fun', 'sub'].map((word) => [word, FUNCTION_RULE] as const),
  ['class', CLASS_RULE],
  ...'interface struct enum trait record protocol type new extends implements instanceof raise throw impl'
    .split(' ')
    .map((word) => [word, TYPE_RULE] as const),
  ...['const', 'let', 'var', 'val'].map((word) => [word, VARIABLE_RULE] as const),
])

const DESTRUCTURED = /[ \t]{1,8}[{[]([^}\]\n]{1,200})[}\]][ \t]?=/y
const FUNCTION_VALUE =
  /[ \t]{0,4}(?::[^=\n]{1,60})?=[ \t]{0,4}(?:async\b[ \t]{0,4})?(?:function\b|\([^()\n]{0,80}\)[ \t]{0,4}(?::[^=\n]{1,40})?=>|[A-Za-z_$][\w$]{0,60}[ \t]{0,4}=>)/y

/** true for a word that may introduce a name. */
export function isKeyword(word: string): boolean {
  return RULES.has(word)
}

/** The names that the keyword introduces, which ends at `end`; none when it is only a word of prose. */
export function definedNames(text: string, keyword: string, end: number, inCode: boolean): readonly DefinedName[] {
  const rule = RULES.get(keyword)
  if (rule === undefined) return []
  if (rule === VARIABLE_RULE) {
    const names = destructuredNames(text, end)
    if (names.length > 0) return names
  }
  const pattern = inCode ? rule.code : rule.prose
  pattern.lastIndex = end
  const match = pattern.exec(text)
  const name = match?.[1]
  if (match === null || name === undefined) return []
  const at = end + match[0].indexOf(name)
  const kind = rule === CLASS_RULE || rule === TYPE_RULE ? classOrError(name) : rule.kind
  return [{ name, kind: kind === 'variable' && holdsFunction(text, at + name.length) ? 'function' : kind, at }]
}

function destructuredNames(text: string, end: number): readonly DefinedName[] {
  DESTRUCTURED.lastIndex = end
  const match = DESTRUCTURED.exec(text)
  if (match === null) return []
  const start = end + match[0].indexOf(match[1]!)
  return [...match[1]!.matchAll(/[A-Za-z_$][\w$]*/g)].map((name) => ({
    name: name[0],
    kind: 'variable' as const,
    at: start + name.index,
  }))
}

function holdsFunction(text: string, end: number): boolean {
  FUNCTION_VALUE.lastIndex = end
  return FUNCTION_VALUE.test(text)
}

function classOrError(name: string): SymbolKind {
  return /(?:Error|Exception)$/.test(name) ? 'error' : 'class'
}

/** Phrases taken of one text at most. */
const MOST_PHRASES = 100
const NAME_OR_CALL = '[A-Za-z_$][\\w$]{0,60}(?:\\(\\))?'
const AND = '(?: ?[,、，] ?(?:and )?| and | or | ?[和与及或] ?)'
const LIST = `${NAME_OR_CALL}(?:${AND}${NAME_OR_CALL}){0,9}`
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
const BESIDE = new RegExp(`\\b${BEFORE_NOUN} ${NOUN} (${NAME_OR_CALL})(?=(?: to (${NAME_OR_CALL}))?)`, 'dgi')
/** A longer text about programs says some word of code besides: "the search function" of a library's page names none. */
const LONGEST_ALONE = 300
/** The name stands before its noun: "the merge function". */
const BEFORE = new RegExp(`\\b(?:the|a|an|this|that|our|my|its|your) (${NAME_OR_CALL}) ${NOUN}(?![\\w-])`, 'dgi')
const SEVERAL = new RegExp(`\\b${PLURAL} (${NAME_OR_CALL}${AND}${NAME_OR_CALL}(?:${AND}${NAME_OR_CALL}){0,8})`, 'dgi')
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
  `\\b(?:${SURE}|${UNSURE}|propertie)(?:s|es)?(?: names?)?(?: (?:is |are |was |were )?(?:called|named))?[:：]? ?[A-Za-z_$]|[\\w$)] (?:${SURE}|${UNSURE})(?![\\w-])`,
  'i',
)
const CHINESE_HINT =
  /(?:函数|方法|变量|参数|字段|常量|接口|类|属性|枚举)名?[^A-Za-z\n]{1,5}[A-Za-z_$]|(?:叫做?|命名为|名为|称为) ?[A-Za-z_$]/
/** A cheap test: false means that `phraseNames` would find nothing. */
export function mayHoldPhrase(text: string): boolean {
  return ENGLISH_HINT.test(text) || CHINESE_HINT.test(text)
}

/** The names that phrases of the text introduce, each with its place; only of its prose between `from` and `to`. */
export function phraseNames(text: string, from: number, to: number): readonly DefinedName[] {
  const prose = text.slice(from, to)
  const found: DefinedName[] = []
  const ofCode = speaksOfCode(prose.replace(/\b(?:functions?|methods?|variables?|interfaces?|classes|class)\b/gi, ' '))
  const isShort = prose.length <= LONGEST_ALONE
  const take = (match: RegExpExecArray, noun: string, group: number, needs: Needs): void => {
    const start = match.indices![group]![0]
    const names = [...match[group]!.matchAll(/[A-Za-z_$][\w$]*/g)].filter((name) => !/^(?:and|or)$/.test(name[0]))
    // "Functions: weddings, parties" names none; one name that is clearly code vouches for its list.
    const vouched =
      ofCode ||
      (needs === 'use' && isShort && (SURE_NOUNS.has(noun.toLowerCase()) || /^[A-Z]/.test(match[group]!))) ||
      (needs === 'list' && (LISTED_ALONE.test(noun) || names.some((name) => isOfCode(name[0]))))
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
  for (const match of matches(BEFORE, prose)) take(match, match[2]!, 1, 'use')
  for (const match of matches(BESIDE, prose)) {
    take(match, match[1]!, 2, 'look')
    if (match[3] !== undefined && /\brename[sd]?\b[^.\n]{0,20}$/i.test(prose.slice(0, match.index + 7)))
      take(match, match[1]!, 3, 'look')
  }
  return found
}

/** The evidence that a name needs: none; no noun of a compound; that names of its kind are made of it; in a list its spelling. */
type Needs = 'nothing' | 'list' | 'look' | 'use'

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
  if ((needs === 'look' || needs === 'use') && NO_NAMES.has(lower)) return false
  if (needs === 'nothing' || kindBySpelling(name) !== null) return true
  const single = singular(noun)
  if (needs === 'use') return ofCode && isUsedFor(name, KINDS[single] ?? 'variable')
  if (KINDS[single] === 'class')
    return /^[A-Z]/.test(name) && (ofCode || isClassWord(lower) || /^(?:struct|enum|interface|trait)$/.test(single))
  if (!/^[a-z_$]/.test(name) || /(?:ing|ed|ly)$/.test(name)) return false
  if (ofCode || isOfCode(name)) return true
  return SURE_NOUNS.has(single)
}

/** Functions are named by verbs, variables by things, classes by things with a capital letter. */
function isUsedFor(name: string, kind: SymbolKind): boolean {
  if (kind === 'class') return /^[A-Z]/.test(name) && isClassWord(name.toLowerCase())
  return kind === 'function' ? isVerbOfCode(name) : isCommonInNames(name)
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
