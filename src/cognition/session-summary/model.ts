/** Session summaries with a model (001): a title and a snippet in the language of the user. */
import type { ThinkMessage } from '../../domain/thought.ts'
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { oneLine } from '../answers/bounded.ts'
import { quotedMessage, shortened } from '../answers/data-message.ts'
import { faultOf } from '../answers/fault.ts'
import { framedMessages } from '../answers/prompt-frame.ts'
import { SESSION_SUMMARY_PROMPT } from './prompt.ts'
import { sessionSummarySchema } from './schema.ts'
import { type SessionSummary, SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

const STEP = 'session_summary'
const MOST_TOKENS = 300
/** The beginning says what it is about, the end what came of it. */
const FIRST_TURNS = 4
const LAST_TURNS = 12
const LONGEST_TURN = 800
/** A title generalises: few of its words need to have been said. */
const LEAST_SAID = 0.1

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function sessionSummaryByModel(
  turns: readonly ThinkMessage[],
  ask: AskContext,
): Promise<SessionSummary | null> {
  const shown =
    turns.length <= FIRST_TURNS + LAST_TURNS ? turns : [...turns.slice(0, FIRST_TURNS), ...turns.slice(-LAST_TURNS)]
  const quoted = shown.map((turn) => quotedMessage({ ...turn, content: shortened(turn.content, LONGEST_TURN) }))
  const answer = await askForAnswer(ask, {
    step: STEP,
    messages: framedMessages(SESSION_SUMMARY_PROMPT, { conversation: quoted }),
    schema: sessionSummarySchema,
    maxTokens: MOST_TOKENS,
  })
  if (answer === null) return null
  const title = oneLine(answer.title, Number.MAX_SAFE_INTEGER)
  const snippet = oneLine(answer.snippet, Number.MAX_SAFE_INTEGER)
  // The user's language decides, not that of the answers or of what was pasted.
  const written = quoted.filter(({ role }) => role === 'user').map(({ text }) => String(text))
  const all = quoted.map(({ text }) => String(text))
  const fault =
    faultOf(title, written.length > 0 ? written : all, 0) ??
    faultOf(snippet, written.length > 0 ? written : all, 0) ??
    faultOf(`${title} ${snippet}`, all, LEAST_SAID)
  if (fault !== null) {
    rejectAnswer(ask, STEP, fault)
    return null
  }
  return { title: shortenedTo(title, TITLE_CHARACTERS), snippet: shortenedTo(snippet, SNIPPET_CHARACTERS) }
}

/** At most so many characters as a person counts them, at the end of a word where words are spaced. */
function shortenedTo(text: string, most: number): string {
  const characters = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, 40 * most)),
  )
  if (characters.length <= most) return text
  const cut = text.slice(0, characters[most - 1]!.index)
  return `${/\w$/.test(cut) ? cut.replace(/\s+\S*$/, '') : cut}…`
}
