/** What does the index keep of one turn? The same code for new turns, rebuilt indexes and removals. */
import { TURN_HAS_SYMBOLS, TURN_IS_QUESTION } from '../../../contracts/turn-index.ts'
import { isQuestion } from '../../../text/questions.ts'
import { extractSymbols } from '../../../text/symbols.ts'
import { termCount, turnTerms } from '../../../text/tokens.ts'

/** Raised whenever the terms of a text change; an index of another version is rebuilt from the turns. */
export const TERMS_VERSION = 3

/** The terms of a turn and what follows from its text. */
export interface AnalyzedTurn {
  readonly terms: ReadonlyMap<string, number>
  /** Document length. */
  readonly length: number
  readonly flags: number
}

/** Cuts a turn's content into index terms, its symbols among them; `hasSymbols` false saves looking for them. */
export function analyzeTurn(content: string, hasSymbols = true): AnalyzedTurn {
  const symbols = hasSymbols ? extractSymbols(content) : []
  const terms = turnTerms(content, symbols)
  const flags = (isQuestion(content) ? TURN_IS_QUESTION : 0) | (symbols.length > 0 ? TURN_HAS_SYMBOLS : 0)
  return { terms, length: termCount(terms), flags }
}
