/** Numbers that are secrets by their own form: of cards, accounts and persons. */
import { eachMatch } from '../each-match.ts'
import type { Secret } from './issued-keys.ts'
import { PERSON_NAMES } from './secret-names.ts'
import { SOCIAL_SECURITY } from './value-shape.ts'

/** 13 to 19 digits, by themselves or in groups. */
const NUMBER = /(?<![\w.#/=+-]|\d[ ])\d(?:[ -]?\d){12,18}(?![\w/=+-]|[. ]\d)/g
/** A cheap test for possible numbers, far cheaper than the search. */
const HINT = /\d{3}[ -]?\d{3}/
/** Digits at most a few characters behind a word for a card. */
const CALLED =
  /(?:(?:card|account) ?(?:number|no\.?|#)|银行卡号?|信用卡号?|储蓄卡号?|借记卡号?|(?<!会员)卡号|銀行卡號?|信用卡號?|卡號)(?:[ ]?(?:is|was|是|为|[:：=,，])){0,2}[ *`"“]{0,3}$/i
const CARD_NEAR = /(?<![a-z])(?:cards?|visa|master ?card|amex|american express|unionpay|discover)(?![a-z])|卡/i
/** Beginnings and lengths that issuers of cards use (ISO/IEC 7812). */
const ISSUED =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17})$/
/** Groups as on cards: in fours, or four, six and five. */
const GROUPED = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5})$/
/** Words for other numbers, one in ten of which has the check digit by chance. */
const OF_OTHERS =
  /(?:\b(?:id|no|nr|order|ticket|invoice|tracking|number|code|isbn|imei|iccid|sim)\b|[号單单码])\W{0,4}$/i
/** Length from which bare digits are an id. */
const LONGEST_BARE = 16
const CARD_REACH = 40

/** The numbers; none is said in passing, so none carries `isSaid`. */
export function* cardNumbers(text: string): Generator<void, readonly Secret[]> {
  if (!HINT.test(text)) return []
  const found: Secret[] = []
  yield* eachMatch(text, NUMBER, ({ 0: number, index }) => {
    const digits = number.replace(/\D/g, '')
    const before = text.slice(Math.max(0, index - CARD_REACH), index)
    const isCalled = CALLED.test(before)
    const isCard = isCalled || (ISSUED.test(digits) && hasCheckDigit(digits) && isCardByLook(number, before))
    if (isCard && new Set(digits).size > 1) found.push({ from: index, to: index + number.length, shown: '' })
  })
  return found
}

function isCardByLook(number: string, before: string): boolean {
  if (GROUPED.test(number) || CARD_NEAR.test(before)) return true
  return /^\d+$/.test(number) && number.length <= LONGEST_BARE && !OF_OTHERS.test(before)
}

/** Luhn's sum: from the right every second digit counts twice. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Two letters, two check digits, then groups, no groups of a UUID among them; ISO 13616. */
const IBAN = /(?<![A-Za-z0-9]|[A-F0-9]{4}-)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){9,36}(?![A-Za-z0-9])/gi
/** Characters of an IBAN in each country of the registry. */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 ' +
    'EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 ' +
    'KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 ' +
    'PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 ' +
    'VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)
/** Words before such a number that call it so. */
const CALLED_SO = new RegExp(`${PERSON_NAMES}(?:[^.!。！\\n]|(?<=\\b(?:n[or]|sec|ss?))\\.){0,30}[\\s|:*-]{0,12}$`, 'i')
/** GB 11643: a region, the day of birth, a number, a check digit. */
const IDENTITY =
  /(?<![A-Za-z0-9])[1-9]\d(?:[ ·-]?\d){4}[ ·-]?(?:1[ ·-]?9|2[ ·-]?0)(?:[ ·-]?\d){9}[ ·-]?[\dXx](?![A-Za-z0-9])/g
/** The day of birth in it. */
const BORN = /^\d{10}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])/
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
/** Characters before a number in which it is called by its name. */
const NUMBER_REACH = 60

/** The numbers, in order of their kinds. */
export function* numbersOfPersons(text: string): Generator<void, readonly Secret[]> {
  if (!/[A-Z]{2}\d{2}|\d{3}[- \u2010-\u2013./]{0,3}\d{2}/i.test(text)) return []
  const found: Secret[] = []
  const keep = ({ index, 0: number }: RegExpExecArray, length = number.length): void =>
    void found.push({ from: index, to: index + length, shown: '' })
  yield* eachMatch(text, IBAN, (match) => {
    const length = lengthOfIban(match[0])
    if (length !== null) keep(match, length)
  })
  yield* eachMatch(text, SOCIAL_SECURITY, (match) => {
    if (CALLED_SO.test(text.slice(Math.max(0, match.index - NUMBER_REACH), match.index))) keep(match)
  })
  yield* eachMatch(text, IDENTITY, (match) => {
    if (isIdentity(match[0])) keep(match)
  })
  return found
}

/** The length of the IBAN in the match, as a word in capitals may follow it; null where the check sum fails. */
function lengthOfIban(run: string): number | null {
  const wanted = IBAN_LENGTHS.get(run.slice(0, 2).toUpperCase())
  if (wanted === undefined) return null
  let length = 0
  let characters = 0
  for (const character of run) {
    if (characters === wanted) break
    length += 1
    if (/[A-Z0-9]/i.test(character)) characters += 1
  }
  if (characters < wanted || /^(?:[A-Z0-9]|-[A-F0-9]{4})/i.test(run.slice(length, length + 5))) return null
  const number = run.slice(0, length).replace(/[ -]/g, '')
  let rest = 0
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 ? length : null
}

function isIdentity(number: string): boolean {
  const digits = number.replace(/[ ·-]/g, '')
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return BORN.test(digits) && CHECKS[sum % 11] === digits[17]!.toUpperCase()
}
