/** Session summaries (001): a title and a snippet for a conversation, by which a later one knows its subject. */

/** Longest title and snippet in characters as a person counts them. */
export const TITLE_CHARACTERS = 60
export const SNIPPET_CHARACTERS = 200

/** Title and snippet of one conversation. */
export interface SessionSummary {
  /** One line, at most TITLE_CHARACTERS, in the user's language. */
  readonly title: string
  /** At most SNIPPET_CHARACTERS, in the user's language. */
  readonly snippet: string
}
