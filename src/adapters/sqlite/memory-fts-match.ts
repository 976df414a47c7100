/**
 * Which memories match best by the full-text table of specification 000? bm25 of FTS5, and bounded: where more memories hold
 * the words than FTS5 scores in a few milliseconds, all that hold the rarer words are scored, and the newest of the others.
 */
import type { MemoryFilter, MemoryMatch, MemoryTerm } from '../../contracts/memory-store.ts'
import type { Connection } from './connection.ts'
import { wordsOf } from './memory-fts-terms.ts'
import type { MemoryRecords } from './memory-records.ts'
import { passes } from './memory-store-filter.ts'
import { rowRange } from './memory-store-range.ts'
import { number } from './rows.ts'

/** Memories that are scored in one go. */
const MOST_SCORED = 4000
/** Records read at once. */
const RECORDS_A_PIECE = 64
/** What FTS5 calls 0 or less counts as next to nothing: a match is above 0. */
const LEAST_SCORE = 1e-9

const HOLDING = `SELECT count(*) AS n FROM
  (SELECT 1 FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${MOST_SCORED})`
const NEWEST = `SELECT min(rowid) - ?2 AS place FROM (SELECT rowid FROM memories_fts
  WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT ${MOST_SCORED})`
const SCORED = `SELECT rowid - ?2 AS place, -bm25(memories_fts) AS score FROM memories_fts
  WHERE memories_fts MATCH ?1 AND rowid BETWEEN ?2 + ?4 AND ?3`

/** Whose memories, and which of them. */
export interface MatchQuestion {
  readonly userNo: number
  readonly terms: readonly MemoryTerm[]
  readonly filter: MemoryFilter
  /** Tells which ones have ended, in milliseconds since the epoch. */
  readonly now: number
  readonly limit: number
}

/** Best matches first; ties by age, the newest first. */
export function matchWords(
  connection: Connection,
  records: MemoryRecords,
  { userNo, terms, filter, now, limit }: MatchQuestion,
): readonly MemoryMatch[] {
  if (terms.length === 0 || limit <= 0) return []
  const scores = scoresOf(connection, userNo, terms)
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || b - a)
  const matches: MemoryMatch[] = []
  for (let from = 0; from < ranked.length && matches.length < limit; from += RECORDS_A_PIECE) {
    const piece = ranked.slice(from, from + RECORDS_A_PIECE)
    const memories = records.at(
      userNo,
      piece.map(([place]) => place),
    )
    for (const [index, [, score]] of piece.entries()) {
      const memory = memories[index] ?? null
      if (memory === null || matches.length === limit || !passes(memory, filter, now)) continue
      const matchedTerms = matchedIn(wordsOf(memory).split(' '), terms)
      if (matchedTerms.length > 0) matches.push({ memory, bm25: Math.max(score, LEAST_SCORE), matchedTerms })
    }
  }
  return matches
}

/** Scores by place. */
function scoresOf(connection: Connection, userNo: number, terms: readonly MemoryTerm[]): ReadonlyMap<number, number> {
  const [first, last] = rowRange(userNo)
  const scores = new Map<number, number>()
  const score = (asked: readonly string[], from: number): void => {
    for (const row of connection.all(SCORED, asked.join(' OR '), first, last, BigInt(from)))
      scores.set(number(row, 'place'), Math.max(number(row, 'score'), scores.get(number(row, 'place')) ?? 0))
  }
  const held = terms
    .map((term) => ({ asked: expression(term), holding: 0 }))
    .map((term) => ({ ...term, holding: number(connection.get(HOLDING, term.asked, first, last)!, 'n') }))
    .filter(({ holding }) => holding > 0)
    .sort((a, b) => a.holding - b.holding)
  const rare: string[] = []
  let left = MOST_SCORED
  for (const { asked, holding } of held) {
    left -= holding
    if (left >= 0) rare.push(asked)
  }
  if (rare.length > 0) score(rare, 0)
  if (rare.length === held.length) return scores
  const all = held.map(({ asked }) => asked)
  score(all, number(connection.get(NEWEST, all.join(' OR '), first, last)!, 'place'))
  return scores
}

/** A term as FTS5 asks for it: a string, with a star behind it when longer words are meant too. */
function expression({ term, prefix }: MemoryTerm): string {
  return `"${term.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`
}

/** Which of the terms are among the words, by index. */
function matchedIn(words: readonly string[], terms: readonly MemoryTerm[]): readonly number[] {
  const present = new Set(words)
  return terms.flatMap(({ term, prefix }, index) =>
    present.has(term) || (prefix && words.some((word) => word.startsWith(term))) ? [index] : [],
  )
}
