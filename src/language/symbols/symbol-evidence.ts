/** What around a name proves that it is code? A call, an assignment, a member access, a Chinese keyword (函数). */
import type { SymbolKind } from '../../domain/turn.ts'
import { ENGLISH_STOP_WORDS } from '../word-lists.ts'
import {
  CAPITAL_WORDS,
  EVERYDAY_CALLS,
  isBrand,
  isCommonInNames,
  isNoise,
  isVerbOfCode,
  kindBySpelling,
  LANGUAGE_WORDS,
} from './name-shapes.ts'

const CALL = /\(([^()\n]{0,80})(\)?)/y
const ASSIGNMENT = /[ \t]{0,4}(?:[-+*/|&:]|\?\?|\|\|)?=(?![=>~])/y
const CHINESE_AFTER =
  /[ \t]?(?:这个|那个)?(函数|方法|变量|参数|字段|常量|接口|类(?![型似别的]|工具|产品|软件|应用|项目|公司|问题|语言|服务|数据)|对象|属性)/y
/** 变量 config、options 和 result: the word holds for the whole list. */
const CHINESE_BEFORE =
  /(函数|方法|变量|参数|字段|常量|接口|类|对象|属性)[ \t]?(?:[A-Za-z_]\w{0,30} ?(?:、|和|与|及|，|,) ?){0,4}$/
/** A state that only a variable can have: config 没有初始化, "options is undefined", "isn't initialised". */
const EMPTY = String.raw`(?:undefined|null(?! and void)|None|nil|NaN)(?!\w)`
const SET_UP = String.raw`(?:initiali[sz]ed|defined(?= ?(?:[.,;:!?)]|\n|$)))(?!\w)`
const NOT_YET = "(?:n['’]?t| (?:not|never)(?: yet)?)"
const STATE_AFTER = new RegExp(
  String.raw`[ \t]?(?:[还都也尚仍并]?(?:没有?|未)(?:被)?(?:初始化|定义|声明|赋值|传(?:进[来去]|入|递))|(?:[是为]|变成了?|成了) ?(?:空(?!间|闲|调|气|中|白)|${EMPTY}))|[ \t](?:is|was|becomes|became)(?: still| always)? (?:${EMPTY}|an empty (?:array|object|dict|string)(?! of)(?!\w)|uninitiali[sz]ed(?!\w))|[ \t](?:is|was)(?:n['’]?t ${EMPTY}|${NOT_YET} ${SET_UP})|[ \t]ha[sd]${NOT_YET} been ${SET_UP}`,
  'y',
)
/** "The options are undefined", "cache not initialized", which is said of other things, too. */
const STATE_OF_USUAL = new RegExp(
  String.raw`[ \t](?:are|were)(?: (?:still|all|always))? ${EMPTY}|(?:[ \t](?:are|were|have))?${NOT_YET}(?: been)? ${SET_UP}`,
  'y',
)
/** "Why is options undefined?": a question puts the verb before the name. */
const ASKED_AFTER = new RegExp(` (?:still |always )?${EMPTY}`, 'y')
const ASKED_BEFORE = /(?:^|[.?!,;:\n]\s{0,2}|\b(?:why|how|when|where) )(?:is|was) (?:(?:the|my|our|this|that) )?$/i
/** "My future is undefined" says nothing of a program: behind a word of belonging only usual names are variables. */
const BELONGS = /\b(?:the|a|an|my|our|your|his|her|their|its|this|that|of) $/i
const BEFORE_CHARACTERS = 60
const ABBREVIATION = /^(?:mr|mrs|ms|dr|st|vs|vol|fig|eq|sec|ch|pp|etc|jr|sr|prof|inc|ltd|no|ph)$/i
/** Names of languages and tools that stand before 函数 or 类 without being the name of one. */
const NOT_NAMED_BY_CHINESE =
  /^(?:python|py|js|ts|java|go|c|cpp|php|ruby|rust|kotlin|swift|sql|css|html|react|vue|node|lambda|hash|api|web|app|ai|bash|shell|excel|http|rest|rpc|json|xml|main|callback|nginx|redis|mysql|kafka|docker|linux|git|npm|spring|helper|bug|error|test|the|a|an)$/i

/** true when a plain word of prose deserves a closer look: something beside it may make it a symbol. */
export function hasEvidenceAround(text: string, at: number, end: number): boolean {
  const next = text.charCodeAt(end)
  if (next === 40 /* ( */ || next === 61 /* = */) return true
  if (next === 32 && matches(ASSIGNMENT, text, end)) return true
  if ((next > 0x2fff || next === 32) && (matches(CHINESE_AFTER, text, end) || isInState(text, at, end))) return true
  const before = text.charCodeAt(at - 1)
  if (before > 0x2fff) return CHINESE_BEFORE.test(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at))
  return (
    before === 32 &&
    text.charCodeAt(at - 2) > 0x2fff &&
    CHINESE_BEFORE.test(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at))
  )
}

/** Whether a name is said to be undefined, null or not set up, as only a variable is. */
function isInState(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - BEFORE_CHARACTERS), at)
  const isSaid = matches(STATE_AFTER, text, end) || (matches(ASKED_AFTER, text, end) && ASKED_BEFORE.test(before))
  if (isSaid && !BELONGS.test(before)) return true
  return (isSaid || matches(STATE_OF_USUAL, text, end)) && isCommonInNames(text.slice(at, end))
}

function matches(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

/** The evidence around a name. */
export interface NameEvidence {
  /** Between backticks or in a block. */
  readonly inCode: boolean
  /** Follows a dot: `name` in order.name. */
  readonly memberOf: boolean
  /** true when a dot and a member follow. */
  readonly hasMember: boolean
  readonly call: boolean
  readonly assigned: boolean
  /** The kind stated by a Chinese word beside it. */
  readonly chinese: SymbolKind | null
}

/** The kind of a name, by spelling and evidence; null for a word of prose. */
export function kindOfName(name: string, evidence: NameEvidence): SymbolKind | null {
  if (LANGUAGE_WORDS.has(name) || ((evidence.inCode || evidence.hasMember) && EVERYDAY_CALLS.has(name))) return null
  const spelled = kindBySpelling(name)
  if (spelled === 'error' || spelled === 'class') return spelled
  if (evidence.call) return evidence.memberOf ? 'function' : callKind(name)
  if (spelled !== null) {
    if (evidence.chinese !== null) return evidence.chinese
    return evidence.assigned || evidence.hasMember ? 'variable' : spelled
  }
  if (name.length < 2 || isBrand(name) || isNoise(name) || name.includes('_')) return null
  if (evidence.hasMember) return /^[A-Z][a-z]/.test(name) ? 'class' : ifLowercase(name)
  if (evidence.memberOf) return ENGLISH_STOP_WORDS.has(name) ? null : ifLowercase(name)
  if (evidence.assigned) return /^(?:[a-z$][\w$]*|[A-Z][A-Z0-9]{2,})$/.test(name) ? 'variable' : null
  if (evidence.chinese === null || NOT_NAMED_BY_CHINESE.test(name) || ENGLISH_STOP_WORDS.has(name.toLowerCase()))
    return null
  if (/^[A-Z0-9]+$/.test(name)) return evidence.chinese === 'variable' && !CAPITAL_WORDS.has(name) ? 'variable' : null
  return /^[A-Z]/.test(name) === (evidence.chinese === 'class') ? evidence.chinese : null
}

function ifLowercase(name: string): SymbolKind | null {
  return /^[a-z$][a-z0-9$]*$/.test(name) ? 'variable' : null
}

/** `Order()` makes an object, `save()` does something. */
export function callKind(name: string): SymbolKind {
  if (/(?:Error|Exception)$/.test(name)) return 'error'
  return /^[A-Z][a-z]/.test(name) ? 'class' : 'function'
}

/** true for a call; in prose "save()" and "retry(job, 3)" are calls, "file(s)" and "Paris (France)" are not. */
export function isCall(text: string, at: number, surelyCode: boolean, name = ''): boolean {
  CALL.lastIndex = at
  const match = CALL.exec(text)
  if (match === null) return false
  if (surelyCode) return true
  const inside = match[1]!.trim()
  if (match[2] === '') return false
  if (/^[a-z_]\w{2,40}$/.test(inside) && (isVerbOfCode(name) || kindBySpelling(name) !== null)) return true
  return inside === '' || /^["']|=|^[a-z_]\w*(?:\.\w+)?(?:, ?[a-z_"'\d][\w."']*)+$/.test(inside)
}

/** true for `name = …`, `name := …`, `name += …`; not for options (--name=…), query strings and attributes. */
export function isAssigned(text: string, run: string, at: number, name: string): boolean {
  if (!run.startsWith(name)) return false
  const rest = run.slice(name.length)
  if (rest !== '' && rest !== ':') return false
  const before = text[at - 1]
  if (/^[a-z]/.test(name) && text.startsWith('="', at + run.length)) return false // an attribute of markup
  if (before === '-' || before === '?' || before === '&' || !matches(ASSIGNMENT, text, at + run.length)) return false
  return !isLogPair(text, at, at + run.length)
}

/** A moment or a level at the head of a line, as programs write what they do. */
const LOG_LINE =
  /\d{2}:\d{2}:\d{2}|\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE)\b|\b(?:level|lvl|ts|severity)=|^\w{3} [ \d]\d .{0,40}\[\d+\]:/
const TIGHT_PAIRS = /(?:^|[\s,])[\w.-]{1,40}=[^\s=;,(]{1,80}(?=[\s,]|$)/g
/** Characters of a line looked at on each side. */
const LINE_CHARACTERS = 120

/** true for `status=200` in a line of a log, which names a field of the line and no variable. */
function isLogPair(text: string, at: number, end: number): boolean {
  if (text[end] !== '=' || /\s/.test(text[end + 1] ?? ' ')) return false
  const before = text.slice(Math.max(0, at - LINE_CHARACTERS), at)
  const after = text.slice(at, end + LINE_CHARACTERS)
  const line = before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0]
  return LOG_LINE.test(line) || (line.match(TIGHT_PAIRS)?.length ?? 0) >= 2
}

/** Lowercase words chained by dots are a member access unless they are prose without its space ("end.then"). */
export function isMemberAccess(run: string, names: readonly string[], inCode: boolean): boolean {
  if (names.length < 2 || /^\d/.test(names[0]!)) return false
  if (inCode) return true
  if (/^(?:this|self)$/.test(names[0]!)) return true
  if (!/^[\w$.:]+$/.test(run) || /\.\./.test(run)) return false
  return names.every(
    (name, index) =>
      name.length > 1 &&
      !ENGLISH_STOP_WORDS.has(name.toLowerCase()) &&
      !ABBREVIATION.test(name) &&
      !/^\d/.test(name) &&
      (index === 0 || /^[a-z_$]/.test(name)) &&
      !(index === 0 && /^[A-Z0-9]+$/.test(name)),
  )
}

/** The kind that the word directly before or after states; null when there is none. */
export function chineseKind(text: string, at: number, end: number): SymbolKind | null {
  CHINESE_AFTER.lastIndex = end
  const word =
    CHINESE_AFTER.exec(text)?.[1] ?? CHINESE_BEFORE.exec(text.slice(Math.max(0, at - BEFORE_CHARACTERS), at))?.[1]
  if (word === undefined) return isInState(text, at, end) ? 'variable' : null
  if (word === '函数' || word === '方法') return 'function'
  if (word === '类' || word === '接口') return 'class'
  return 'variable'
}
