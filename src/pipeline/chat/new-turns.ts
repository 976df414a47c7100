/**
 * Which of the messages that a client sends again with every request were not stored yet? What a user said is known by
 * the chain of everything that users said before it, so that the same words later in a chat are new, an edited message
 * begins a branch, and a request that comes again stores nothing twice.
 */
import type { Turn } from '../../domain/turn.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { TurnInput } from '../store-turns.ts'
import { type ClientMessage, fingerprint } from './client-message.ts'

/** What there is to store for one request. */
export interface NewTurns {
  readonly turns: readonly TurnInput[]
  /** Names the last thing that a user said, in its conversation. */
  readonly chain: string
  /** Stored answers to it, oldest first: the question was asked before. */
  readonly answers: readonly Turn[]
}

/** What a tool answered is stored up to this length in characters: beyond it, it is a file and no message. */
const LONGEST_TOOL_ANSWER = 65_536
const MARK = 'chat:'

/**
 * What is new in `messages`, given the newest stored turns of the conversation, in order. What stands before the first
 * question that is among those was stored before it, also where it is out of their reach or was deleted since.
 */
export function newTurns(messages: readonly ClientMessage[], stored: readonly Turn[]): NewTurns {
  const known = new Set(stored.map(({ externalId }) => externalId))
  const answers = answersByQuestion(stored)
  const turns: TurnInput[] = []
  const add = (turn: TurnInput & { readonly externalId: string }): void => {
    if (!known.has(turn.externalId)) turns.push(turn)
    known.add(turn.externalId)
  }
  const chains = chainsOf(
    messages.filter(({ role }) => role === 'user'),
    stored,
  )
  const firstKnown = chains.findIndex((chain) => known.has(chainId(chain)))
  let asked = 0
  let chain = ''
  for (const { role, text, identity, speaker, attachments } of messages) {
    if (role === 'user') chain = chains[asked++] ?? chain
    if (asked <= firstKnown || text.trim() === '') continue
    const common = { content: text, ...(speaker === null ? {} : { speaker }) }
    if (role === 'user') {
      const metadata = attachments.length === 0 ? {} : { metadata: { attachments } }
      add({ ...common, ...metadata, role, externalId: chainId(chain) })
    } else if (role === 'assistant') {
      // What came from here is stored as it came; a client may show it trimmed, or cut off.
      if (!answers.has(chainId(chain))) add({ ...common, role, externalId: answerId(chain, text) })
    } else if (role === 'tool' && text.length <= LONGEST_TOOL_ANSWER)
      add({ ...common, role, externalId: `${chainId(chain)}:tool:${identity}` })
  }
  return { turns, chain, answers: answers.get(chainId(chain)) ?? [] }
}

/** Names an answer to what a user said; white space around it and reasoning before it make no other answer. */
export function answerId(chain: string, text: string): string {
  return `${chainId(chain)}:${fingerprint(withoutReasoning(text).trim())}`
}

function chainId(chain: string): string {
  return `${MARK}${chain}`
}

/** Stored answers, oldest first, by the id of the question that they answer. */
function answersByQuestion(stored: readonly Turn[]): ReadonlyMap<string, readonly Turn[]> {
  const answers = stored.filter(({ role, externalId }) => role === 'assistant' && externalId?.startsWith(MARK))
  return Map.groupBy(answers, ({ externalId }) => externalId?.slice(0, externalId.lastIndexOf(':')) ?? '')
}

/**
 * The chain of every user message. A client that sends the whole chat begins at its beginning; one that sends its end
 * goes on where what it sends and what is stored agree, or else behind the last that is stored.
 */
function chainsOf(users: readonly ClientMessage[], stored: readonly Turn[]): readonly string[] {
  const [first] = users
  if (first === undefined) return []
  const told = stored.flatMap(({ role, externalId, content }) =>
    role === 'user' && externalId?.startsWith(MARK) ? [{ chain: externalId.slice(MARK.length), content }] : [],
  )
  const last = told.at(-1)
  const whole = continued('', users)
  const known = new Set(told.map(({ chain }) => chain))
  const isKnown = whole.some((chain) => known.has(chain))
  // One message alone that is not the newest is said anew: nobody sends the beginning of a chat to go on with its end.
  const isWhole = last === undefined || (isKnown && (users.length > 1 || last.content === first.text))
  if (isWhole) return whole
  const shared = agreement(users, told)
  return [...shared, ...continued(shared.at(-1) ?? last.chain, users.slice(shared.length))]
}

/** The chain of each message, when `before` is the chain of what users said before them. */
function continued(before: string, users: readonly ClientMessage[]): readonly string[] {
  let chain = before
  return users.map(({ identity }) => {
    chain = fingerprint(chain, identity)
    return chain
  })
}

/** The chains of the longest end of what is stored that `users` begin with. */
function agreement(
  users: readonly ClientMessage[],
  told: readonly { readonly chain: string; readonly content: string }[],
): readonly string[] {
  for (let length = Math.min(users.length, told.length); length > 0; length -= 1) {
    const end = told.slice(-length)
    if (end.every(({ content }, index) => content === users[index]?.text)) return end.map(({ chain }) => chain)
  }
  return []
}
