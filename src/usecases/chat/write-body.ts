/**
 * The vendor's request is the client's own, byte for byte, with the recalled text added. It goes into OpenAI's system
 * message, or a new one; for Anthropic, with its cache, behind the user's newest message.
 */
import { type JsonMember, jsonItems, jsonMembers } from '../../language/json-parts.ts'
import type { Protocol } from './client-message.ts'

/** The changes to a client's request. */
export interface BodyChanges {
  /** null: nothing was recalled. */
  readonly recalled: string | null
  /** The model for a request that names none. */
  readonly model: string
  /** Default: `completions`. */
  readonly protocol?: Protocol
}

/** Names of ours, which a vendor would not know. */
const OURS = ['session_id']

/** The body to send. `body` is a valid JSON object; unchanged parts stay as written. */
export function writeBody(body: string, { recalled, model, protocol }: BodyChanges): string {
  const members = jsonMembers(body)
  // A single mark for the whole request would stand behind the recalled text, and nothing would be cached for the next
  // one.
  const mark =
    protocol === 'messages' && recalled !== null ? members.find(({ name }) => name === 'cache_control') : undefined
  const cached = mark === undefined ? undefined : body.slice(mark.from, mark.to)
  const written = members
    .filter((member) => !OURS.includes(member.name) && member !== mark)
    .filter((member) => member.name !== 'model' || namesModel(body, member))
    .map((member) =>
      member.name === 'messages' && recalled !== null
        ? body.slice(member.from, member.value.from) +
          (protocol === 'messages' ? withRecalledBehind : withRecalled)(
            body.slice(member.value.from, member.to),
            recalled,
            cached,
          )
        : body.slice(member.from, member.to),
    )
  const hasModel = members.some((member) => member.name === 'model' && namesModel(body, member))
  if (hasModel && recalled === null && written.length === members.length) return body
  return `{${[...(hasModel ? [] : [`"model": ${JSON.stringify(model)}`]), ...written].join(', ')}}`
}

function namesModel(body: string, { value }: JsonMember): boolean {
  const written = body.slice(value.from, value.to)
  return written !== 'null' && written !== '""'
}

function withRecalled(messages: string, recalled: string): string {
  const [first] = jsonItems(messages)
  if (first === undefined) return messages
  const written = messages.slice(first.from, first.to)
  const { role, content } = Object.fromEntries(jsonMembers(written).map((member) => [member.name, member.value]))
  const isSystem = role !== undefined && /^"(?:system|developer)"$/.test(written.slice(role.from, role.to))
  const old = content === undefined ? '' : written.slice(content.from, content.to)
  const added = isSystem && content !== undefined ? appended(old, recalled) : null
  if (added === null || content === undefined) {
    const message = JSON.stringify({ role: 'system', content: recalled })
    return `${messages.slice(0, first.from)}${message}, ${messages.slice(first.from)}`
  }
  const message = written.slice(0, content.from) + added + written.slice(content.to)
  return messages.slice(0, first.from) + message + messages.slice(first.to)
}

/** The client's words stay in front, so that a vendor's cache of them holds. null: there are none to add to. */
function appended(content: string, recalled: string): string | null {
  if (content.startsWith('"')) {
    const gap = content === '""' ? '' : '\n\n'
    return content.slice(0, -1) + JSON.stringify(gap + recalled).slice(1)
  }
  if (!content.startsWith('[')) return null
  const part = JSON.stringify({ type: 'text', text: recalled })
  return jsonItems(content).length === 0 ? `[${part}]` : `${content.slice(0, -1)}, ${part}]`
}

/** The messages with a block at the end of the user's newest one; `cached` is the mark for the block before it. */
function withRecalledBehind(messages: string, recalled: string, cached?: string): string {
  const users = jsonItems(messages).flatMap((item) => {
    const parts = Object.fromEntries(jsonMembers(messages, item.from).map((member) => [member.name, member.value]))
    const { role, content } = parts
    return role !== undefined && content !== undefined && messages.slice(role.from, role.to) === '"user"'
      ? [content]
      : []
  })
  const content = users.at(-1)
  if (content === undefined) return messages
  const old = messages.slice(content.from, content.to)
  const blocks = old.startsWith('[') ? old : `[{"type": "text", "text": ${old}}]`
  const last = jsonItems(blocks).at(-1)
  const isMarked = last !== undefined && jsonMembers(blocks, last.from).some(({ name }) => name === 'cache_control')
  const own =
    cached === undefined || last === undefined || isMarked
      ? blocks
      : `${blocks.slice(0, last.to - 1)}, ${cached}${blocks.slice(last.to - 1)}`
  return messages.slice(0, content.from) + appended(own, recalled) + messages.slice(content.to)
}
