/**
 * The request that goes to the model's vendor: the client's own, byte for byte, with what was recalled among the words of
 * its system message. Where a client gave none, one is put in front.
 */
import { type JsonMember, jsonItems, jsonMembers } from '../../language/json-parts.ts'

/** What is changed in a client's request. */
export interface BodyChanges {
  /** null: nothing was recalled. */
  readonly recalled: string | null
  /** For a request that names none. */
  readonly model: string
}

/** Names of ours, which a vendor would not know. */
const OURS = ['session_id']

/** The body to send. `body` is a valid JSON object; what is not to be changed stays as it is written. */
export function writeBody(body: string, { recalled, model }: BodyChanges): string {
  const members = jsonMembers(body)
  const written = members
    .filter(({ name }) => !OURS.includes(name))
    .filter((member) => member.name !== 'model' || namesModel(body, member))
    .map((member) =>
      member.name === 'messages' && recalled !== null
        ? body.slice(member.from, member.value.from) + withRecalled(body.slice(member.value.from, member.to), recalled)
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

/** The client's words stay in front: what a vendor has cached of them stays good. null: there are none to add to. */
function appended(content: string, recalled: string): string | null {
  if (content.startsWith('"')) {
    const gap = content === '""' ? '' : '\n\n'
    return content.slice(0, -1) + JSON.stringify(gap + recalled).slice(1)
  }
  if (!content.startsWith('[')) return null
  const part = JSON.stringify({ type: 'text', text: recalled })
  return jsonItems(content).length === 0 ? `[${part}]` : `${content.slice(0, -1)}, ${part}]`
}
