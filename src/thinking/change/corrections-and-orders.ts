/**
 * Which statement does a correction without a subject put right ("No wait, the 8th"), and which earlier order does an
 * order end? The one right before it with a value of its form; the order that differs in one value.
 */
import { readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import { hasHan } from '../../language/character-class.ts'
import { wishesOfReplies } from '../../language/preference.ts'
import { isQuestion } from '../../language/questions.ts'
import { editSimilarity } from '../../language/spelling.ts'
import { wordList, wordTable } from '../../language/word-lists.ts'
import { topicsOf } from '../facts/mentioned-attributes.ts'
import { isHard, kindOf, valueOfKind } from '../facts/value-kinds.ts'
import { tellingTerm, wordsIn } from '../topic/word-rarity.ts'
import { LIKELY_WISH, wishOf, writeJudgement } from '../write-decision/linear-model.ts'
import { sameValue } from './compare-values.ts'
import { isOneValue, type Quantity } from './quantities.ts'
import { type Reading, type Repair, readingOf, type Statement } from './statement-reading.ts'

/** The similarity from which two names are one name, written differently. */
const ALIKE = 0.7

/** The longest statement that is quoted before what puts it right, in characters. */
const LONGEST_QUOTED = 160
/** Content words of a pure correction. */
const SHORT = 8

/** "No wait, the 8th", 打错了，叫小铭: the only statement right before that gives another value of this form. */
export function correctedBy(newer: Statement, olders: readonly Statement[]): { at: number; repair: Repair } | null {
  const { stance, terms, text } = readingOf(newer)
  if (!stance.corrects || stance.unreal || stance.past || stance.adds || terms.size > SHORT || isQuestion(text))
    return null
  const may = olders.flatMap((older, at) => {
    const repair = older.justBefore && older.text.length <= LONGEST_QUOTED ? givesAnew(newer, older) : null
    return repair === null ? [] : [{ at, repair }]
  })
  return may.length === 1 ? may[0]! : null
}

/** Of one form they give one value each that the other does not give; without values, names written alike or called alike. */
function givesAnew(newer: Statement, older: Statement): Repair | null {
  const [mine, theirs] = [readingOf(newer), readingOf(older)]
  if (mine.values.length === 0)
    return valueAnew(mine, theirs) ?? writtenAnew(mine.text, theirs.text) ?? calledAnew(mine.text, theirs.text)
  const isDenied = ({ value }: Quantity): boolean => mine.denied.some((one) => value.includes(one))
  const others = (values: readonly Quantity[], those: readonly Quantity[]): readonly Quantity[] =>
    values.filter((one) => !those.some((other) => isOneForm(one, other) && isOneValue(one, other)))
  const kept = mine.values.filter((one) => !isDenied(one))
  const [given, left] = [others(mine.values, theirs.values), others(theirs.values, kept)]
  const pairs = given.flatMap((one) =>
    left.filter((other) => isOneForm(one, other)).map((other) => [one, other] as const),
  )
  const [right, wrong] = pairs[0] ?? []
  if (right === undefined || wrong === undefined || pairs.length > 1) return null
  const writtenIn = (text: string, { at, length }: Quantity): string =>
    text.slice(at, at + length).replace(/[\s.]{1,9}$/, '')
  const day = right.kind === 'day' ? /^-(\d{1,2})$/.exec(right.value)?.[1] : undefined
  return {
    wrong: writtenIn(theirs.text, wrong),
    right: writtenIn(mine.text, right),
    ...(day === undefined ? {} : { day: Number(day) }),
  }
}

/** Both are days, or amounts, of which a correction seldom repeats the unit. */
function isOneForm(a: Quantity, b: Quantity): boolean {
  return a.kind === b.kind || (AMOUNTS.has(a.kind) && AMOUNTS.has(b.kind))
}

const AMOUNTS: ReadonlySet<Quantity['kind']> = new Set(['count', 'money', 'port', 'code'])
const CALLED = /([叫姓])(\p{Script=Han}{1,4})(?=$|[，。！\s])/u

function calledAnew(newer: string, older: string): Repair | null {
  const [[, verb, right = ''] = [], [, before, wrong = ''] = []] = [CALLED.exec(newer) ?? [], CALLED.exec(older) ?? []]
  return verb !== undefined && verb === before && right !== wrong ? { wrong, right } : null
}

/** A name is written a little differently ("Hartnell" for Hartwell), or each gives one bare number, and not the same. */
function writtenAnew(newer: string, older: string): Repair | null {
  const theirs = namesIn(older)
  for (const right of namesIn(newer)) {
    const wrong = theirs.find((other) => right !== other && editSimilarity(right, other) >= ALIKE)
    if (wrong !== undefined) return { wrong, right }
  }
  const [[right, ...more], [wrong, ...others]] = [numbersIn(newer), numbersIn(older)]
  const isOne = right !== undefined && wrong !== undefined && more.length + others.length === 0
  return isOne && right !== wrong ? { wrong, right } : null
}

/** A mistake that is named, and nothing but a value behind it: "no wait, blue", "I meant Dallas, not Denver", 不对，是黑色的. */
const VALUE_ALONE = [
  /^(?:(?:oh|oops|whoops|no|wait|sorry|hang on|hold on|actually|correction|typo|my (?:bad|mistake)|i meant(?: to (?:say|write))?|i mean)\b[\s,.:!…–—-]{0,9}){1,4}(?:(?:it|that|this|he|she)(?:['’]s| is| was)? |should be )?(?:called )?(?<x>[^,;.!?]{1,40})(?:, not [^,;.!?]{1,40})?(?:, [^,;.!?]{1,40})?[.!]{0,3}$/i,
  /^(?:(?:it|that|he|she)(?:['’]s| is| was) (?:(?:in|on|at|called) )?)?(?<x>[^,;!?]{1,40}), not [^,;!?]{1,40}$/i,
  /^(?:(?:[哦噢啊呃]|哎呀|不对|错了|抱歉|不好意思|我?[说记写打搞弄]错了|口误|更正(?:一下)?|纠正一下|不是\p{Script=Han}{1,8})[，,。！!：:、 ]{0,3}){1,4}(?:应该|而)?[是叫](?<x>\p{Script=Han}{2,8}?)的?[。！]{0,2}$/u,
]

/** The words behind a named mistake, where they are nothing but a value. */
export function valueAlone(text: string): string | null {
  const said = VALUE_ALONE.map((form) => form.exec(text.trim())?.groups?.x).find((x) => x !== undefined)
  return said === undefined ? null : valueOfKind('thing', said)
}

/** The value that it gives alone, in the place of the one that it denies, else of the only one that was stated, of one kind with it. */
function valueAnew({ text, denied }: Reading, older: Reading): Repair | null {
  const right = valueAlone(text)
  if (right === null) return null
  const wrong = denied.find((one) => !right.includes(one) && older.text.includes(one))
  if (wrong !== undefined) return { wrong, right }
  const [fact, ...more] = older.facts
  const stated = fact?.value ?? LAST_OF.exec(older.text)?.[1] ?? ''
  if (more.length > 0 || stated === '' || !older.text.includes(stated) || sameValue(stated, right)) return null
  const kind = kindOf(fact?.key ?? '') ?? 'thing'
  const isAlike = fact === undefined ? right.at(-1) === stated.at(-1) : isHard(right) === isHard(stated)
  return valueOfKind(kind, right) === right && (kind !== 'thing' || isAlike) ? { wrong: stated, right } : null
}

/** 伞是红色的: what it is, where no attribute is known. */
const LAST_OF = /是(\p{Script=Han}{2,8}?)的?[。！]{0,2}$/u

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\b\p{Lu}[\p{L}'’-]{3,}/gu)].map(([name]) => name)
}

function numbersIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\d.:,-])\d{1,40}(?:[.,]\d{1,40}){0,40}(?![\d:-])/g)].map(([number]) =>
    number.replace(',', ''),
  )
}

const ORDER =
  /^(?:(?:please|from now on|in future),? )*(?:always|never|do not|don['’]t|make sure|keep|use|avoid|when (?:i|we) ask|if i ask)\b|^(?:请|以后|今后|从现在起|每次)?(?:总是|永远|务必|不要|别|都?要|一律|用)/i
/** From when on it holds, and how often: no part of what is ordered. */
const WHEN =
  /\b(?:please|always|from now on|in (?:the )?future|every time|each time|any ?more|any longer|again|instead|now)\b|以后|今后|从?现在起?|从今天起|重新|每次|始终|一律|改(?=用|为|成)|都|请|再|就|了|\bwhen(?:ever)? (?:i|we|you)\b[^,.;]{0,80}|\b(?:answer|repl(?:y|ies)|response|respond|explanation|explain|speak|talk|keep|prefer)s?\b|回答|回复|答复|解释|讲解|回我|[跟对给]我/gi
const ANEW = /\b(?:from now on|in (?:the )?future|instead)\b|以后|今后|从现在|从今天起|改[用为成]/i
const TAKES_BACK =
  /^(?:(?:please|ok|okay|from now on),? )*(?:(?:you can )?stop|no more|do not|don['’]t|no need to|you (?:need not|needn['’]t|(?:do not|don['’]t) (?:need|have) to)|never)\b|^(?:请|以后|今后|你|回答|回复)*(?:不用|不要|不必|无需|别|停止)/i
const PERMITS =
  /^(?:(?:please|ok|okay|from now on),? )*(?:you (?:can|may)|feel free to)\b|^(?:现在|以后)?(?:又|你)?可以/i
/** As `PERMITS`, of a manner of replies. */
const MANNER_PERMITTED = /(?<=^[^,;.]{1,60})\b(?:is|are) (?:fine|ok|okay|welcome)\b|(?<=^[^，。]{0,6})可以/i
/** As `TAKES_BACK`, of a manner of replies: "no emoji", but not "no, …". */
const MANNER_BANNED = /^(?:please )?no \p{L}/iu
/** Words that go to another manner or language, which stands behind. */
const SWITCHES =
  /(?:^let['’]?s )?\b(?:go|switch|change|swap)(?:ing)?(?: back| over)?(?= to )|^(?:我们|咱们?)?还是(?=[用说写])/i
/** Somebody of whom a state is told: no order. */
const TOLD_OF = /^(?:i|we|my|our|he|she|they|his|her|their|the)\b|^[我咱俺他她]/i

/** Whether it tells the assistant what to do from now on. */
export function isOrder(text: string): boolean {
  return ORDER.test(text)
}

/** Whether it permits or takes back what an earlier order may have said. */
export function changesOrder(text: string): boolean {
  return TAKES_BACK.test(text) || PERMITS.test(text) || switches(text)
}

/** The effect of a newer order on an older one: it takes its place, ends it, or neither. */
export function orderChanged(newer: string, older: string): 'supersedes' | 'ends' | null {
  return changedOrder(orderIn(newer), orderIn(older), areWishes(newer, older))
}

/** Whether both wish something of replies, from now on; what permits or switches goes on about the older one. */
export function areWishes(newer: string, older: string): boolean {
  return isOfWishes(newer) && isReplyWish(older)
}

const isOfWishes = readOnce('of wishes', (text): boolean => {
  const order = orderIn(text)
  return isReplyWish(text) || permits(order) || switches(order)
})

/** Whether it permits something, be it a manner of replies: "tables are fine". */
export function permits(wish: string): boolean {
  return PERMITS.test(wish) || MANNER_PERMITTED.test(wish)
}

function switches(wish: string): boolean {
  return wish.search(SWITCHES) === 0
}

/** Whether it likely wishes something of replies, from now on. */
export const isReplyWish = readOnce('reply wish', (text): boolean => {
  const order = orderIn(text)
  return wishesOfReplies(order) || wishOf(writeJudgement(order)) > LIKELY_WISH
})

/** "Actually, stop …", 算了，还是…: the order itself, behind the words that lead to it. */
const orderIn = readOnce('order', (text) => {
  const isIt = (words: string): boolean =>
    ORDER.test(words) || TAKES_BACK.test(words) || permits(words) || switches(words) || wishesOfReplies(words)
  const behind = text.replace(/^(?:actually|(?:\p{Script=Han}{1,5}|[a-z' ]{1,24})[,，.。!！])\s{0,3}/iu, '')
  return behind !== text && !isIt(text) && (isIt(behind) || wishOf(writeJudgement(behind)) > LIKELY_WISH)
    ? behind
    : text
})

/** `areWishes`: one matter is wished of, whose words need not be the same. */
function changedOrder(newer: string, older: string, areWishes: boolean): 'supersedes' | 'ends' | null {
  if (!areWishes && (tellsOf(newer) || tellsOf(older))) return null
  if (areOpposed(newer, older, areWishes && isReplyWish(newer))) return 'supersedes'
  if (areWishes && isOtherLanguage(newer, older)) return 'supersedes'
  const isBan = TAKES_BACK.test(older) || (areWishes && MANNER_BANNED.test(older))
  const ends = isBan ? (areWishes ? permits(newer) : PERMITS.test(newer)) : TAKES_BACK.test(newer)
  if (!ends && (isBan || !(areWishes || ANEW.test(newer)))) return null
  // The new order stands behind: "no more lists, just paragraphs".
  const [told = newer] = ends ? newer.split(/[,，;；]/) : [newer]
  const [mine, theirs] = [orderedBy(told), orderedBy(older)]
  const [own, others] = [without(mine, theirs), without(theirs, mine)]
  const shared = mine.size - own.length
  // "Never touch the seeds folder", "you can edit the seeds folder": of one thing, with another verb.
  const isOtherVerb = [mine, theirs].every((words, at) =>
    [own, others][at]!.every((word) => word === [...words.values()][0]),
  )
  const isFreed = isBan && shared > (areWishes ? 0 : 1) && own.length === 1 && isOtherVerb
  const isAll = areWishes || others.length * 2 <= mine.size
  if (ends) return isFreed || (shared > 0 && own.length === 0 && isAll) ? 'ends' : null
  const isOneAttribute =
    own.length > 0 && others.length > 0 && kindsOf(own).some((kind) => kindsOf(others).includes(kind))
  return isOneAttribute ? 'supersedes' : null
}

/** Whether both wish for a language of all replies, and not for the same: "answer in German", "go back to English". */
function isOtherLanguage(newer: string, older: string): boolean {
  const [mine, theirs] = [languageAlone(newer), languageAlone(older)]
  return mine !== null && theirs !== null && mine !== theirs
}

/** The language of which alone a wish speaks; null for none, and where it is wished for one thing or forbidden. */
function languageAlone(wish: string): string | null {
  if (TAKES_BACK.test(wish)) return null
  const words = [...orderedBy(wish.split(/[,，;；]/, 1)[0]!.replace(SWITCHES, ' ')).values()]
  return words.length === 1 && wordList('languages').has(words[0]!) ? words[0]! : null
}

/** Whether a text is told of somebody, and is no wish for replies ("I want short answers"). */
function tellsOf(text: string): boolean {
  return TOLD_OF.test(text) && !wishesOfReplies(text)
}

const SCALES = lazy(() =>
  wordTable('manners').map((line) =>
    line
      .split('|')
      .slice(1)
      .map((end) => new Set(end.split(' '))),
  ),
)

/** Whether two orders about one matter lie at the two ends of a scale of manners: in short, and in detail. */
function areOpposed(newer: string, older: string, areWishes: boolean): boolean {
  const orders = (text: string): boolean => isOrder(text) || /^(?:please|请)/i.test(text) || wishesOfReplies(text)
  const isAnew = areWishes || ANEW.test(newer)
  // Most pairs end here, before their words are read.
  if (!areWishes && (!orders(older) || !(isAnew || orders(newer)))) return false
  const [mine, theirs] = [orderedBy(newer), orderedBy(older)]
  if (!isAnew && ![...mine.keys()].some((term) => theirs.has(term))) return false
  const endOf = (text: string, words: ReadonlyMap<string, string>, scale: readonly ReadonlySet<string>[]): number => {
    const end = scale.findIndex((end) => [...words.values()].some((word) => end.has(word.replace(HAN_DEGREE, ''))))
    // 别太长 wishes for the other end.
    return end >= 0 && NOT_TOO.test(text) ? 1 - end : end
  }
  return SCALES().some((scale) => {
    const [own, other] = [endOf(newer, mine, scale), endOf(older, theirs, scale)]
    return own >= 0 && other >= 0 && own !== other
  })
}
/** 太长, 短一点, 简短点: how much, around the manner itself. */
const HAN_DEGREE = /^[太更很再]|(?<=\p{Script=Han})[点些]$/gu
const NOT_TOO = /\b(?:not|n['’]t|less|no)\b|n['’]t\b|别|不要|不用|太/i

/** The words that tell what is ordered, by their stems. */
const orderedBy = readOnce('ordered', (text): ReadonlyMap<string, string> => {
  const bare = text
    .replace(WHEN, ' ')
    .trim()
    .replace(TAKES_BACK, ' ')
    .replace(PERMITS, ' ')
    .replace(MANNER_PERMITTED, ' ')
  const words = wordsIn(bare).map((word) => word.toLowerCase().replace(/[,.:;!。，：；！]{1,8}$/, ''))
  return new Map(words.flatMap((word) => (tellingTerm(word) === null ? [] : [[tellingTerm(word)!, word] as const])))
})

/** The words of the one order that the other does not have; 附 is the word 附上. */
function without(words: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): readonly string[] {
  const isHad = (term: string): boolean =>
    others.has(term) ||
    (hasHan(term) && [...others.keys()].some((other) => other.startsWith(term) || term.startsWith(other)))
  return [...words].flatMap(([term, word]) => (isHad(term) ? [] : [word]))
}

/** The attributes of which each of the words is a value. */
function kindsOf(words: readonly string[]): readonly string[] {
  const [first = [], ...rest] = words.map((word) =>
    wordList('languages').has(word) ? ['spoken_language'] : [...topicsOf(word).keys()],
  )
  return first.filter((kind) => rest.every((kinds) => kinds.includes(kind)))
}
