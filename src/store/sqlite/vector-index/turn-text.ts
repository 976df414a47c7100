/**
 * What is embedded for a turn? Its words and the end of the turn before it, each with who says it: an answer often does
 * not say what it is about, and questions name people. One such vector a turn found more than vectors of bare turns.
 */

/** Characters of the turn before that are embedded with a turn: its end, which is what is being answered. */
const PREVIOUS_CHARACTERS = 400

/** What is known of a turn. */
export interface SpokenTurn {
  readonly content: string
  readonly speaker: string | null
}

/** The text to embed; `previous` is null for the first turn of a conversation. */
export function turnText(turn: SpokenTurn, previous: SpokenTurn | null): string {
  if (previous === null) return spoken(turn)
  const end = previous.content.slice(-PREVIOUS_CHARACTERS).toWellFormed()
  return `${spoken({ ...previous, content: end })}\n${spoken(turn)}`
}

function spoken({ content, speaker }: SpokenTurn): string {
  return speaker === null ? content : `${speaker}: ${content}`
}
