/**
 * Which values with a type does a text name? Two statements about the same thing that give different values of one type
 * (another date, another time, another number with the same unit) cannot both hold.
 */

/** A value and what kind of value it is. */
export interface TypedValue {
  readonly type: 'date' | 'weekday' | 'code' | 'year' | 'version' | 'time' | 'money' | 'port' | 'number'
  readonly value: string
  /** What is counted, for a number: "kg", 楼; empty for the other types. */
  readonly unit: string
  /** Where it stands, and its length as written. */
  readonly at: number
  readonly length: number
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*'
const RULES: readonly { readonly type: TypedValue['type']; readonly pattern: RegExp }[] = [
  { type: 'time', pattern: /(?<![\d.])([01]?\d|2[0-3])[:：]([0-5]\d)(?!\d)|(?<![\d.])(\d{1,2}) ?(?:am|pm)\b/gi },
  {
    type: 'time',
    pattern:
      /(?:[一二两三四五六七八九十]{1,3}|\d{1,2}) ?点(?:半|[一二三四五六七八九十\d]{1,40}分?|钟)?(?!\d|赞|外|儿|也|都)/g,
  },
  {
    type: 'date',
    pattern: new RegExp(
      String.raw`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\b|\b${MONTH} \d{1,2}(?:st|nd|rd|th)?\b|\b\d{1,2}(?:st|nd|rd|th)\b`,
      'gi',
    ),
  },
  {
    type: 'date',
    pattern:
      /(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?月(?: ?(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?[号日]?)?|(?<!\d|工|学|编|线|牌|座|账)(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?[号日](?!线|楼|机|码)/g,
  },
  {
    type: 'weekday',
    pattern: /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:周|星期|礼拜)[一二三四五六日天](?!起)/gi,
  },
  // A password, a flight, a ticket, an address: letters or dots among digits.
  {
    type: 'code',
    pattern:
      /(?<![\w.-])(?=[\w.-]{0,40}\d)(?=[\w.-]{0,40}[A-Za-z]|\d{1,40}(?:\.\d{1,40}){2})[A-Za-z\d][\w.-]{4,40}(?![\w-])/g,
  },
  { type: 'year', pattern: /(?<![\d.:-])(?:19|20)\d\d(?!\d|[.:-]\d)/g },
  {
    type: 'version',
    pattern:
      /(?:version|版本|node(?:\.js)?|python|java|jdk|php|ruby|go|postgres(?:ql)?|mysql|react|vue|angular|django|rails|spring boot|kubernetes|ubuntu)(?: is| now|号?[是为])? ?v?(\d+(?:\.\d{1,40})*)/gi,
  },
  { type: 'number', pattern: /[一两二\d] ?米[一二三四五六七八九\d]{1,2}/g },
  { type: 'money', pattern: /[一二两三四五六七八九][百千万][一二三四五六七八九](?![\p{Script=Han}]{0,40}[人个号])/gu },
  { type: 'money', pattern: /[$€£¥￥] ?\d[\d,.]*k?|\d[\d,.]{0,40} ?(?:dollars|euros|pounds|quid|bucks|块|元|万)/gi },
  { type: 'port', pattern: /(?:port|端口) ?(?:is |是|为)?:? ?(\d{2,5})|:(\d{4,5})\b/gi },
  {
    type: 'number',
    pattern:
      /(?<![\d.:-])(\d{1,40}(?:\.\d{1,40})?) ?(kg|kilos|cm|km|mg|ml|mm|percent|%|inches|years old|people|days?|weeks?|months?|minutes?|mins?|hours?|seconds?|ms|gb|mb|tb|fps|rpm|watts?|volts?|litres?|lbs?|stone|秒|毫秒|天|周|分钟|小时|岁|公斤|斤|厘米|层|楼|人|毫克|片|码|度|平|号线|次|页|个)/gi,
  },
]

/** Values in the order of the rules. */
export function typedValues(text: string): readonly TypedValue[] {
  if (!/[\d一二三四五六七八九十]|day|[周期拜][日天]/i.test(text)) return []
  const values: TypedValue[] = []
  for (const { type, pattern } of RULES)
    for (const match of text.matchAll(pattern))
      values.push({
        type,
        // A version is compared by its number, whatever names it.
        value: (type === 'version' ? match[1]! : match[0])
          .toLowerCase()
          .replace(/\s+/g, '')
          .replace(/days$/, 'day')
          .replace(/^(?:星期|礼拜)(?=.$)/, '周'),
        unit: type === 'number' ? (match[2] ?? '').toLowerCase() : '',
        at: match.index,
        length: match[0].length,
      })
  return values
}

/** A type and unit of which both name values, and none in common. */
export function conflicting(newer: readonly TypedValue[], older: readonly TypedValue[]): boolean {
  return newer.some(
    ({ type, unit }) =>
      older.some((value) => value.type === type && value.unit === unit) &&
      !newer.some((a) => a.type === type && older.some((b) => isOneValue(a, b))),
  )
}

/** The same, or the one a part of the other. */
export function isOneValue(a: TypedValue, b: TypedValue): boolean {
  return a.type === b.type && (holdsWhole(a.value, b.value) || holdsWhole(b.value, a.value))
}

/** "July" in "3 July", but not "3 July" in "23 July", nor 二十 in 二十一. */
function holdsWhole(longer: string, shorter: string): boolean {
  const at = longer.indexOf(shorter)
  if (at < 0) return false
  const joins = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && DIGIT.test(a) && DIGIT.test(b)
  return !joins(longer[at - 1], shorter[0]) && !joins(shorter[shorter.length - 1], longer[at + shorter.length])
}

const DIGIT = /[\d一二两三四五六七八九十百千万]/
