/**
 * Which memories hold these terms when the full-text index cannot answer? SQL LIKE over the records is slower and knows
 * no word boundaries; the characters `%` and `_` are ordinary.
 */
import type { MemoryMatch, MemoryTerm } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Connection } from './connection.ts'
import type { MatchQuestion } from './memory-fts-match.ts'
import { MEMORY_COLUMNS, memoryOf } from './memory-rows.ts'
import { filterCondition } from './memory-store-filter.ts'
import { rowRange } from './memory-store-range.ts'

/** Longest pattern in characters; SQLite takes 50,000 bytes. */
const LONGEST = 1000
/** Terms of one look: as many as SQLite surely takes in one expression. */
const MOST_TERMS = 200

const SEARCHED = `(m.text || char(10) || coalesce(m.key, '') || char(10) || coalesce(m.value, '') || char(10) || m.tags
  || char(10) || coalesce(m.who, ''))`

/** Most terms found first; ties by last change, the newest first. `bm25` is the number of terms found. */
export function matchByLike(
  connection: Connection,
  { userNo, terms, filter, now, limit }: MatchQuestion,
): readonly MemoryMatch[] {
  const looked = terms.slice(0, MOST_TERMS)
  if (looked.length === 0 || limit <= 0) return []
  const { sql, values } = filterCondition(filter, now, userNo)
  const hits = looked.map(() => `(${SEARCHED} LIKE ? ESCAPE '\\')`).join(' + ')
  const rows = connection.all(
    `SELECT * FROM (SELECT ${hits} AS hits, ${MEMORY_COLUMNS} FROM memories m WHERE m.row BETWEEN ? AND ? ${sql})
     WHERE hits > 0 ORDER BY hits DESC, updated_at DESC, id LIMIT ?`,
    ...looked.map(({ term }) => likePattern(term)),
    ...rowRange(userNo),
    ...values,
    limit,
  )
  return rows.map((row) => {
    const memory = memoryOf(row)
    return { memory, bm25: Number(row.hits), matchedTerms: matchedBy(memory, looked) }
  })
}

/** The LIKE pattern of a term, to be used with ESCAPE '\'. */
function likePattern(term: string): string {
  const escaped = wordStart(term)
    .slice(0, LONGEST)
    .replaceAll(/[\\%_]/g, (character) => `\\${character}`)
  return `%${escaped}%`
}

/** The part of a stem that the word has as written: the stem "happi" stands for "happy". */
function wordStart(term: string): string {
  return /^[a-z]{3,}i$/.test(term) ? term.slice(0, -1) : term
}

function matchedBy(memory: Memory, terms: readonly MemoryTerm[]): readonly number[] {
  const searched = [
    memory.text,
    memory.key ?? '',
    JSON.stringify(memory.value),
    JSON.stringify(memory.tags),
    memory.who ?? '',
  ]
    .join('\n')
    .toLowerCase()
  return terms.flatMap(({ term }, index) => (searched.includes(wordStart(term).toLowerCase()) ? [index] : []))
}
