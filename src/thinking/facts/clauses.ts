/** Where does one clause of a text end and another begin? The one home of cutting: at marks, and at words that join clauses. */
import { readOnce } from '../../domain/read-once.ts'

/** The border between two clauses: a mark, a gap in Chinese, or a word that may join clauses or only words. */
const BETWEEN =
  /(?<=[!?。！？])\s*|(?<=\p{Script=Han})[ \u3000]{1,40}(?=\p{Script=Han})|(?<=\.)\s+|[,，;；]\s{0,40}(?!\d)|\s{1,40}(?:and|but|so|while|because)\s+/giu
const JOINS = /[a-z]/i
/** "…and my sister", "…but we": a clause of its own follows; "bread and butter": none. */
const BEGINS_CLAUSE = /^(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve)|my|our|now)\b/i

/**
 * Decides whether a clause of its own follows a border, by the border's mark, the words behind it and those before.
 */
export type StandsAlone = (next: string, before: string, mark: string) => boolean

/** A word that ties a clause to another one, before somebody or at any clause. */
const TIED =
  /^(?:(?:because|so|and|but|by the way,?|btw,?)|(?:since|as)(?= (?:i|my|we|our)\b)) |^(?:因为|由于|既然|所以|但是?|不过|对了)[\s，,]{0,3}/i

/** A clause as it stands by itself, without the word that ties it to another one. */
export function untied(clause: string): string {
  return clause.replace(TIED, '')
}

/** Every mark ends a clause, a joining word only before somebody who does something. */
const byMarks: StandsAlone = (next, _before, mark) => !JOINS.test(mark) || BEGINS_CLAUSE.test(next)

/** The clauses in the words of the text, trimmed, without empty ones; a dependent one stays with the one before. */
export function clausesOf(text: string, standsAlone?: StandsAlone): readonly string[] {
  return standsAlone === undefined ? clausesByMarks(text) : cut(text, standsAlone)
}

const clausesByMarks = readOnce('clauses', (text) => cut(text, byMarks))

function cut(text: string, standsAlone: StandsAlone): readonly string[] {
  const marks = [...text.matchAll(BETWEEN)]
  const starts = [0]
  const ends: number[] = []
  for (const [at, { index, 0: mark }] of marks.entries()) {
    const from = index + mark.length
    const next = text.slice(from, marks[at + 1]?.index ?? text.length)
    if (next.trim() === '' || !standsAlone(next, text.slice(starts.at(-1), index), mark)) continue
    ends.push(index)
    starts.push(from)
  }
  return starts.map((start, at) => text.slice(start, ends[at] ?? text.length).trim()).filter((clause) => clause !== '')
}
