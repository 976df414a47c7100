/** Which last turns of a conversation does a model see anyway, and what does a message go on about there? */
import type { Store } from '../domain/contracts/store.ts'
import { SAID_BEFORE, type Turn } from '../domain/turn.ts'
import { isQuestion } from '../language/questions.ts'
import { isGenericTerm, queryTerms } from '../language/terms.ts'
import type { WindowTurn } from '../search/context/context-layers.ts'
import { withoutPast } from '../thinking/facts/asked-attributes.ts'

/** The turns that may be shown, in order. */
export interface ReadWindow {
  readonly turns: readonly WindowTurn[]
  /** The message itself, where the conversation ends with it. */
  readonly answered: number | null
  /** Turns of the conversation before the first that was read. */
  readonly before: number
}

/** About what a line takes besides its words. */
export const TOKENS_A_LINE = 5
const EMPTY_WINDOW: ReadWindow = { turns: [], answered: null, before: 0 }
/** Rounds may be longer than two messages: more is read than the window holds. */
const READ_BESIDES = 8
/** The most reads for a window; behind more turns of tools nobody looks for a message. */
const MOST_PIECES = 20

type SpokenTurn = Turn & { readonly role: 'user' | 'assistant' }

function isSpoken(turn: Turn): turn is SpokenTurn {
  return turn.role === 'user' || turn.role === 'assistant'
}

/** The last turns of users and assistants, without the message itself; none without a conversation. */
export async function readWindow(
  { log }: Pick<Store, 'log'>,
  userId: string,
  conversationId: string | null,
  message: string,
  contextLimit: number,
): Promise<ReadWindow> {
  const conversation = conversationId === null ? null : await log.conversation(userId, conversationId)
  if (conversationId === null || conversation === null) return EMPTY_WINDOW
  const wanted = contextLimit + READ_BESIDES
  let spoken: readonly SpokenTurn[] = []
  let read = 0
  let to = conversation.lastTurnId
  for (let piece = 0; piece < MOST_PIECES && to >= 1 && spoken.length < wanted; piece += 1) {
    const from = Math.max(1, to - wanted)
    const turns = await log.turns(userId, conversationId, { from, to })
    spoken = [...turns.filter(isSpoken), ...spoken]
    read += turns.length
    to = from - 1
  }
  // A read may begin in the middle of a round, and an answer is never shown without its question.
  const begins = to < 1 ? 0 : spoken.findIndex(({ role }) => role === 'user')
  const shown = (begins < 0 ? [] : spoken.slice(begins)).map(({ turnId, role, content, [SAID_BEFORE]: before }) => ({
    ...{ turnId, role, content },
    ...(before === undefined ? {} : { [SAID_BEFORE]: before }),
  }))
  const newest = shown.at(-1)
  const answered = newest?.role === 'user' && newest.content === message ? newest.turnId : null
  if (answered !== null) shown.pop()
  return { turns: shown, answered, before: Math.max(0, conversation.turnCount - read + Math.max(0, begins)) }
}

/** A message that names nothing of its own ("What was it before?") goes on about the user's last words. */
export function askedInChat(message: string, { turns }: ReadWindow): string {
  if (!isQuestion(message)) return message
  if (hasOwnWords(withoutPast(message))) return message
  const last = turns.findLast(({ role }) => role === 'user')
  return last === undefined ? message : `${last.content}\n${message}`
}

export function hasOwnWords(question: string): boolean {
  return queryTerms(question).some((term) => !isGenericTerm(term))
}

/** Name of a turn among those that are no evidence. */
export function turnName(conversationId: string, turnId: number): string {
  return `${turnId} ${conversationId}`
}
