/** Codes that a sentence tells by what they open: "you get in with the code 4471", "dial 4471 at the gate". */
import type { Secret } from './issued-keys.ts'
import { anyOfNames, UNLOCKS } from './secret-names.ts'

/** Digits as locks take them; neither a part of a number nor an amount. */
const DIGITS =
  /(?<![A-Za-zà-ÿ\d.,:/$€£¥+_#-])(?:\d{3} \d{3}|\d{1,2}-\d{1,2}-\d{1,2}|\d{3,8}[#*A-F]?)(?![\d%°_-]|[.,:]\d|[A-Za-zà-ÿ])/gu
const [CODE, BY] = [anyOfNames('code'), anyOfNames('by')]
/** The code, of no other kind, unlike "the error code". */
const THE_CODE = `(?<![a-zà-ÿ])(?:${anyOfNames('own')}|${BY}|a|an|this|that|new|same|un|una|une|einen|einem) ${CODE}`
const OPENS = `(?:${UNLOCKS.source}|(?<![a-zà-ÿ])${anyOfNames('opens')}(?![a-zà-ÿ]))`
/** Words right before the digits, each with what the rest of the sentence must speak of: a bare number by which one opens needs more. */
const MEANS = [
  [`(?<![a-zà-ÿ])${BY}[ :]{1,2}|[输按拨用](?:入|下)?`, UNLOCKS.source],
  [`${THE_CODE}[ :]{1,2}`, OPENS],
  [`${THE_CODE} [^\\n.!?;:,]{0,40}?${OPENS}[^\\n.!?;:,]{0,40}? ${anyOfNames('is')} `, ''],
].map(([means, spoken]) => ({ means: new RegExp(`(?<=(?:${means})["'“「\`]?)`, 'y'), spoken: new RegExp(spoken!) }))
/** The end of the phrase behind them: "4471 to get in", unlike "4471 guests". */
const PHRASE_ENDS = new RegExp(
  `["'”」\`]?(?:\\s*(?:$|[.,;!?)，。；！？）])| ?(?:就|再|即可|能|可以|来|进|开|解)|\\s+(?:${anyOfNames('of')}|en|ein|into|and|then|when|und|et|y|sur|auf|aus|ab|am|${anyOfNames('opens')})(?![a-zà-ÿ]))`,
  'y',
)
const YEAR = /^(?:19|20)\d\d$/
const SENTENCE_ENDS = /[.!?;。！？；\n]/
/** Characters of the sentence on either side of the digits. */
const REACH = 100

/** The codes, in order; `small` is the text in small letters. */
export function accessCodes(text: string, small: string): readonly Secret[] {
  return [...text.matchAll(DIGITS)].flatMap(({ 0: digits, index: from }) => {
    const to = from + digits.length
    if (YEAR.test(digits) || !matchesAt(PHRASE_ENDS, small, to)) return []
    const isCode = MEANS.some(
      ({ means, spoken }) => matchesAt(means, small, from) && spoken.test(sentenceAround(small, from, to)),
    )
    return isCode ? [{ from, to, shown: '', isSaid: true }] : []
  })
}

/** The words of the sentence beside the digits. */
function sentenceAround(small: string, from: number, to: number): string {
  const before = small
    .slice(Math.max(0, from - REACH), from)
    .split(SENTENCE_ENDS)
    .at(-1)!
  return before + small.slice(to, to + REACH).split(SENTENCE_ENDS, 1)[0]!
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
