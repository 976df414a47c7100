/** How are quantities written in English and Chinese? Each has a kind (money, share, count …) and a comparable value. */
import { chineseNumber, ENGLISH_MONTH, ENGLISH_NUMBERS, FULL_WEEKDAY, monthNumber } from '../../language/calendar.ts'
import { indexTerms } from '../../language/terms.ts'

/** The kind of a quantity; values of different kinds say nothing of each other. */
type QuantityKind =
  | 'money'
  | 'share'
  | 'count'
  | 'stretch'
  | 'clock'
  | 'day'
  | 'month'
  | 'weekday'
  | 'year'
  | 'version'
  | 'port'
  | 'code'

export interface WrittenQuantity {
  readonly kind: QuantityKind
  /** Comparable: "4:30pm" → 16:30, "April 5th" → 4-5, "six" → 6. */
  readonly value: string
  /**
   * The stem of the counted thing, or of the unit of a duration; '' where the text does not name it beside the number.
   */
  readonly unit: string
  readonly at: number
  readonly length: number
}

const NUMBER_WORDS = [...ENGLISH_NUMBERS.keys()].filter((word) => word !== 'zero' && word !== 'one').join('|')
const ENGLISH_COUNT = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?:${NUMBER_WORDS})\b`
const HAN_COUNT = '[一二两三四五六七八九十百千]+|\\d+(?:\\.\\d+)?'
const NUMBER_MARK = String.raw`(?<![\w.,:/#-]|[$€£¥￥] ?)`
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const STRETCH = 'seconds?|secs?|milliseconds?|ms|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?'
const HAN_STRETCH = '秒钟?|毫秒|分钟|个?小时|个?钟头|天|周|个?星期|个月|年'
const HAN_UNIT =
  '公里|公斤|千克|厘米|毫克|平米|平方|号线|分(?!钟)|[个位篇次家人本页字台条项节步张份套名只辆道层楼斤米度片码平场门批种杯瓶包句集章期课题岁]'

const MAY_NAME = new RegExp(String.raw`[\d一二两三四五六七八九十半]|days?\b|\b(?:${MONTHS}|${NUMBER_WORDS})\b`, 'i')

interface Rule {
  readonly kind: QuantityKind
  readonly pattern: RegExp
  /** Reads the match; null when it is no quantity after all. */
  readonly read: (groups: Readonly<Record<string, string | undefined>>) => { value: string; unit?: string } | null
}

/** The first rule that takes a stretch of text has it. */
const RULES: readonly Rule[] = [
  {
    kind: 'clock',
    pattern:
      /(?<=\bat )(?<h3>[1-9]|1[0-2])(?= {0,3}(?:[,;!?]|\.(?!\d)|$|(?:now|instead|sharp|on|every|today|tomorrow|each|from|and|but)\b))|(?<![\d.:-])(?<h>\d{1,2})(?:[:：](?<m>[0-5]\d))? ?(?<half>[ap])\.?m\b\.?|(?<![\d.:-])(?<h2>[01]?\d|2[0-4])[:：](?<m2>[0-5]\d)(?![\d:])/gi,
    read: ({ h, m, half, h2, m2, h3 }) => ({
      value: clock(Number(h ?? h2 ?? h3), m ?? m2 ?? '00', half?.toLowerCase() === 'p'),
    }),
  },
  {
    kind: 'clock',
    pattern: new RegExp(String.raw`\bhalf past (?<h>\d{1,2}|${NUMBER_WORDS}|one)\b`, 'gi'),
    read: ({ h }) => ({ value: `${number(h!)}:30` }),
  },
  {
    kind: 'clock',
    pattern:
      /(?<part>早上|上午|中午|下午|傍晚|晚上|夜里)?(?<h>十?[一二两三四五六七八九十]|二十[一二三四]?|\d{1,2}) ?点(?<m>半|[一三]刻|[一二三四五]?十?[一二三四五六七八九十\d]{1,40}分?|钟|整)?(?!\d|赞|外|儿|也|都|击|评|心|餐|菜)/g,
    read: ({ part, h, m }) => ({
      value: clock(
        chineseNumber(h!),
        m === '半'
          ? '30'
          : m === undefined || m === '钟' || m === '整'
            ? '00'
            : String(m.endsWith('刻') ? 15 * chineseNumber(m[0]!) : chineseNumber(m.replace('分', ''))).padStart(
                2,
                '0',
              ),
        /下午|傍晚|晚上|夜里/.test(part ?? ''),
      ),
    }),
  },
  {
    kind: 'day',
    pattern: new RegExp(
      String.raw`\b(?:(?<m>${ENGLISH_MONTH.slice(1, -1)})\.? (?:the )?(?<d>\d{1,2})(?:st|nd|rd|th)?(?:(?: ?[-–] ?| to | and )(?<end>\d{1,2})(?:st|nd|rd|th)?\b)?(?!\d|:|%|\s?[ap]m)|(?<d2>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<m2>${ENGLISH_MONTH.slice(1, -1)}))\b|\bthe (?<d3>\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|grade|time|place|birthday|version|edition|century|anniversary|street|avenue))|(?<![\d./-])(?<y4>20\d\d)[-/.](?<m4>\d{1,2})[-/.](?<d4>\d{1,2})(?![\d-])|(?<![\d./-])(?<m5>\d{1,2})/(?<d5>\d{1,2})(?![\d/%])`,
      'gi',
    ),
    read: ({ m, d, end, m2, d2, d3, m4, d4, m5, d5 }) => ({
      value:
        `${m4 ?? m5 ?? ((m ?? m2) ? monthNumber((m ?? m2)!) : '')}-${Number(d ?? d2 ?? d3 ?? d4 ?? d5)}${end === undefined ? '' : `-${Number(end)}`}`.replace(
          /^0/,
          '',
        ),
    }),
  },
  {
    kind: 'day',
    pattern:
      /(?:(?<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) ?月 ?(?<d>[1-3]?\d|[一二三]?十?[一二三四五六七八九十]) ?[号日]?|(?<![\d工学编线牌座账型单])(?<d2>[1-3]?\d|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九]) ?号(?!线|楼|机|码|店|院|房|桌|门))/g,
    read: ({ m, d, d2 }) => ({ value: `${m === undefined ? '' : chineseNumber(m)}-${chineseNumber((d ?? d2)!)}` }),
  },
  {
    kind: 'month',
    pattern: new RegExp(
      String.raw`(?<=\b(?:until|till|through|by|from|to|in|into) (?:the end of )?)(?<m>${MONTHS})\b|(?<=[到至])(?<x>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:底|初|中)?`,
      'g',
    ),
    read: ({ m, x }) => ({ value: m === undefined ? String(chineseNumber(x!)) : String(monthNumber(m)) }),
  },
  {
    kind: 'weekday',
    pattern: new RegExp(
      String.raw`\b(?<w>${FULL_WEEKDAY.slice(1, -1)})s?\b|(?:周|星期|礼拜)(?<x>[一二三四五六日天])(?!起)`,
      'gi',
    ),
    read: ({ w, x }) => ({ value: w === undefined ? DAYS[HAN_DAYS.indexOf(x!)]! : w.toLowerCase().slice(0, 3) }),
  },
  {
    kind: 'money',
    pattern:
      /[$€£¥￥] ?(?<n>\d[\d,]*(?:\.\d+)?) ?(?<k>k\b|million\b|m\b|万|千)?|(?<![\w.,$€£-])(?<n2>\d[\d,]{0,40}(?:\.\d{1,40})?) ?(?<k2>k ?|万|千)?(?:dollars|euros?|pounds|quid|bucks|usd|eur|gbp|cad|rmb|块钱?|元|美元|欧元|刀)(?![a-z])/gi,
    read: ({ n, k, n2, k2 }) => ({ value: String(Number((n ?? n2)!.replaceAll(',', '')) * times(k ?? k2)) }),
  },
  {
    kind: 'money',
    pattern:
      /(?<n>[一二两三四五六七八九十]{1,4}[百千万](?:[一二三四五六七八九](?![十百千万])|[一二三四五六七八九百千十]{0,40})?)(?<b>块钱?|元)?(?![\p{Script=Han}]{0,2}[人个号])/gu,
    read: ({ n, b }) =>
      b === undefined && !/万$|[百千万][一二三四五六七八九]$/u.test(n!) ? null : { value: String(chineseNumber(n!)) },
  },
  {
    kind: 'share',
    pattern:
      /(?<![\w.,-])(?<n>\d{1,40}(?:\.\d{1,40})?) ?(?:%|percent\b|per cent\b|％)|百分之(?<x>[一二三四五六七八九十百零\d]+)/gi,
    read: ({ n, x }) => ({ value: n ?? String(chineseNumber(x!)) }),
  },
  {
    kind: 'version',
    pattern:
      /\b(?<name>version|v|node(?:\.js)?|python|java|jdk|php|ruby|go|postgres(?:ql)?|mysql|react|vue|angular|django|rails|spring boot|kubernetes|ubuntu|bootstrap|flask|typescript|版本)(?: is| now|号?[是为])? ?v?(?<n>\d{1,40}(?:\.\d{1,40}){0,40})(?![\w%])/gi,
    read: ({ name, n }) => ({ value: n!, unit: name!.toLowerCase().replace(/\.js$|^v$|^version$|^版本$/, '') }),
  },
  {
    kind: 'port',
    pattern: /(?:\bport|端口)(?: is |是|为)?:? ?(?<n>\d{2,5})\b|:(?<n2>\d{4,5})\b/gi,
    read: ({ n, n2 }) => ({ value: (n ?? n2)! }),
  },
  {
    kind: 'code',
    pattern:
      /(?<![\w.-])(?<c>(?=[\w.-]{0,40}\d)(?=[\w.-]{0,40}[A-Za-z]|\d{1,40}(?:\.\d{1,40}){2})[A-Za-z\d][\w.-]{4,40}|\d{1,40}(?:-\d{1,40}){2,40})(?![\w-])/g,
    read: ({ c }) =>
      /^\d+(?:\.\d+)?-?(?:\w{0,2}|[a-z]{3,}(?:-[a-z]+)*)$|^[a-z]+\d?$/i.test(c!)
        ? null
        : { value: c!.toLowerCase().replace(/\.$/, '') },
  },
  {
    kind: 'stretch',
    pattern: new RegExp(
      String.raw`${NUMBER_MARK}(?<n>${ENGLISH_COUNT})(?:(?: ?[-–] ?| to )(?<end>${ENGLISH_COUNT}))?[ -]?(?<u>${STRETCH})\b(?!['’]?s? old| (?:early|late|ahead|ago|later|earlier|from now)\b)`,
      'gi',
    ),
    read: ({ n, end, u }) => stretch(number(n!), end === undefined ? undefined : number(end), u!.toLowerCase()),
  },
  {
    kind: 'stretch',
    pattern: new RegExp(
      `(?<![\\d.第])(?<n>${HAN_COUNT}|半)(?:[到至-](?<end>${HAN_COUNT}))?(?:来|多)? ?(?<u>${HAN_STRETCH})(?!级|龄|度|终|报|前|后|级|之?[前后内]|薪|初|底|中|\\d)`,
      'g',
    ),
    read: ({ n, end, u }) => stretch(han(n!), end === undefined ? undefined : han(end), u!),
  },
  {
    kind: 'count',
    pattern: /(?<n>[一二两12]) ?米 ?(?<d>[一二三四五六七八九]|\d{1,2})(?!\d)/g,
    read: ({ n, d }) => ({ value: `${han(n!)}.${han(d!)}`, unit: '米' }),
  },
  {
    kind: 'count',
    pattern: new RegExp(String.raw`(?<![\d.第])(?<n>${HAN_COUNT}) ?(?<u>${HAN_UNIT})(?<x>[\p{Script=Han}]{0,2})`, 'gu'),
    read: ({ n, u }) => ({ value: han(n!), unit: u! }),
  },
  {
    kind: 'year',
    pattern: /(?<![\d.:$€£-])(?<n>(?:19|20)\d\d)(?![\d%]|[.:-]\d|年?\d)/g,
    read: ({ n }) => ({ value: n! }),
  },
  {
    kind: 'count',
    pattern: new RegExp(
      String.raw`${NUMBER_MARK}(?<n>${ENGLISH_COUNT})(?![\w%.-]*\d)(?![-:/]| ?(?:${HAN_STRETCH})|[ -]?(?:${STRETCH})\b(?!['’]?s? old))(?<k>k\b)?(?<rest>(?:[ -][a-z][\w'’-]*){0,4})`,
      'gi',
    ),
    read: ({ n, k, rest }) => ({
      value: k === undefined ? number(n!) : String(Number(number(n!)) * 1000),
      unit: counted(rest ?? ''),
    }),
  },
]

const DAYS = 'mon tue wed thu fri sat sun sun'.split(' ')
const HAN_DAYS = '一二三四五六日天'

function clock(hour: number, minute: string, afternoon: boolean): string {
  return `${afternoon && hour < 12 ? hour + 12 : hour}:${minute}`
}

function times(factor: string | undefined): number {
  const name = factor?.trim().toLowerCase() ?? ''
  return name === '' ? 1 : name === '万' ? 10_000 : name.startsWith('m') ? 1_000_000 : 1000
}

function number(written: string): string {
  const word = ENGLISH_NUMBERS.get(written.toLowerCase())
  return String(word ?? Number(written.replaceAll(',', '')))
}

/** Each measure of time in its base, seconds or days: a week is seven days. */
const MEASURES: readonly (readonly [measure: RegExp, base: string, factor: number])[] = [
  [/^(?:ms|milli|毫秒)/, 'second', 0.001],
  [/^(?:s|秒)/, 'second', 1],
  [/^(?:mi|分)/, 'second', 60],
  [/^(?:h|个?小时|个?钟头)/, 'second', 3600],
  [/^(?:d|天)/, 'day', 1],
  [/^(?:w|周|个?星期)/, 'day', 7],
  [/^(?:mo|个月)/, 'day', 30],
  [/^(?:y|年)/, 'day', 365],
]

/** A length of time, or from one to another. */
function stretch(first: string, last: string | undefined, measure: string): { value: string; unit: string } {
  const [, unit, factor] = MEASURES.find(([name]) => name.test(measure))!
  return { value: [first, ...(last === undefined ? [] : [last])].map((n) => Number(n) * factor).join('-'), unit }
}

function han(written: string): string {
  return String(chineseNumber(written))
}

const NO_NOUN =
  /^(?:of|in|on|at|to|for|and|or|by|with|from|is|are|was|were|but|so|as|per|if|when|which|that|than|the|an?|my|our|i|we|it|more|less|out|up|now|because|since|after|before|this|every|each|tops|max|maximum|minimum|total|altogether)$/i
const SOME_VERB = /(?:ed|ing|ly)$/i

/** The stem of the noun that the words right behind a number name; '' for none. */
export function countedIn(behind: string): string {
  return counted(/^[ -]?[a-z][\w'’]{0,40}(?:[ -][a-z][\w'’]{0,40}){0,3}/i.exec(behind)?.[0] ?? '')
}

/** The stem of the noun that is counted: the last word before one that ends the phrase. */
function counted(rest: string): string {
  const words: string[] = []
  for (const word of rest.trim().split(/[ -]/)) {
    if (word === '' || NO_NOUN.test(word)) break
    words.push(word)
    // A plural ends the counted thing.
    if (/[^s]s$/i.test(word)) break
  }
  const noun = words.findLast((word) => !SOME_VERB.test(word))
  return noun === undefined ? '' : ([...indexTerms(noun).keys()][0] ?? noun.toLowerCase())
}

/** Numbers are in no other text for a reason; longer texts are read to here. */
export const READ_CHARACTERS = 3000

/** The quantities that a text writes, those of an earlier rule first. */
export function writtenQuantities(whole: string): readonly WrittenQuantity[] {
  const text = whole.slice(0, READ_CHARACTERS)
  if (!MAY_NAME.test(text)) return []
  const found: WrittenQuantity[] = []
  for (const { kind, pattern, read } of RULES) {
    // Most rules find nothing, and to iterate over a pattern copies it.
    if (text.search(pattern) < 0) continue
    for (const match of text.matchAll(pattern)) {
      const at = match.index
      const length = match[0].length - (match.groups?.rest ?? match.groups?.x ?? '').length
      if (found.some((one) => at < one.at + one.length && one.at < at + length)) continue
      const said = read(match.groups ?? {})
      if (said !== null) found.push({ kind, value: said.value, unit: said.unit ?? '', at, length })
    }
  }
  return found
}
