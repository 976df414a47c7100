/** Reads an agent file of Letta, of either version: its blocks about the person become memories, its messages turns. */
import { type Entry, entriesOfDocument, readEntries } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { conversationOf, logMemory, turnIfSaid } from './log-turn.ts'
import { asObject, jsonObject, textOf, textOfContent } from './parse-json.ts'

const LISTS = ['$.blocks.*', '$.core_memory.*', '$.messages.*', '$.agents.*.messages.*']
/** The block in which an agent describes itself. */
const PERSONA = 'persona'

/** The items of one file. */
export function readLetta(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncIterable<LogItem> {
  let time = source.fallbackTime
  return readEntries(entriesOfDocument(stream, ...LISTS), (entry, line, list) => {
    if (list !== 'messages') return blockItems(entry, line)
    time = timeOfValue(entry.created_at) ?? time
    const id = textOf(entry.id)
    const said = {
      line,
      conversationId: textOf(entry.agent_id) ?? conversationOf(source.name),
      role: entry.role === 'user' || entry.role === 'assistant' ? entry.role : undefined,
      content: saidIn(entry),
      createdAt: time,
      externalId: id === null ? null : `letta:${id}`,
    } as const
    return [turnIfSaid(said, source, 'not said by anybody: tools, instructions, events')]
  })
}

function* blockItems({ label, value }: Entry, line: number): Generator<LogItem> {
  const text = textOf(value)
  if (text === null || label === PERSONA) yield { kind: 'skipped', line, reason: 'about the agent itself, or empty' }
  else for (const part of text.split('\n')) if (part.trim() !== '') yield logMemory(line, 'letta', part.trim())
}

/** The text of a message. Older agents wrap it: a person's in JSON, their own in a call of `send_message`. */
function saidIn({ role, content, tool_calls }: Entry): string | null {
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
