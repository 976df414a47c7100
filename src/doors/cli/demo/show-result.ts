/** One recalled turn or summary, as a person reads it: score, who, when, where, the text, and why. */
import type { RecallResultView } from '../../library/index.ts'
import { paint } from '../paint.ts'
import { textWidth, wrapToWidth } from '../text-width.ts'
import { excerpt, matchPattern } from './excerpt.ts'
import { why } from './why.ts'

const INDENT = '       '
const WHY = 'why  '
/** Columns of text shown of one result; Chinese takes two a character. */
const LINES = 3

/** The lines of the result with this rank (from 1), `width` columns wide. */
export function showResult(result: RecallResultView, rank: number, width: number): string {
  const { relevance, createdAt, conversationId, explanation } = result
  const matched = explanation?.matched ?? []
  const head = [
    `${paint('title', `  ${rank}`)}  ${paint('good', relevance.toFixed(2))}`,
    paint('title', whoSpeaks(result)),
    paint('quiet', `${dayText(createdAt)} · ${conversationId}${place(result)}`),
  ].join('  ')
  const lines = [head, ...bodyLines(result.content ?? result.summary ?? '', matched, width)]
  if (explanation !== undefined)
    lines.push(`${INDENT}${paint('quiet', WHY)}${why(explanation, relevance, width - INDENT.length - WHY.length)}`)
  return lines.join('\n')
}

/** A day as a person writes it: 7 May 2026. */
export function dayText(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

function whoSpeaks({ isSummary, speaker, role }: RecallResultView): string {
  if (isSummary) return 'summary'
  return speaker === null || speaker === '' ? (role ?? '') : speaker
}

function place({ turnId, span }: RecallResultView): string {
  if (turnId !== null) return ` #${turnId}`
  return span === null ? '' : ` #${span.from}–${span.to}`
}

function bodyLines(text: string, matched: readonly string[], width: number): readonly string[] {
  const room = width - INDENT.length
  // As many UTF-16 units as fill the lines: Chinese text takes two columns a unit.
  const columnsPerUnit = Math.max(1, textWidth(text.slice(0, 400)) / Math.max(1, text.slice(0, 400).length))
  const shown = excerpt(text, matched, Math.floor((room * LINES) / columnsPerUnit) - 2)
  const pattern = matchPattern(matched)
  return wrapToWidth(shown, room).map((line) => {
    const painted = pattern === null ? line : line.replace(pattern, (found) => paint('match', found))
    return `${INDENT}${painted}`
  })
}
