/**
 * Of whom does each clause speak, and how: what somebody is, has, does again and again, did, will do, might do? Read from
 * the first words of a clause and from every "I" and "my" within it, so that "my sister lives" is not "I live".
 */
import { type MeaningTable, meaningMask } from './meaning-table.ts'
import { MANNERS, type Manner, SUBJECTS, type Subject } from './predicate-kinds.ts'
import { readHan } from './predicates-han.ts'
import { readLatin } from './predicates-latin.ts'

/** What stands beside it in the clause. */
const FRAMES = ['plain', 'supposed', 'asked', 'passing', 'lasting'] as const

/** How many different features there are. */
export const PREDICATES = SUBJECTS.length * MANNERS.length * FRAMES.length

const HAN = /[\u3400-\u9fff]/
const SUPPOSED = meaningMask('suppose', 'perhaps', 'hearsay', 'fiction')
const ASKED = meaningMask('ask', 'particle', 'task', 'request')
const PASSING = meaningMask('passing', 'future', 'past', 'planned', 'happened', 'once', 'date')
const LASTING = meaningMask('frequency', 'since', 'onwards', 'rule')

/** Numbers of the features that a text has. `meanings`: those that begin at each word; `clauseMeanings`: those of each clause. */
export function predicatesOf(
  list: readonly string[],
  clauses: readonly number[],
  meanings: MeaningTable,
  clauseMeanings: MeaningTable,
  add: (feature: number) => void,
): void {
  const tell = (clause: number, subject: Subject, manner: Manner): void => {
    const pair = SUBJECTS.indexOf(subject) * MANNERS.length + MANNERS.indexOf(manner)
    let frame = 0
    if (clauseMeanings.hasAny(clause, SUPPOSED)) frame = 1
    else if (clauseMeanings.hasAny(clause, ASKED)) frame = 2
    else if (clauseMeanings.hasAny(clause, PASSING)) frame = 3
    else if (clauseMeanings.hasAny(clause, LASTING)) frame = 4
    add(pair * FRAMES.length + frame)
  }
  for (let start = 0; start < list.length; ) {
    const clause = clauses[start]!
    let end = start + 1
    while (end < list.length && clauses[end] === clause) end++
    const read = HAN.test(list[start]!) || HAN.test(list[end - 1]!) ? readHan : readLatin
    read({ words: list, start, end, meanings }, (subject, manner) => tell(clause, subject, manner))
    start = end
  }
}
