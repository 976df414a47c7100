/**
 * Where are the scores of one query kept, turn by turn? In reused arrays as long as the index; between two uses every
 * entry is 0, as touched ones are swept.
 */

/** Scores of one query over one view. Never held across an `await`: another recall may want it. */
export interface ScoreBoard {
  /** BM25 by ordinal; 0 where nothing matched. */
  scores: Float32Array
  /** Which of the first 32 terms a turn holds, one bit each. */
  masks: Uint32Array
  /** The first `count` are the ordinals with a score or a mark, unordered, without repeats. */
  touched: Uint32Array
  count: number
  /** The arms that brought a candidate, one bit each; code that sets entries sweeps them. */
  arms: Uint8Array
  /** The likeness in meaning of candidates and question; code that sets entries sweeps them. */
  meanings: Float32Array
}

const idle: ScoreBoard[] = []

/** A clean board for at least `size` ordinals; give it back with `releaseBoard`. */
export function acquireBoard(size: number): ScoreBoard {
  const board = idle.pop()
  if (board !== undefined && board.scores.length >= size) return board
  const capacity = Math.max(1024, Math.ceil(size * 1.25))
  return {
    scores: new Float32Array(capacity),
    masks: new Uint32Array(capacity),
    touched: new Uint32Array(capacity),
    count: 0,
    arms: new Uint8Array(capacity),
    meanings: new Float32Array(capacity),
  }
}

/** Sweeps the board and keeps it for the next query. */
export function releaseBoard(board: ScoreBoard): void {
  const { scores, masks, touched, count } = board
  // Beyond an eighth of the array a straight fill is quicker than jumping about.
  if (count > scores.length >> 3) {
    scores.fill(0)
    masks.fill(0)
  } else {
    for (let i = 0; i < count; i++) {
      const ordinal = touched[i]!
      scores[ordinal] = 0
      masks[ordinal] = 0
    }
  }
  board.count = 0
  if (idle.length === 0) idle.push(board)
}
