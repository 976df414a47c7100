/** Why a result has its place: one bar as long as its score, in the colours of what contributed, and their names. */
import type { Explanation } from '../../library/index.ts'
import { paint, paintPart } from '../paint.ts'
import { textWidth } from '../text-width.ts'

/** Columns of a score of 1. */
const BAR_COLUMNS = 20
/** What is named where there is room; smaller contributions are part of the bar only. */
const NAMED_PARTS = 4
const SEPARATOR = ' · '

/** What features mean to a person. One that is not here is called by its own name. */
const NAMES: Readonly<Record<string, string>> = {
  words: 'its words',
  coverage: 'rare words',
  context: 'turns around it',
  answer: 'question before',
  next: 'next turn',
  before: 'earlier turn',
  conversation: 'conversation',
  speaker: 'who speaks',
  date: 'when',
  person: 'by a person',
  length: 'detail',
  statement: 'statement',
  recency: 'recent',
  symbol: 'code names',
}

interface Part {
  readonly name: string
  readonly share: number
}

/** The bar and its legend on one line of at most `width` columns. */
export function why(explanation: Explanation, relevance: number, width: number): string {
  const parts = largestParts(explanation)
  const cells = Math.max(1, Math.round(relevance * BAR_COLUMNS))
  const sizes = allot(parts, cells)
  const bar = sizes.map((size, index) => (size === 0 ? '' : paintPart(index, '━'.repeat(size)))).join('')
  const rest = paint('quiet', '╌'.repeat(Math.max(0, BAR_COLUMNS - cells)))
  return `${bar}${rest}  ${legend(parts, width - BAR_COLUMNS - 2)}`
}

/** The largest parts with their shares, as many as there is room for. */
function legend(parts: readonly Part[], room: number): string {
  const shown: string[] = []
  let used = 0
  for (const [index, { name, share }] of parts.slice(0, NAMED_PARTS).entries()) {
    const percent = `${Math.round(share * 100)} %`
    used += (index === 0 ? 0 : SEPARATOR.length) + textWidth(name) + 1 + percent.length
    if (used > room) break
    shown.push(`${paintPart(index, name)} ${paint('quiet', percent)}`)
  }
  return shown.join(paint('quiet', SEPARATOR))
}

function largestParts({ features }: Explanation): readonly Part[] {
  const total = features.reduce((sum, { contribution }) => sum + contribution, 0)
  return features
    .filter(({ contribution }) => contribution > 0)
    .toSorted((a, b) => b.contribution - a.contribution)
    .map(({ feature, contribution }) => ({ name: NAMES[feature] ?? feature, share: contribution / total }))
}

/** Cells for each part by largest remainder, so that they add up. */
function allot(parts: readonly Part[], cells: number): readonly number[] {
  const sizes = parts.map(({ share }) => Math.floor(share * cells))
  const byRemainder = parts
    .map(({ share }, index) => ({ index, remainder: share * cells - Math.floor(share * cells) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const left = cells - sizes.reduce((sum, size) => sum + size, 0)
  for (const { index } of byRemainder.slice(0, left)) sizes[index] = (sizes[index] ?? 0) + 1
  return sizes
}
