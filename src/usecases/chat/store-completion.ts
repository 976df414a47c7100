/** The stored parts of a completion: the new messages, and the answer once it has been given. */
import { check } from '../../domain/checks.ts'
import type { GatewaySaid } from '../../domain/contracts/models.ts'
import { messageOf } from '../../domain/errors.ts'
import type { Turn } from '../../domain/turn.ts'
import { withoutReasoning } from '../../language/reasoning-tags.ts'
import type { TurnInput } from '../conversations.ts'
import { type ChatDependencies, inConversation } from './chat.ts'
import { type ClientMessage, fingerprint, identityOf } from './client-message.ts'

export interface ChatName {
  readonly userId: string
  readonly conversationId: string
}

/** The new messages of a request, and whether the conversation was there. */
export interface StoredMessages extends NewTurns {
  readonly wasThere: boolean
}

/** Turns that are read besides those of the client: answers that were asked for again. */
const READ_BESIDES = 100
/** Older messages that the client sends again are known by the question that follows them. */
const MOST_READ = 10_000
/** The turns of a long history stored at a time: others want to store, too. */
const STORED_AT_ONCE = 1000

/** Stores the new messages. Those that no log can hold are left out, and `warnings` say so. */
export async function storeMessages(
  chat: ChatDependencies,
  name: ChatName,
  messages: readonly ClientMessage[],
  warnings: string[],
): Promise<StoredMessages> {
  const stored = await newest(chat, name, 2 * messages.length + READ_BESIDES)
  const fresh = newTurns(messages, stored ?? [])
  const turns = fresh.turns.filter(({ content }) => {
    try {
      return check.content('content', content, chat.maxContentBytes) === content
    } catch (error) {
      warnings.push(`A message was not stored: ${messageOf(error)}`)
      return false
    }
  })
  // The order matters: turns lost in a crash are sent again behind the stored ones.
  for (let at = 0; at < turns.length; at += STORED_AT_ONCE)
    await chat.store({ ...name, turns: turns.slice(at, at + STORED_AT_ONCE) })
  return { ...fresh, turns, wasThere: stored !== null || turns.length > 0 }
}

/** Stores the answer with more metadata, one after the other in a chat. With `isAsked` it takes the place of an earlier one. */
export function storeAnswer(
  chat: ChatDependencies,
  name: ChatName,
  { chain, wasThere }: StoredMessages,
  said: GatewaySaid,
  isAsked: boolean,
  shown: object,
): Promise<void> {
  return inConversation(chat, name, async () => {
    const content = withoutReasoning(said.text)
    if (content.trim() === '') return
    const stored = await newest(chat, name, READ_BESIDES)
    // A chat deleted meanwhile gets no answer, as that may quote it.
    if (wasThere && stored === null) return
    const replaced = isAsked
      ? readThread(stored ?? [])
          .answers(chain)
          .at(-1)
      : undefined
    const metadata = {
      model: said.model ?? chat.llm?.model ?? null,
      ...(said.finished ? {} : { cut: true }),
      ...(said.choices > 1 ? { choices: said.choices } : {}),
      ...(replaced === undefined ? {} : { replaces_turn: replaced.turnId }),
      ...shown,
    }
    const externalId = answerId(chain, content)
    await chat.store({ ...name, turns: [{ role: 'assistant', content, externalId, metadata }] })
  })
}

/** The newest turns, in order; null where there is no such conversation. */
async function newest(
  { log }: ChatDependencies,
  { userId, conversationId }: ChatName,
  count: number,
): Promise<readonly Turn[] | null> {
  const conversation = await log.conversation(userId, conversationId)
  if (conversation === null) return null
  const to = conversation.lastTurnId
  return to === 0
    ? []
    : log.turns(userId, conversationId, { from: Math.max(1, to - Math.min(MOST_READ, count) + 1), to })
}

interface NewTurns {
  readonly turns: readonly TurnInput[]
  /** The name of the last user message in its conversation. */
  readonly chain: string
  /** Stored answers to it, oldest first: the question was asked before. */
  readonly answers: readonly Turn[]
}

/** The longest stored answer of a tool, in characters: beyond it, it is a file and no message. */
const LONGEST_TOOL_ANSWER = 65_536

/** The new ones in `messages`, given the newest stored turns. Those before a known question were stored before it. */
export function newTurns(messages: readonly ClientMessage[], stored: readonly Turn[]): NewTurns {
  const thread = readThread(stored)
  const known = new Set(stored.map(({ externalId }) => externalId))
  const turns: TurnInput[] = []
  const add = (turn: TurnInput & { readonly externalId: string }): void => {
    if (!known.has(turn.externalId)) turns.push(turn)
    known.add(turn.externalId)
  }
  const exchanges = exchangesOf(messages)
  const { chains, isStored, end } = agree(exchanges, thread)
  for (const [index, { question, replies }] of exchanges.entries()) {
    if (index < end && isStored[index] !== true) continue
    const chain = chains[index] ?? ''
    if (question !== null && index > end && question.text.trim() !== '') {
      const { attachments, identity } = question
      const metadata = attachments.length === 0 ? {} : { metadata: { attachments } }
      add({ ...said(question), ...metadata, role: 'user', externalId: questionId(chains[index - 1] ?? '', identity) })
    }
    for (const reply of replies) {
      const { role, text, identity } = reply
      if (text.trim() === '') continue
      if (role === 'assistant' && isNewAnswer(thread, chain, text))
        add({ ...said(reply), role, externalId: answerId(chain, text) })
      else if (role === 'tool' && text.length <= LONGEST_TOOL_ANSWER)
        add({ ...said(reply), role, externalId: `${MARK}${chain}:tool:${identity}` })
    }
  }
  const chain = chains.at(-1) ?? ''
  return { turns, chain, answers: thread.answers(chain) }
}

function said({ text, speaker }: ClientMessage): Pick<TurnInput, 'content' | 'speaker'> {
  return { content: text, ...(speaker === null ? {} : { speaker }) }
}

/** Our own answers are stored as they came. Another may be meant only where the vendor gave several. */
function isNewAnswer(thread: StoredThread, chain: string, text: string): boolean {
  const answers = thread.answers(chain)
  if (answers.length === 0) return true
  return answers.some(({ metadata }) => Number(metadata?.choices) > 1) && !thread.isAnswer(chain, text)
}

interface Exchange {
  /** null: the messages before the first question. */
  readonly question: ClientMessage | null
  readonly replies: readonly ClientMessage[]
}

interface Agreement {
  /** Chain of every exchange; the first, which has no question, has the chain of the messages before it. */
  readonly chains: readonly string[]
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

function exchangesOf(messages: readonly ClientMessage[]): readonly Exchange[] {
  const exchanges: { question: ClientMessage | null; replies: ClientMessage[] }[] = [{ question: null, replies: [] }]
  for (const message of messages)
    if (message.role === 'user') exchanges.push({ question: message, replies: [] })
    else exchanges.at(-1)?.replies.push(message)
  return exchanges
}

/** The place with the most answers in common, of these the one that reaches furthest; else behind all that is stored. */
function agree(exchanges: readonly Exchange[], thread: StoredThread): Agreement {
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
  return possible.reduce((a, b) => {
    const isBetter = a.answered === b.answered ? a.end >= b.end : a.answered > b.answered
    return isBetter ? a : b
  })
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

interface StoredQuestion {
  /** The chain of the question before it; '' before the first. */
  readonly before: string
  /** A key that equal words of one speaker share. */
  readonly identity: string
  readonly chain: string
}

type StoredThread = ReturnType<typeof readThread>

const MARK = 'chat:'
const QUESTION = /^chat:([^.:]*)\.([^.:]+)$/
/** The older form, without the chain before it. */
const BARE_QUESTION = /^chat:([^.:]+)$/

function questionId(before: string, identity: string): string {
  return `${MARK}${before}.${identity}`
}

function answerId(chain: string, text: string): string {
  return `${MARK}${chain}:${fingerprint(essence(text))}`
}

/** The chain of a question behind the chain `before`. */
function chainBehind(before: string, identity: string): string {
  return fingerprint(before, identity)
}

/** The stored turns of a chat as a tree. A question's key is the chain before it and its own words. */
function readThread(turns: readonly Turn[]) {
  const questions = new Map<string, StoredQuestion>()
  const answers = new Map<string, Turn[]>()
  let last = ''
  for (const turn of turns) {
    if (turn.role === 'user') {
      const question = questionOf(turn, last)
      questions.set(questionId(question.before, question.identity), question)
      last = question.chain
    } else if (turn.role === 'assistant') {
      const { externalId } = turn
      const chain = externalId?.startsWith(MARK) ? externalId.slice(MARK.length, externalId.lastIndexOf(':')) : last
      const others = answers.get(chain)
      if (others === undefined) answers.set(chain, [turn])
      else others.push(turn)
    }
  }
  const essences = new Map<string, ReadonlySet<string>>()
  const essencesOf = (chain: string): ReadonlySet<string> => {
    const made = essences.get(chain) ?? new Set(answers.get(chain)?.map(({ content }) => essence(content)))
    essences.set(chain, made)
    return made
  }
  return {
    /** The questions in the order of the log. */
    questions: [...questions.values()],
    /** The question with this identity behind the chain `before`. */
    find: (before: string, identity: string) => questions.get(questionId(before, identity)),
    /** Answers to a question, oldest first. */
    answers: (chain: string): readonly Turn[] => answers.get(chain) ?? [],
    /** Whether this was answered; white space around it and reasoning before it make no other answer. */
    isAnswer: (chain: string, text: string): boolean => essencesOf(chain).has(essence(text)),
  }
}

function questionOf({ turnId, externalId, speaker, content }: Turn, last: string): StoredQuestion {
  const [, before, identity] = QUESTION.exec(externalId ?? '') ?? []
  if (before !== undefined && identity !== undefined) return { before, identity, chain: chainBehind(before, identity) }
  const [, chain = `turn-${turnId}`] = BARE_QUESTION.exec(externalId ?? '') ?? []
  return { before: last, identity: identityOf({ role: 'user', speaker, text: content }), chain }
}

function essence(text: string): string {
  return withoutReasoning(text).trim()
}
