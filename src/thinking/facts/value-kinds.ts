/**
 * Which words may be the value of which attribute? Those of its kind (a home is a place, an age a number of years);
 * unsure ones are not read.
 */
import { lazy } from '../../domain/scheduling.ts'
import { ENGLISH_MONTH, FULL_WEEKDAY } from '../../language/calendar.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { anyOf, wordList } from '../../language/word-lists.ts'
import { CHINESE_NAME } from './people.ts'

/** The marks that may belong to a value, each with its stand-in: characters that no text uses. */
const STAND_INS: readonly (readonly [mark: string, standIn: string])[] = [
  ['.', '\ue700'],
  [',', '\ue701'],
  [':', '\ue702'],
  ['(', '\ue703'],
  [')', '\ue704'],
]
const standInOf = new Map(STAND_INS)
const markOf = new Map(STAND_INS.map(([mark, standIn]) => [standIn, mark]))

/** The number of a day in a month, as English writes it. */
export const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:19|20)\d\d\b`
const WITHIN_VALUE = new RegExp(
  [
    // 1,250.50 and 10:45; "Dr. Patel"; "e.g."
    String.raw`(?<=\d)[.,:](?=\d)|\.(?=\s+\S)|(?<=\b[a-z])\.(?=[a-z]\b)`,
    // May 5, 1990; May, 1990; Saturday, June 14
    String.raw`(?<=\b${ENGLISH_MONTH}(?: ${DAY})?),(?= ?${YEAR})`,
    String.raw`(?<=\b${FULL_WEEKDAY}),(?= (?:the )?(?:${DAY}|${ENGLISH_MONTH})\b)`,
    // https://example.org; (030) 12 34
    String.raw`(?<=\bhttps?):(?=//)|\((?=\d{1,4}\))|(?<=\(\d{1,4})\)`,
  ].join('|'),
  'gi',
)

/** A mark within a number, as a source for a pattern over what `joinMarks` gave or over plain text. */
export const MARK_IN_NUMBER = `[.,:${STAND_INS.map(([, standIn]) => standIn).join('')}]`

/** The sentence, of the same length, with stand-ins for the marks that belong to a value. */
export function joinMarks(sentence: string): string {
  return sentence.replace(WITHIN_VALUE, (mark) => standInOf.get(mark) ?? mark)
}

/** The words as they were written. */
export function asWritten(joined: string): string {
  return joined.replace(/[\ue700-\ue704]/g, (standIn) => markOf.get(standIn) ?? standIn)
}

/** The kind of an attribute's values. */
export type Kind =
  | 'place'
  | 'person'
  | 'name'
  | 'organisation'
  | 'job'
  | 'trade'
  | 'age'
  | 'date'
  | 'clock'
  | 'thing'
  | 'listed'
  | 'food'

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    ...each('place', 'home hometown property nearby'),
    ...each('person', 'partner child sibling parent friend boss colleague doctor dentist teacher flatmate neighbour'),
    ...each(
      'person',
      'therapist physio hairdresser cleaner babysitter vet mechanic lawyer accountant in_laws apprentice landlord',
    ),
    ...each('name', 'name'),
    ...each('organisation', 'employer university'),
    ...each('job', 'job'),
    ...each('age', 'age'),
    ...each('date', 'birthday anniversary wedding deadline exam appointment release_day due_date'),
    ...each('clock', 'wake_time bedtime'),
    ...each('food', 'allergy'),
  }),
)

function each(kind: Kind, names: string): Readonly<Record<string, Kind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** The kind of an attribute's values; undefined where any thing may be one. */
export function kindOf(key: string): Kind | undefined {
  return KIND_OF.get(key)
}

const MOST_WORDS = 6
/** Pronouns, verbs and words of grammar: with one of them it is no plain name of a thing. */
const NO_NOUN_WORD =
  /(?<![\w'’-])(?:i|i['’]\w{1,40}|me|my|mine|we|us|you|your|yours|he|him|his|she|her|hers|it|it['’]s|its|they|them|their|this|that|that['’]s|these|those|who|whom|what|which|how|where|when|why|there|here|someone|somebody|something|anyone|anything|everyone|everybody|everything|nothing|one|ones|both|each other|other|others|is|isn['’]t|are|was|were|be|been|being|has|have|had|do|does|did|can|could|will|would|should|may|might|must|get|gets|got|getting|make|makes|making|made|go|goes|going|keep|keeps|let|seems?|feels?|looks?|comes?|takes?|not|n['’]t|if|than|because|so|very|too|really|quite|also|just|only|even|still|always|never|much|more|most|less|many|few|such|actually|lots?)(?![\w'’-])/i
const FIRST_NO_NOUN =
  /^(?:and|or|but|to|of|in|on|at|by|for|from|with|without|about|into|onto|as|like|off|out|up|down|over|under|all|any|some|no|well|now|then|again|away|back|between|after|before|during|while|until|since|through|\w+ly)\b/i
const ARTICLE = /^(?:the|an?|my|our|his|her|their)\s+/i
/** 我, 了, 是, 很: no name of a thing has one of these. */
const NO_HAN_NOUN =
  /^[的和与及]|的$|[我你您他她它们这那哪谁啥了是有在到去很会要就都也还才把被让给但因为吗吧呢么着过没不]|什么|自己|怎|一个|觉得|感觉|时候/u

/** Words that are grammar as a whole: 我们, 没有, 过去. */
const HAN_GRAMMAR = /^[我你您他她它这那哪谁啥没不有是在]|^[了到去很会要就都也还才把被让给但因为过有]+$/u

/** Whether a Chinese text is no name. A character of grammar inside another word counts for nothing: 成都, 和平区. */
function isNoHanName(text: string): boolean {
  if (!NO_HAN_NOUN.test(text)) return false
  const names = chineseWords(text).filter((word) => word.length > 1 && !HAN_GRAMMAR.test(word))
  return NO_HAN_NOUN.test(names.reduce((rest, name) => rest.replace(name, '·'), text))
}

/** A few words that name a thing, without verb, pronoun or word of grammar. */
function isThing(value: string): boolean {
  if (hasHan(value)) return value.length <= 14 && !NO_HAN_NOUN.test(value)
  const bare = value.replace(ARTICLE, '')
  return bare !== '' && bare.split(/\s+/).length <= MOST_WORDS && !NO_NOUN_WORD.test(bare) && !FIRST_NO_NOUN.test(bare)
}

/**
 * Whether it holds a number, a capitalised name or a word of another script: then it identifies the thing and does not
 * describe it.
 */
export function isHard(value: string): boolean {
  if (hasHan(value))
    return /^\p{Script=Han}{0,4}\s?[\dA-Za-z]|[一二两三四五六七八九十百千万零点]{2}|[\d一二两三四五六七八九十半几].{0,2}[号日点岁月楼元块]$/u.test(
      value,
    )
  const bare = value.replace(ARTICLE, '')
  return (
    /^(?:\S*\d|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|ground) floor\b|["“`'‘#$€£]|https?:|\p{Lu}|[\w.-]+(?:\.\w+|_\w+|\/\w))/u.test(
      bare,
    ) && !/^I\b|^[A-Z][a-z]+ing\b/.test(bare)
  )
}

const NAME = String.raw`\p{Lu}[\p{L}\p{N}’'.&+-]*`
const NAME_JOIN = String.raw`(?: (?:of|de|la|le|du|del|di|da|van|von|den|der|upon|on|am|and|&|for|the) (?:the )?(?=\p{Lu})| )`
const NAMES = new RegExp(String.raw`^(?:${NAME}(?:${NAME_JOIN}${NAME}|(?<=\w) \d+\b)*)`, 'u')
/** Words that go on behind a name without belonging to it. */
const BEHIND_NAME =
  /^(?:\s+(?:above|below|over|near|nearby|by|with|for|since|from|on|in|at|right|just|close|next|across|beside|and|along|until|during|as|because|these|now|alone|again|while|full|part|after|before|instead|outside|to|right|too|but|where|who|which|when|area|based|currently|originally|permanently)\b|\s*[-–—(]|\s*$)/i

/** The name that a text begins with, when it ends or goes on with something else behind it. */
function leadingName(text: string): string | null {
  const name = NAMES.exec(text)?.[0]
  if (name === undefined || !BEHIND_NAME.test(text.slice(name.length))) return null
  return wordList('no-names').has(name.split(/\s/)[0]!.toLowerCase()) ? null : name
}

const IN_HOUSE =
  /^(?:(?:an?|the|our|my|his|her|their) )?(?:[\w-]+ ){0,3}?(?:flat|house|room|bedsit|studio|cottage|apartment|bungalow|place|home|village|town|city|suburbs?|outskirts|neighbou?rhood|area) (?:in|on|near|at|of|called) /i
const HAN_PLACE_END =
  /[省市县区镇乡村路街道巷弄里园苑庄湾州城楼层山寨郡国坊岛港寓家墅郊东南西北边头场院厦居府]$|[\d一二三四五六七八九十]{1,40} ?[号栋]/u

/** The town of the list that a name is or begins with: 苏州 of 苏州园区. */
function townOf(name: string): string | undefined {
  return [name, name.slice(0, 3), name.slice(0, 2)].find((town) => wordList('towns').has(town))
}

/** A name with a town, or with the ending of a place: 苏州园区, 泉城路. */
export function isKnownPlace(name: string): boolean {
  return townOf(name) !== undefined || HAN_PLACE_END.test(name)
}

/** A place beside the one at hand, a floor, or a time (住到春节以后): no place by itself. */
const SOMEWHERE =
  /^(?:[外里对][面边]|楼[上下]|隔壁|附近|[\d一二三四五六七八九十]{1,4}[楼层])$|(?:[以之][前后]|[年月][初中底]|节)$/u

function placeOf(raw: string): string | null {
  if (hasHan(raw)) {
    const place = raw
      .replace(/(?:快|已经|都|有){0,40}[一二两三四五六七八九十几半\d]{1,40}(?:多?年|个?月).{0,200}$/u, '')
      .replace(/的(?:新?房子?|家|小区|公寓|地方|老?房子|一.{1,5})$/u, '')
    if (!/^[\p{Script=Han}\dA-Za-z· ]{2,12}$/u.test(place) || isNoHanName(place) || SOMEWHERE.test(place)) return null
    return isKnownPlace(place) || place.length <= 4 ? place : null
  }
  const bare = raw.replace(IN_HOUSE, '')
  return leadingName(bare) ?? [...wordList('towns')].find((town) => town.toLowerCase() === bare) ?? null
}

const TITLE = String.raw`(?:(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Auntie|Uncle)\.? |(?:dr|mr|mrs|ms)\.? (?=\p{Ll}))`
const TITLED = new RegExp(`^${TITLE}`, 'u')
const PERSON = new RegExp(
  String.raw`^${TITLE}?(?:\p{Lu}\. )*\p{Lu}[\p{L}’'-]+(?: (?:de |van |von |da |del |la )*\p{Lu}[\p{L}’'.-]*){0,3}(?=$| (?:at|on|in|from|by|of|and|who|now|who|these)\b)`,
  'u',
)
const HAN_PERSON = lazy(
  () =>
    new RegExp(
      `^(?:[老小大阿]\\p{Script=Han}{1,2}|[A-Z][a-z]+|${anyOf('surnames')}\\p{Script=Han}{1,2}|\\p{Script=Han}{1,2}(?:老师|医生|大夫|教授|师傅|阿姨|姐|哥|总|工|主任|经理)|姓\\p{Script=Han}{1,2})$`,
      'u',
    ),
)

function personOf(raw: string): string | null {
  if (hasHan(raw)) {
    const name = raw.replace(/^叫/u, '')
    return HAN_PERSON().test(name) && !wordList('han-occupations').has(name) ? name : null
  }
  const name = PERSON.exec(raw)?.[0]
  if (name !== undefined && TITLED.test(name)) return name
  if (name === undefined) return wordList('given-names').has(raw) ? raw : null
  return namesNobody(name.split(' ')[0]!.toLowerCase()) ? null : name
}

/** Whether a word with a capital, in lower case here, is no name of a person: "However", "Dutch", "Norwegian". */
export function namesNobody(word: string): boolean {
  const isOfNation = /(?:ican|ian|ese|ish)$/.test(word) && !wordList('given-names').has(word)
  return isOfNation || wordList('no-names').has(word) || wordList('languages').has(word)
}

const WORKPLACE = lazy(
  () =>
    new RegExp(
      String.raw`^(?:an?|the|our|my|his|her|their) (?:[\w&'’-]+ ){0,3}?${anyOf('workplaces')}(?=$|\s+(?:in|on|of|called|near|and|as|that|which|with|for|by)\b)`,
      'i',
    ),
)

/** A time of day, a day, or a stretch of time: 入职三天. */
const HAN_TIME =
  /(?:周|星期|礼拜)[一二三四五六日天]$|[\d一二三四五六七八九十](?:点半?|[月号日])$|^[\d一二三四五六七八九十]{1,3}点|^[\d一二两三四五六七八九十几半多]{1,4}个?多?(?:天|周|月|年|星期|礼拜|小时)半?$/u

function organisationOf(raw: string): string | null {
  if (hasHan(raw)) {
    const name = raw.replace(/^(?:了|一[家个所间])/u, '').replace(/里$/u, '')
    return isNoHanName(name) || townOf(name) === name || HAN_TIME.test(name) || name.length < 2 ? null : name
  }
  const bare = raw.replace(/^(?:the|a company called|an? \w+ called)\s+/i, '')
  const name = leadingName(bare)
  if (name !== null) return name
  const place = WORKPLACE().exec(raw)?.[0]
  if (place === undefined) return null
  const named = /^\s+(?:in|on|of|called|near) (?:the )?(.+)$/.exec(raw.slice(place.length))
  const where = named === null ? null : leadingName(named[1]!)
  return where === null ? place : raw.slice(0, raw.indexOf(where) + where.length)
}

const JOB_END =
  /\s{1,40}(?:at|about|for|in|with|on|from|who|that|and|but|near|by|to|where|here|there|working|based|of (?:my|our|the|a|\d)|since|now|then|[-–—])\b.{0,200}$|\s{0,40}[-–—(/].{0,200}$/i

/** "Seeing a therapist" and "inviting 10 artists" are acts, whose object has an article or a number. */
const HAS_OBJECT = /\s(?:an?|the|my|our|his|her|their|some|\d{1,9})\s/i

const TRADE_BY_WORK = /(?:er|or|ist|ian|ant|man|woman|ee|ess|hand|aid)$/i

const HAN_TRADE = lazy(() => new RegExp(`^[^我你他她的]{0,8}${anyOf('han-occupations')}$`, 'u'))

/** `isTold`: the words say that it is a trade ("I work as …"), so that it need not be known. */
function jobOf(raw: string, isTold = false): string | null {
  if (hasHan(raw)) {
    const job = raw.replace(/^(?:一[名个位]?|[名个位])/u, '')
    // 吴老师 is somebody, and no trade.
    return isTold || (HAN_TRADE().test(job) && !CHINESE_NAME.test(job)) ? job : null
  }
  const job = raw.replace(ARTICLE, '').replace(JOB_END, '')
  const [head] = (/^(.*?) of /.exec(job)?.[1] ?? job).split(' ').slice(-1)
  if (head === undefined || !isThing(job) || HAS_OBJECT.test(job)) return null
  const trade = head.toLowerCase().replace(/s$/, '')
  const isTrade = (isTold && TRADE_BY_WORK.test(trade)) || wordList('occupations').has(trade)
  return isTrade &&
    !/\b(?:first|second|third|last|next|only|same|other|good|bad|great|best|better|big|huge|real|true|total|natural|terrible|avid|keen|fast|slow|quick|early|heavy|hard|picky|visual|lifelong|regular|new|first-time|firm|strong|careful|passionate|creative|chain|two|three|few)\b/i.test(
      job,
    )
    ? job
    : null
}

const OLDEST = 120
const NUMBER_WORDS =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?)$/i
const HAN_DIGITS = /^[一二两三四五六七八九十百零]{1,5}(?:岁半?)?$/u

function ageOf(raw: string): string | null {
  const years = Number.parseFloat(raw.replace(new RegExp(MARK_IN_NUMBER, 'g'), '.'))
  return HAN_DIGITS.test(raw) || NUMBER_WORDS.test(raw) || years <= OLDEST ? raw : null
}

const DATE = new RegExp(
  String.raw`\d{1,4}[-/.年]\d|\d ?[月号日]|[一二三四五六七八九十冬腊正初廿] ?[月号日]|\b\d{1,2}(?:st|nd|rd|th)\b|\b${ENGLISH_MONTH}\b(?:\s+(?:the )?\d|$)|\d\s+${ENGLISH_MONTH}\b|\b${FULL_WEEKDAY}s?\b|(?:周|星期|礼拜)[一二三四五六日天]|(?:上|中|下)旬|[月年][底初中]`,
  'i',
)
const CLOCK =
  /\d|\b(?:half|quarter|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|[一二两三四五六七八九十]点/i

function foodOf(raw: string): string | null {
  if (hasHan(raw)) return raw.length <= 8 && !NO_HAN_NOUN.test(raw) ? raw : null
  const food = raw
    .replace(ARTICLE, '')
    .replace(
      /\s{1,40}(?:as well|too|so|since|and (?:my|i|it|he|she|we)\b.{0,200}|in (?:the|any)\b.{0,200}|from\b.{0,200}|after\b.{0,200})$/i,
      '',
    )
  return isThing(food.replace(/^(?:most|some|all|certain|many) /i, '')) ? food : null
}

const CHECKS: Readonly<Record<Kind, (raw: string) => string | null>> = {
  place: placeOf,
  person: personOf,
  // The speaker says himself that it is a name.
  name: (raw) => personOf(raw) ?? (/^(?:\p{Script=Han}{1,4}|\p{L}[\p{L}-]+)$/u.test(raw) && isThing(raw) ? raw : null),
  organisation: organisationOf,
  job: (raw) => jobOf(raw),
  trade: (raw) => jobOf(raw, true),
  age: ageOf,
  date: (raw) => (DATE.test(raw) && raw.length <= 40 ? raw : null),
  clock: (raw) => (CLOCK.test(raw) && raw.length <= 24 ? raw : null),
  food: foodOf,
  thing: (raw) => (isThing(raw) ? raw : null),
  listed: (raw) => raw,
}

/** The value of the kind within the words read; null when there is none. */
export function valueOfKind(kind: Kind, raw: string): string | null {
  return CHECKS[kind](raw.trim())
}
