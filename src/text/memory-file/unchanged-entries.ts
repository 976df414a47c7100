/**
 * Which entries of a memory file stand in its new text as they did in the old one? Mostly nearly all do, and long stretches
 * are compared at once.
 */
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import type { FileEntry, FilePart } from './document.ts'

/** A text, and what it was taken apart into. */
export interface TextWithParts {
  readonly text: string
  readonly parts: readonly FilePart[]
}

/** Parts of the old file behind the last one that was found again, among which the next one is looked for. */
const WINDOW = 32
/** Looks in vain after which the files are taken for different. */
const MOST_LOOKS = 10_000

/**
 * Gives the old entry that stands at a place of the text, if it is found soon behind the last one; null for none. Only
 * entries of one usual line are given: what such a line says depends on nothing but itself, its section, and whether the
 * next line continues it.
 */
export function unchangedEntries(
  text: string,
  { text: old, parts }: TextWithParts,
): (at: number, section: MemoryFileSection | null) => FileEntry | null {
  let first = 0
  /** Where the part at `first` begins in the old text. */
  let beginning = 0
  /** So much further on stands in the new text, up to `end` of the old one, what stands in the old one. */
  let shift = 0
  let end = -1
  let looks = MOST_LOOKS
  return (at, section) => {
    const last = Math.min(first + WINDOW, parts.length)
    for (let place = first, from = beginning; place < last && looks > 0; place += 1) {
      const part = parts[place]!
      const to = from + part.raw.length
      if (part.kind === 'entry' && part.plain && part.section === section) {
        if ((at - from !== shift || to > end) && text.startsWith(part.raw, at)) {
          shift = at - from
          end = to + commonLength(old, to, text, to + shift)
        }
        if (at - from === shift && to <= end) {
          if (isContinued(text, to + shift)) return null
          first = place + 1
          beginning = to
          return part
        }
        looks -= 1
      }
      from = to
    }
    return null
  }
}

const LONGEST_COMPARED = 4096

/** So many characters are the same in both texts from these places on. */
function commonLength(a: string, fromA: number, b: string, fromB: number): number {
  let common = 0
  for (let step = 16; step > 0; ) {
    const isSame = a.slice(fromA + common, fromA + common + step) === b.slice(fromB + common, fromB + common + step)
    if (!isSame) step >>= 1
    else if (fromA + common + step >= a.length) return Math.min(a.length - fromA, b.length - fromB)
    else {
      common += step
      step = Math.min(step * 2, LONGEST_COMPARED)
    }
  }
  return common
}

/** Whether the line that begins here may belong to an entry that has its comment. */
export function isContinued(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  return first === SPACE || first === TAB
}

const SPACE = 0x20
const TAB = 0x09
