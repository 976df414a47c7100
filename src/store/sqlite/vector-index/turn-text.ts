/**
 * What is embedded for a turn? Its words and the end of the turn before, each with its speaker, as answers often omit
 * their subject; this found more than bare turns.
 */

/** Characters from the end of the turn before, which is being answered, that are embedded with a turn. */
const PREVIOUS_CHARACTERS = 400

/** A turn as it is embedded. */
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
