/** Which symbols are these turns about? The more turns name one, and the more often, the earlier it stands. */
import type { Turn } from '../../domain/turn.ts'

/** Most symbols that a summary lists. */
export const KEY_SYMBOLS = 8
/** Symbols of one turn that are weighed; a pasted file can name thousands. */
const SYMBOLS_OF_A_TURN = 64
/** A turn that speaks of the symbol, and one that only shows it in a block of code. */
const TURN_WEIGHT = 2
const CODE_ONLY_WEIGHT = 0.5
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
      const weight = mentions === 0 ? CODE_ONLY_WEIGHT : TURN_WEIGHT + MENTION_WEIGHT * mentions
      scores.set(symbol, (scores.get(symbol) ?? 0) + weight)
    }
  }
  for (const [symbol, score] of scores) {
    if (decisions.some((decision) => decision.includes(symbol))) scores.set(symbol, score + DECISION_WEIGHT)
  }
  return bestSymbols(scores)
}

/** The KEY_SYMBOLS names with the highest scores; of `mutex` and `Mutex` only the better one. */
export function bestSymbols(scores: ReadonlyMap<string, number>): readonly string[] {
  const best = new Map<string, string>()
  for (const [symbol] of [...scores].sort((a, b) => b[1] - a[1])) {
    const key = symbol.toLowerCase()
    if (!best.has(key)) best.set(key, symbol)
    if (best.size === KEY_SYMBOLS) break
  }
  return [...best.values()]
}

function countMentions(text: string, symbol: string): number {
  let count = 0
  for (
    let at = text.indexOf(symbol);
    at !== -1 && count < MOST_MENTIONS;
    at = text.indexOf(symbol, at + symbol.length)
  ) {
    count++
  }
  return count
}
