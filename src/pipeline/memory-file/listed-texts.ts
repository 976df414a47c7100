/** What do the entries of the file say, to be compared with what is new? Kept from one look to the next, and what changes is changed. */
import { type KnownTexts, knownTexts } from '../../text/duplicates.ts'
import type { Standing } from './apply-edits.ts'

/** Texts of entries that stand in the file. */
export interface ListedTexts {
  /** The texts of these entries, and of no others. An entry that is the same object as before has the same texts. */
  of(standing: readonly Standing[]): KnownTexts
}

/** An empty collection. */
export function listedTexts(): ListedTexts {
  const texts = knownTexts()
  const counted = new Set<Standing>()
  return {
    of: (standing) => {
      const fresh = standing.filter((one) => !counted.has(one))
      if (standing.length - fresh.length < counted.size) {
        const there = new Set(standing)
        for (const one of counted) {
          if (there.has(one)) continue
          counted.delete(one)
          for (const text of textsOf(one)) texts.remove(text)
        }
      }
      for (const one of fresh) {
        counted.add(one)
        for (const text of textsOf(one)) texts.add(text)
      }
      return texts
    },
  }
}

/** What the memory says, whose text is no slice of a file, and what the entry says where it shows a part of that. */
function textsOf({ entry, memory }: Standing): readonly string[] {
  return entry.text === memory.text ? [memory.text] : [memory.text, entry.text]
}
