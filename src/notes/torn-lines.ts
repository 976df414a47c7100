/** Which lines has damage put together from pieces of others? A stretch that is gone, doubled or copied leaves such seams. */
import { MEMORY_FILE_SECTIONS } from '../domain/memory-file.ts'
import { withBreath } from '../domain/scheduling.ts'
import { sameEnd, sameStart } from '../language/spelling.ts'
import { type FilePart, sectionName } from './parse-notes.ts'

/** A line as it was written. `from`, `to`: its words; in a heading all but its first sign. */
export interface WrittenLine {
  readonly raw: string
  readonly from: number
  readonly to: number
}

/** The ends of headings are parts of many words: a shorter one tells nothing. */
const LEAST_OF_HEADING = 3
const HEADINGS: readonly WrittenLine[] = [
  '# MEMORY',
  ...MEMORY_FILE_SECTIONS.flatMap((section) =>
    (['both', 'en', 'zh'] as const).map((headings) => `## ${sectionName(section, headings)}`),
  ),
].map((raw) => ({ raw, from: 2, to: raw.length }))

/**
 * The lines that begin as one of ours and end as another, or lack a stretch of it, joined as nobody edits. Lines that
 * end within a word of ours count, too.
 */
export async function tornParts(
  parts: readonly FilePart[],
  written: readonly WrittenLine[],
): Promise<readonly FilePart[]> {
  const lines = [...written, ...HEADINGS]
  const there = new Set(parts.map(({ raw }) => raw.trimEnd()))
  const known = new Set(lines.map(({ raw }) => raw))
  const torn: FilePart[] = []
  for await (const part of withBreath(parts, () => lines.length)) {
    const line = part.raw.trimEnd()
    if (line !== '' && !known.has(line) && !line.includes('\n') && isTorn(line, lines, there)) torn.push(part)
  }
  return torn
}

function isTorn(line: string, lines: readonly WrittenLine[], there: ReadonlySet<string>): boolean {
  const starts = lines.map(({ raw }) => sameStart(line, raw))
  const longest = Math.max(...starts)
  if (longest === line.length)
    return lines.every((one, at) => starts[at]! < longest || (!isHeading(one) && isCutWithin(one, longest)))
  const ends = lines.map((one) => {
    const length = sameEnd(line, one.raw)
    return isHeading(one) && length < LEAST_OF_HEADING ? 0 : length
  })
  let isFound = false
  for (let at = Math.max(1, line.length - Math.max(...ends)); at <= longest; at += 1)
    for (const first of lines.filter((_, place) => starts[place]! >= at))
      for (const last of lines.filter((_, place) => ends[place]! >= line.length - at)) {
        if (mayBeEdited(first, at, last, last.raw.length - line.length + at, there)) return false
        isFound = true
      }
  return isFound
}

/** Whether a person may have made a line that is `first` up to `end`, then `last` from `begin` on. */
function mayBeEdited(
  first: WrittenLine,
  end: number,
  last: WrittenLine,
  begin: number,
  there: ReadonlySet<string>,
): boolean {
  const rough = [roughnessOf(first, end), roughnessOf(last, begin)] as const
  const roughness = rough[0] + rough[1]
  if (first === last) {
    const stretch = first.raw.slice(Math.min(end, begin), Math.max(end, begin))
    return !/\s/.test(stretch) || roughness < (begin > end ? 2 : 1)
  }
  // A line with words, or a day, as another one has them: that other one still stands there.
  const isInWords = Math.max(...rough) < 2 || (end <= first.from && begin <= last.from)
  const isAlike = there.has(first.raw) && !there.has(last.raw) && !isHeading(last)
  return roughness === 0 || (isInWords && isAlike)
}

/** Whether a line of which this is the beginning lost more than the rest of a word. */
function isCutWithin(line: WrittenLine, at: number): boolean {
  return roughnessOf(line, at) > 0 && at < line.to && /\s/.test(line.raw.slice(at, line.to))
}

/** How unlike a person it is to cut a line there: 0 between words, 1 within one, 2 within our mark or comment. */
function roughnessOf({ raw, from, to }: WrittenLine, at: number): number {
  if (at < from - 1 || (at > to && at < raw.length)) return 2
  return /^[[\p{L}\p{N}]--\p{Script=Han}]{2}$/v.test(raw.slice(at - 1, at + 1)) ? 1 : 0
}

function isHeading({ raw }: WrittenLine): boolean {
  return raw.startsWith('#')
}
