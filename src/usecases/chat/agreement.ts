/**
 * Where do a client's messages and the stored ones agree? A client sends the whole chat, or its end, also with an
 * edited message; the answers between tell apart places of equal questions.
 */
import type { ClientMessage } from './client-message.ts'
import { chainBehind, type StoredThread } from './stored-thread.ts'

/** A question with everything that was said until the next one. */
export interface Exchange {
  /** null: the messages before the first question. */
  readonly question: ClientMessage | null
  readonly replies: readonly ClientMessage[]
}

/** The place of a client's exchanges among the stored ones. */
export interface Agreement {
  /** Chain of every exchange; the first, which has no question, has the chain of the messages before it. */
  readonly chains: readonly string[]
  /** Whether the question is stored, for every exchange. */
  readonly isStored: readonly boolean[]
  /** Number of the last exchange whose question is stored; 0: none is. */
  readonly end: number
}

interface Candidate extends Agreement {
  /** Exchanges whose answer is stored, too. */
  readonly answered: number
}

/** Exchanges that are compared where the same was asked many times: the newest places, as many as that is enough for. */
const MOST_COMPARED = 50_000

/** The messages as exchanges; there is always a first without a question. */
export function exchangesOf(messages: readonly ClientMessage[]): readonly Exchange[] {
  const exchanges: { question: ClientMessage | null; replies: ClientMessage[] }[] = [{ question: null, replies: [] }]
  for (const message of messages)
    if (message.role === 'user') exchanges.push({ question: message, replies: [] })
    else exchanges.at(-1)?.replies.push(message)
  return exchanges
}

/** The place with the most answers in common, of these the one that reaches furthest; else behind all that is stored. */
export function agree(exchanges: readonly Exchange[], thread: StoredThread): Agreement {
  const { questions } = thread
  const newest = questions.at(-1)?.chain ?? ''
  const mostPlaces = Math.ceil(MOST_COMPARED / exchanges.length)
  const sameBeginning = questions.filter(({ identity }) => identity === exchanges[1]?.question?.identity)
  const behindGaps = orphansOf(thread)
    .flatMap(({ identity, before }) =>
      exchanges.flatMap(({ question }, at) => (at > 1 && question?.identity === identity ? [{ before, at }] : [])),
    )
    .slice(-mostPlaces)
    .map(({ before, at }) => follow(exchanges, thread, before, at))
  const places = [
    ...sameBeginning
      .slice(-mostPlaces)
      .reverse()
      .map(({ before }) => follow(exchanges, thread, before, 1)),
    // A single common question says too little of those before it.
    ...behindGaps.filter(({ answered, isStored }) => answered > 0 || isStored.filter(Boolean).length > 1),
    // The exchanges behind all stored ones; and from the beginning, of which the first questions may be gone.
    follow(exchanges, thread, newest, 1),
    follow(exchanges, thread, '', 1),
  ]
  // A single question that is not the newest is asked anew: nobody sends the beginning of a chat to go on with its
  // end.
  const isOneAlone = exchanges.length === 2
  const possible = places.filter(
    ({ end, answered, chains }) => !isOneAlone || end === 0 || answered > 0 || chains[end] === newest,
  )
  return possible.reduce(better)
}

function better(a: Candidate, b: Candidate): Candidate {
  if (a.answered !== b.answered) return a.answered > b.answered ? a : b
  return a.end >= b.end ? a : b
}

/** The questions whose predecessor is not among those that were read: it was deleted, or is out of their reach. */
function orphansOf({ questions }: StoredThread): StoredThread['questions'] {
  const chains = new Set(questions.map(({ chain }) => chain))
  return questions.filter(({ before }) => before !== '' && !chains.has(before))
}

/** The agreement when exchange `at` is the first that is looked at, and stands behind the chain `before`. */
function follow(exchanges: readonly Exchange[], thread: StoredThread, before: string, at: number): Candidate {
  const chains: string[] = exchanges.slice(0, at).map(() => before)
  const isStored: boolean[] = chains.map(() => false)
  let end = 0
  let answered = at === 1 && isAnswered(exchanges[0], before, thread) ? 1 : 0
  let chain = before
  for (const exchange of exchanges.slice(at)) {
    const identity = exchange.question?.identity ?? ''
    const stored = thread.find(chain, identity)
    chain = stored?.chain ?? chainBehind(chain, identity)
    if (stored !== undefined) end = chains.length
    if (isAnswered(exchange, chain, thread)) answered += 1
    chains.push(chain)
    isStored.push(stored !== undefined)
  }
  return { chains, isStored, end, answered }
}

function isAnswered(exchange: Exchange | undefined, chain: string, thread: StoredThread): boolean {
  if (thread.answers(chain).length === 0) return false
  return exchange?.replies.some(({ role, text }) => role === 'assistant' && thread.isAnswer(chain, text)) ?? false
}
