/**
 * What is there to beat? FTS5 with its Porter stemmer over the turns: any word of the question, BM25, the best turns until
 * the budget is full.
 */
import { DatabaseSync } from 'node:sqlite'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { ChatTurn } from './chats.ts'

/** Turns that hold a word of the question, best first, at most 1,000. */
export type PlainSearch = (question: string) => readonly ChatTurn[]

/** A packed context. `tokens` counts the question, too, and 4 a message, as the engine does. */
export interface Packed {
  readonly text: string
  readonly tokens: number
}

const TOKENS_A_MESSAGE = 4

/** Indexes the turns. */
export function plainSearch(turns: readonly ChatTurn[]): PlainSearch {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE turns USING fts5(terms, tokenize = 'porter unicode61'); BEGIN`)
  const insert = database.prepare('INSERT INTO turns (rowid, terms) VALUES (?, ?)')
  for (const [at, { content }] of turns.entries()) insert.run(at, terms(content).join(' '))
  database.exec('COMMIT')
  const search = database.prepare('SELECT rowid FROM turns WHERE terms MATCH ? ORDER BY rank LIMIT 1000')
  return (question) => {
    const words = [...new Set(terms(question))].map((term) => `"${term}"`)
    return words.length === 0 ? [] : search.all(words.join(' OR ')).map(({ rowid }) => turns[Number(rowid)]!)
  }
}

/** Packs turns whole, best first, as long as they fit; with `userFirst` no answer before what the user said. */
export function packPlainly(
  found: readonly ChatTurn[],
  question: string,
  tokenBudget: number,
  userFirst: boolean,
): Packed {
  const lines: string[] = []
  let tokens = count(question) + 2 * TOKENS_A_MESSAGE
  const ranked = userFirst ? found.toSorted((a, b) => Number(b.role === 'user') - Number(a.role === 'user')) : found
  for (const { createdAt, speaker, role, content } of ranked) {
    if (tokenBudget - tokens < FEWEST_TOKENS) break
    const line = `[${createdAt.slice(0, 10)}] ${speaker ?? role}: ${content}\n`
    if (tokens + count(line) > tokenBudget) continue
    tokens += count(line)
    lines.push(line)
  }
  return { text: lines.join(''), tokens }
}

/** No line with its date is shorter. */
const FEWEST_TOKENS = 8
const counted = new Map<string, number>()

function count(text: string): number {
  const known = counted.get(text) ?? countTokens(text, { disallowedSpecial: new Set() })
  counted.set(text, known)
  return known
}

/** Words; of Chinese, which has no spaces, the characters and their pairs. */
function terms(text: string): readonly string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+/gv) ?? []
  return runs.flatMap((run) => {
    if (!/^\p{Script=Han}/u.test(run)) return [run]
    const characters = [...run]
    return [...characters, ...characters.slice(1).map((next, at) => characters[at]! + next)]
  })
}
