/** The events of a chat as this door writes them: snake_case, and `session_id` beside `conversation_id`. */
import type { ChatEvent } from '../../../usecases/chat/chat.ts'
import { snakeNames } from '../../operations/names.ts'
import { problemOf } from '../problem.ts'

type Ended = Extract<ChatEvent, { readonly kind: 'done' }>

/** The data of an event. */
export function chatEventJson(event: ChatEvent, requestId: string): Record<string, unknown> {
  if (event.kind === 'delta') return { text: event.text }
  if (event.kind === 'recalled') {
    const { conversationId, turnId, recalled, tokens, warnings } = event
    return {
      ...idsOf(conversationId),
      turn_id: turnId,
      recalled: recalled.map(snakeNames),
      tokens,
      warnings,
    }
  }
  const { conversationId, userTurnId, assistantTurnId, warnings } = event
  const ids = { ...idsOf(conversationId), user_turn_id: userTurnId, assistant_turn_id: assistantTurnId }
  if (event.kind === 'error') return { ...problemOf(event.error, requestId).problem, ...ids, warnings }
  return { ...ids, ...answerOf(event), warnings }
}

function answerOf({ answer, model, usage, wouldHaveShown }: Ended): Record<string, unknown> {
  return {
    answer,
    model,
    usage: usage === null ? null : snakeNames(usage),
    ...(wouldHaveShown === null ? {} : { would_have_shown: wouldHaveShown }),
  }
}

function idsOf(conversationId: string): Record<string, string> {
  return { session_id: conversationId, conversation_id: conversationId }
}
