/**
 * Which numbers are those of payment cards? Those called so, and those of a card's form and check digit; longer ones
 * and those of orders need a card word beside them.
 */
import type { Secret } from './secret.ts'

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
const NEAR = 40

/** The numbers; none is said in passing, so none carries `isSaid`. */
export function cardNumbers(text: string): readonly Secret[] {
  if (!HINT.test(text)) return []
  const found: Secret[] = []
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    const digits = number.replace(/\D/g, '')
    const before = text.slice(Math.max(0, index - NEAR), index)
    const isCalled = CALLED.test(before)
    const isCard = isCalled || (ISSUED.test(digits) && hasCheckDigit(digits) && isCardByLook(number, before))
    if (isCard && new Set(digits).size > 1) found.push({ from: index, to: index + number.length, shown: '' })
  }
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
