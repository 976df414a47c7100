/** The stored parts of a completion: the new messages, and the answer once it has been given. */

import { checkContent } from '../../domain/checks.ts'
import type { GatewaySaid } from '../../domain/contracts/model-gateway.ts'
import type { Turn } from '../../domain/turn.ts'
import { withoutReasoning } from '../../language/reasoning.ts'
import type { ClientMessage } from './client-message.ts'
import type { ChatDependencies } from './dependencies.ts'
import { inConversation } from './in-turn.ts'
import { type NewTurns, newTurns } from './new-turns.ts'
import { answerId, readThread } from './stored-thread.ts'

/** The user and conversation of a chat. */
export interface ChatName {
  readonly userId: string
  readonly conversationId: string
}

/**
 * The new messages of a request, and whether the conversation was there, so that it can be deleted while the answer is
 * made.
 */
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
      return checkContent('content', content, chat.maxContentBytes) === content
    } catch (error) {
      warnings.push(`A message was not stored: ${error instanceof Error ? error.message : error}`)
      return false
    }
  })
  // The order matters: turns lost in a crash are sent again behind the stored ones.
  for (let at = 0; at < turns.length; at += STORED_AT_ONCE)
    await chat.store({ ...name, turns: turns.slice(at, at + STORED_AT_ONCE) })
  return { ...fresh, turns, wasThere: stored !== null || turns.length > 0 }
}

/** Stores the answer, one after the other in a chat. With `isAsked` it takes the place of an earlier one. */
export function storeAnswer(
  chat: ChatDependencies,
  name: ChatName,
  { chain, wasThere }: StoredMessages,
  said: GatewaySaid,
  isAsked: boolean,
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
