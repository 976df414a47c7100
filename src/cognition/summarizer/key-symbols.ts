/** Which symbols are these turns about? The more turns name one, and the more often, the earlier it stands. */
import type { Turn } from '../../domain/turn.ts'

/** Most symbols that a summary lists. */
export const KEY_SYMBOLS = 8
/** Symbols of one turn that are weighed; a pasted file can name thousands. */
const SYMBOLS_OF_A_TURN = 64
const TURN_WEIGHT = 2
const MENTION_WEIGHT = 1
const DECISION_WEIGHT = 3
const MOST_MENTIONS = 5

/** The key symbols, most important first; ties by first mention. `prose` holds the words of each turn. */
export function rankSymbols(
  turns: readonly Turn[],
  prose: readonly string[],
  decisions: readonly string[],
): readonly string[] {
  const scores = new Map<string, number>()
  for (const [at, turn] of turns.entries()) {
    for (const symbol of turn.symbols.slice(0, SYMBOLS_OF_A_TURN)) {
      const mentions = countMentions(prose[at]!, symbol)
      scores.set(symbol, (scores.get(symbol) ?? 0) + TURN_WEIGHT + MENTION_WEIGHT * mentions)
    }
  }
  for (const [symbol, score] of scores) {
    if (decisions.some((decision) => decision.includes(symbol))) scores.set(symbol, score + DECISION_WEIGHT)
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1])
    .slice(0, KEY_SYMBOLS)
    .map(([symbol]) => symbol)
}

function countMentions(text: string, symbol: string): number {
  let count = 0
  for (let at = text.indexOf(symbol); at !== -1 && count < MOST_MENTIONS; at = text.indexOf(symbol, at + symbol.length)) {
    count++
  }
  return count
}
