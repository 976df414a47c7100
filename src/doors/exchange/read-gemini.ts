/**
 * Reads Gemini's Takeout: one entry a prompt, newest first, with the answer as HTML and no conversations. Prompts less
 * than an hour apart form one conversation.
 */
import { entriesOfDocument } from './log-entries.ts'
import type { LogItem, LogSource } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { turnIfSaid } from './log-turn.ts'
import { asObject, textOf } from './parse-json.ts'

/** One prompt with its answer. */
interface Asked {
  readonly line: number
  readonly time: number
  readonly title: string
  readonly answer: string
}

const GAP_MS = 3_600_000
/** Prompts that are compared to find Takeout's prefix, which is in the account's language. */
const COMPARED = 200
/** Fewer prompts may share words of their own. */
const LEAST_COMPARED = 5
const ENGLISH = 'Prompted '

/** The items of one export. */
export async function* readGemini(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncGenerator<LogItem> {
  let held: Asked[] = []
  let prefix: string | undefined
  for await (const one of entriesOfDocument(stream, '$.*')) {
    if (one.kind === 'refused') {
      yield one
      continue
    }
    const { title, time: at, safeHtmlItem } = one.entry
    const html = Array.isArray(safeHtmlItem) ? safeHtmlItem.map((item) => textOf(asObject(item)?.html) ?? '') : []
    const [time, said] = [timeOfValue(at), textOf(title)]
    if (html.length === 0) yield { kind: 'skipped', line: one.line, reason: 'no answer: a setting, a rating' }
    else if (time === null || said === null)
      yield { kind: 'refused', line: one.line, reason: 'the prompt has no time or no words' }
    else held.push({ line: one.line, time, title: said, answer: plainText(html.join('\n')) })
    if (held.length < COMPARED) continue
    prefix ??= commonBeginning(held)
    const [whole, rest] = sessionsOf(held)
    held = rest
    for (const session of whole) yield* turnsOf(session, prefix, source)
  }
  prefix ??= commonBeginning(held)
  const [whole, last] = sessionsOf(held)
  for (const session of [...whole, last]) yield* turnsOf(session, prefix, source)
}

/** Splits prompts into sessions, each oldest first; the last one may continue in the next batch. */
function sessionsOf(newestFirst: readonly Asked[]): readonly [whole: readonly Asked[][], last: Asked[]] {
  const sessions: Asked[][] = [[]]
  for (const asked of newestFirst) {
    const session = sessions.at(-1) ?? []
    const later = session[0]
    if (later === undefined || later.time - asked.time < GAP_MS) session.unshift(asked)
    else sessions.push([asked])
  }
  return [sessions.slice(0, -1), sessions.at(-1) ?? []]
}

function* turnsOf(session: readonly Asked[], prefix: string, source: LogSource): Generator<LogItem> {
  const conversationId = `gemini-${new Date(session[0]?.time ?? 0).toISOString()}`
  for (const { line, time, title, answer } of session) {
    const said = [
      ['user', title.startsWith(prefix) ? title.slice(prefix.length) : title],
      ['assistant', answer],
    ] as const
    for (const [role, content] of said)
      yield turnIfSaid(
        {
          line,
          conversationId,
          role,
          content: content.trim() === '' ? null : content,
          createdAt: time,
          externalId: `gemini:${time}:${role}`,
        },
        source,
        'without text: pictures, files, voice',
      )
  }
}

function commonBeginning(all: readonly Asked[]): string {
  if (all.length < LEAST_COMPARED) return ENGLISH
  const [first = '', ...others] = all.map(({ title }) => title)
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  // linear: a beginning of a title, cut to where its last word ends.
  return first.slice(0, length).replace(/[^\s:：]*$/u, '')
}

const BREAK = /<(?:br|\/p|\/li|\/h[1-6]|\/tr|\/pre|\/div)\b[^<>]{0,200}>/gi
const TAG = /<[^<>]{0,2000}>/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of HTML, a paragraph a line. */
function plainText(html: string): string {
  return html
    .replace(BREAK, '\n')
    .replace(TAG, '')
    .replace(/&(?:#(\d{1,7})|(\w{2,6}));/g, (all, code?: string, name = '') =>
      code !== undefined && Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? all),
    )
    .replace(/\n{3,40}/g, '\n\n')
    .trim()
}
