/** Reads an agent file of Letta, of either version: its blocks about the person become memories, its messages turns. */
import { entriesOfDocument } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, logMemory, logTurn } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'
import { jsonObject, textOfContent } from './read-mneme-lines.ts'

type Json = Readonly<Record<string, unknown>>

const LISTS = ['$.blocks.*', '$.core_memory.*', '$.messages.*', '$.agents.*.messages.*']
/** The block in which an agent describes itself. */
const PERSONA = 'persona'

/** The items of one file. */
export async function* readLetta(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncGenerator<LogItem> {
  let time = source.fallbackTime
  for await (const one of entriesOfDocument(stream, ...LISTS)) {
    if (one.kind === 'refused') {
      yield one
      continue
    }
    const { line, list, entry } = one
    if (list !== 'messages') {
      yield* blockItems(entry, line)
      continue
    }
    time = timeOfValue(entry.created_at) ?? time
    const content = saidIn(entry)
    if ((entry.role !== 'user' && entry.role !== 'assistant') || content === null) {
      yield { kind: 'skipped', line, reason: 'not said by anybody: tools, instructions, events' }
      continue
    }
    const [conversationId, id] = [textOf(entry.agent_id) ?? conversationOf(source.name), textOf(entry.id)]
    const externalId = id === null ? null : `letta:${id}`
    yield logTurn(
      { line, conversationId, role: entry.role, content, createdAt: time, externalId, position: line },
      source,
    )
  }
}

function* blockItems({ label, value }: Json, line: number): Generator<LogItem> {
  const text = textOf(value)
  if (text === null || label === PERSONA) yield { kind: 'skipped', line, reason: 'about the agent itself, or empty' }
  else for (const part of text.split('\n')) if (part.trim() !== '') yield logMemory(line, 'letta', part.trim())
}

/** The text of a message. Older agents wrap it: a person's in JSON, their own in a call of `send_message`. */
function saidIn({ role, content, tool_calls }: Json): string | null {
  const text = textOf(textOfContent(content))
  if (role === 'user') {
    const event = text?.startsWith('{') ? jsonObject(Buffer.from(text)) : ''
    if (typeof event === 'string' || typeof event.type !== 'string') return text
    return event.type === 'user_message' ? textOf(event.message) : null
  }
  const calls = Array.isArray(tool_calls) ? tool_calls.map((call) => asObject(asObject(call)?.function)) : []
  const sent = calls.flatMap((call) =>
    call?.name === 'send_message' ? [jsonObject(Buffer.from(`${call.arguments}`))] : [],
  )
  const words = sent.flatMap((one) => (typeof one === 'string' ? [] : (textOf(one.message) ?? [])))
  return words.length > 0 ? words.join('\n\n') : text
}
