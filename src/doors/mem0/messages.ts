/** What is to be remembered, as mem0's callers write it: a text, a message, or a list of messages as chats have them. */
import { checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { MessageInput } from '../../engine/memories.ts'

/** Roles of other vendors by ours. */
const ROLES: Readonly<Record<string, MessageInput['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  tool: 'tool',
  developer: 'system',
  function: 'tool',
}

/**
 * The messages of a call. Those without words (a tool was called) are left out; with `verbatim` instructions to the model
 * are, too, because they are no memory. Other fields of a message than role and content are passed over.
 */
export function readMessages(given: unknown, verbatim: boolean): string | readonly MessageInput[] {
  if (given === undefined) throw invalid('messages', 'is missing', 'Pass a text, or a list of messages.')
  if (typeof given === 'string') return given
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const messages = list.flatMap((message, index) => readMessage(`messages[${index}]`, message))
  const kept = verbatim ? messages.filter(({ role }) => role !== 'system') : messages
  if (kept.length === 0) throw invalid('messages', 'say nothing', 'Pass a message of a user or an assistant.')
  return kept
}

function readMessage(at: string, message: unknown): readonly MessageInput[] {
  const { role = 'user', content } = checkRecord(at, message)
  const known = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
  if (known === undefined) throw invalid(`${at}.role`, 'is not known', `Use one of: ${Object.keys(ROLES).join(', ')}.`)
  if (content === undefined || content === null) return []
  return [{ role: known, content: textOf(`${at}.content`, content) }]
}

/** The words of a message; parts are put together line by line. */
function textOf(at: string, content: unknown): string {
  if (typeof content === 'string') return content
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part, index) => {
      const place = `${at}[${index}]`
      const { type, text } = checkRecord(place, part)
      if (type !== 'text')
        throw new MnemeError('unsupported', `${place}: only texts are remembered`, {
          field: place,
          remedy: 'Say in words what an image or a file shows.',
        })
      if (typeof text !== 'string') throw invalid(`${place}.text`, 'must be text', 'Pass a string.')
      return text
    })
    .join('\n')
}
