/**
 * Which of a client's repeated messages are not stored yet? A user's message is known by its words and those asked
 * before, so that repeats later are new and edits begin a branch.
 */
import type { Turn } from '../../domain/turn.ts'
import type { TurnInput } from '../store-turns.ts'
import { agree, exchangesOf } from './agreement.ts'
import type { ClientMessage } from './client-message.ts'
import { answerId, questionId, readThread, type StoredThread, toolAnswerId } from './stored-thread.ts'

/** The messages of one request to store. */
export interface NewTurns {
  readonly turns: readonly TurnInput[]
  /** The name of the last user message in its conversation. */
  readonly chain: string
  /** Stored answers to it, oldest first: the question was asked before. */
  readonly answers: readonly Turn[]
}

/** The longest stored answer of a tool, in characters: beyond it, it is a file and no message. */
const LONGEST_TOOL_ANSWER = 65_536

/**
 * The new ones in `messages`, given the newest stored turns of the conversation, in order. Messages before a known
 * question were stored before it, also where out of reach or deleted since.
 */
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
        add({ ...said(reply), role, externalId: toolAnswerId(chain, identity) })
    }
  }
  const chain = chains.at(-1) ?? ''
  return { turns, chain, answers: thread.answers(chain) }
}

function said({ text, speaker }: ClientMessage): Pick<TurnInput, 'content' | 'speaker'> {
  return { content: text, ...(speaker === null ? {} : { speaker }) }
}

/**
 * Our own answers are stored as they came; a client may show them trimmed, or cut off. Another answer may be meant only
 * where the vendor gave several to choose from.
 */
function isNewAnswer(thread: StoredThread, chain: string, text: string): boolean {
  const answers = thread.answers(chain)
  if (answers.length === 0) return true
  return answers.some(({ metadata }) => Number(metadata?.choices) > 1) && !thread.isAnswer(chain, text)
}
