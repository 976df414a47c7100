/** What do the messages of a completion request say? Texts as they are; of pictures and sounds only that they are there. */
import { hash } from 'node:crypto'
import { checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'

/** One message of a client. */
export interface ClientMessage {
  readonly role: string
  /** '' where nothing was said in words, such as a mere call of a tool. */
  readonly text: string
  /** The same for the same content, parts that are no text included. */
  readonly identity: string
  /** Name of the speaker where the client gives one. */
  readonly speaker: string | null
  /** Types of the parts that are no text. */
  readonly attachments: readonly string[]
}

/** Reads the list of messages. Throws `invalid` unless it is a list of at least one object with a role. */
export function readClientMessages(messages: unknown): readonly ClientMessage[] {
  if (!Array.isArray(messages))
    throw invalid('messages', 'must be a list', 'Pass a list such as [{"role": "user", "content": "…"}].')
  if (messages.length === 0) throw invalid('messages', 'is empty', 'Pass at least one message.')
  return messages.map((message: unknown, index) => readMessage(message, `messages[${index}]`))
}

/** What somebody asked last, in words; '' when no user said anything. */
export function lastQuestion(messages: readonly ClientMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? ''
}

/** Whether the message is the client's own instructions. */
export function isInstruction({ role }: ClientMessage): boolean {
  return role === 'system' || role === 'developer'
}

/** A short name for a text: the same for the same text, as good as never for another. */
export function fingerprint(...texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'hex').slice(0, 32)
}

function readMessage(message: unknown, field: string): ClientMessage {
  const { role, content, name, tool_call_id } = checkRecord(field, message)
  if (typeof role !== 'string')
    throw invalid(`${field}.role`, 'must be text', 'Pass system, developer, user, assistant or tool.')
  const parts = Array.isArray(content) ? content.map(readPart) : []
  const attachments = parts.flatMap(({ type, text }) => (text === null ? [type] : []))
  const said =
    typeof content === 'string' ? content : parts.flatMap(({ text }) => (text === null ? [] : [text])).join('\n')
  return {
    role,
    text: said.trim() === '' && role === 'user' ? attachments.map((type) => `[${type}]`).join(' ') : said,
    identity: fingerprint(role, JSON.stringify([content ?? null, tool_call_id ?? null])),
    speaker: isName(name) ? name : null,
    attachments,
  }
}

/** What a log can hold as a name; a client's own may be anything. */
function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name === '' || Buffer.byteLength(name) > LIMITS.idCharacters) return false
  return name.isWellFormed() && !name.includes('\0')
}

function readPart(part: unknown): { readonly type: string; readonly text: string | null } {
  if (typeof part !== 'object' || part === null) return { type: 'unknown', text: null }
  const { type, text } = part as { readonly type?: unknown; readonly text?: unknown }
  const isText = (type === 'text' || type === undefined) && typeof text === 'string'
  return { type: typeof type === 'string' ? type : 'unknown', text: isText ? text : null }
}
