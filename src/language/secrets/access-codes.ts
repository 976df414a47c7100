/** Codes that a sentence tells by what they open: "you get in with the code 4471", "dial 4471 at the gate". */
import { eachMatch } from '../each-match.ts'
import type { Secret } from './issued-keys.ts'
import { anyOfNames, UNLOCKS } from './secret-names.ts'

/** Digits as locks take them; neither a part of a number nor an amount. */
const DIGITS =
  /(?<![A-Za-zà-ÿ\d.,:/$€£¥+_#-])(?:\d{3} \d{3}|\d{1,2}-\d{1,2}-\d{1,2}|\d{3,8}[#*A-F]?)(?![\d%°_-]|[.,:]\d|[A-Za-zà-ÿ])/gu
const [CODE, BY, IS] = [anyOfNames('code'), anyOfNames('by'), anyOfNames('is')]
/** The code, of no other kind, unlike "the error code". */
const THE_CODE = `(?<![a-zà-ÿ])(?:${anyOfNames('own')}|${BY}|a|an|this|that|new|same|un|una|une|einen|einem) ${CODE}`
const OPENS = `(?:${UNLOCKS.source}|(?<![a-zà-ÿ])${anyOfNames('opens')}(?![a-zà-ÿ]))`
/** Words right before the digits, each with what these two sentences must speak of: a bare number by which one opens needs more. */
const MEANS = [
  [`(?<![a-zà-ÿ])${BY}[ :]{1,2}|[输按拨用](?:入|下)? ?`, UNLOCKS.source],
  [`${THE_CODE}(?: ${IS} |['’]s |\\? |[ :]{1,2})`, OPENS],
  [`${THE_CODE} [^\\n.!?;:,]{0,40}?${OPENS}[^\\n.!?;:,]{0,40}? ${IS} `, ''],
].map(([means, spoken]) => ({ means: new RegExp(`(?<=(?:${means})["'“「\`]?)`, 'y'), spoken: new RegExp(spoken!) }))
/** Around digits that begin a clause and open something: "2494 gets you in", unlike "Room 318 opens at nine". */
const BEGINS = /(?<=(?:^|[.!?,;:，。！？；：\n]|[-–—] |(?<![a-z])(?:and|but|then|so|that) ) ?["'“「`]?)/y
const OPENING = new RegExp(
  `["'”」\`]? ?(?:(?:will|should|still|also) )?(?:${anyOfNames('opens')}|${anyOfNames('unlocks')}|就?(?:能|可以)[进开]|开[门锁])`,
  'y',
)
/** The end of the phrase behind them: "4471 to get in", unlike "4471 guests". */
const PHRASE_ENDS = new RegExp(
  `["'”」\`]?(?:\\s*(?:$|[.,;!?)，。；！？）])| ?(?:就|再|即可|能|可以|来|进|开|解)|\\s+(?:${anyOfNames('of')}|en|ein|into|and|then|when|now|please|und|et|y|sur|auf|aus|ab|am|${anyOfNames('opens')})(?![a-zà-ÿ]))`,
  'y',
)
const YEAR = /^(?:19|20)\d\d$/
const SENTENCE_ENDS = /[.!?;。！？；\n]/
/** Characters on either side of the digits. */
const REACH = 100

/** The codes, in order; `small` is the text in small letters. */
export function* accessCodes(text: string, small: string): Generator<void, readonly Secret[]> {
  const codes: Secret[] = []
  yield* eachMatch(text, DIGITS, ({ 0: digits, index: from }) => {
    const to = from + digits.length
    if (YEAR.test(digits)) return
    const said = sentencesAround(small, from, to)
    const opens = matchesAt(OPENING, small, to) && matchesAt(BEGINS, small, from) && UNLOCKS.test(said)
    const isBy = ({ means, spoken }: (typeof MEANS)[number]): boolean =>
      matchesAt(means, small, from) && spoken.test(said)
    if (opens || (endsPhrase(small, to) && MEANS.some(isBy))) codes.push({ from, to, shown: '', isSaid: true })
  })
  return codes
}

/** Whether nothing behind a value makes it an amount or the name of a thing; `small` is in small letters. */
export function endsPhrase(small: string, at: number): boolean {
  return matchesAt(PHRASE_ENDS, small, at)
}

/** The words beside the digits, in their sentence and the one before. */
function sentencesAround(small: string, from: number, to: number): string {
  const before = small
    .slice(Math.max(0, from - REACH), from)
    .split(SENTENCE_ENDS)
    .slice(-2)
    .join('; ')
  return before + small.slice(to, to + REACH).split(SENTENCE_ENDS, 1)[0]!
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
