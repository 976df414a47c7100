/** Reads "My Activity" of Google Takeout: prompts to Gemini, newest first and without conversations, each with its answer as HTML. */
import { entriesOfDocument, itemOf, type LogItem, type LogSource, timeOfValue, turnIfSaid } from './log-item.ts'
import { asList, asObject, textOf } from './read-stream.ts'

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

export async function* readGemini(stream: AsyncIterable<Uint8Array>, source: LogSource): AsyncGenerator<LogItem> {
  let held: Asked[] = []
  let prefix: string | undefined
  for await (const { line, entry } of entriesOfDocument(stream, '*')) {
    if (typeof entry === 'string') {
      yield { kind: 'refused', line, reason: entry }
      continue
    }
    const { title, time: at, safeHtmlItem } = entry
    const html = asList(safeHtmlItem).map((item) => textOf(asObject(item)?.html) ?? '')
    const [time, said] = [timeOfValue(at), textOf(title)]
    if (html.length === 0) yield { kind: 'skipped', line, reason: 'no answer: a setting, a rating' }
    else if (time === null || said === null)
      yield { kind: 'refused', line, reason: 'the prompt has no time or no words' }
    // The space behind the prefix may be one that does not break.
    else held.push({ line, time, title: said.replace('\u00a0', ' '), answer: plainText(html.join('\n')) })
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
    const asked = title.startsWith(prefix) ? title.slice(prefix.length) : title
    for (const [role, content] of [
      ['user', asked],
      ['assistant', answer],
    ] as const) {
      const place = { conversationId, createdAt: time, externalId: `gemini:${time}:${role}` }
      const said = turnIfSaid({ ...place, role, content: textOf(content) }, 'without text: pictures, files, voice')
      yield itemOf(said, line, source)
    }
  }
}

function commonBeginning(all: readonly Asked[]): string {
  const [first = '', ...others] = all.map(({ title }) => title)
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  const common = first.slice(0, length)
  if (common.startsWith(ENGLISH)) return ENGLISH
  // Behind the first colon are words of the user, even where all prompts share them.
  const named = others.length === 0 ? null : /^[^:：]*[:：]\s*/.exec(common)
  if (named !== null || all.length < LEAST_COMPARED) return named?.[0] ?? ENGLISH
  // linear: a beginning of a title, cut to where its last word ends.
  return common.replace(/[^\s]*$/u, '')
}

const BREAK = /<(?:br|\/p|\/li|\/h[1-6]|\/tr|\/pre|\/div)\b[^<>]{0,200}>/gi
const TAG = /<[^<>]{0,2000}>/g
/** The named characters that mark HTML itself; any other name stays as it is written. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }),
)

function plainText(html: string): string {
  return html
    .replace(BREAK, '\n')
    .replace(TAG, '')
    .replace(/&(?:#(x[\da-f]{1,6}|\d{1,7})|(\w{2,8}));/gi, (all, code?: string, name = '') => {
      const point = Number(`0${code}`)
      return point <= 0x10ffff ? String.fromCodePoint(point) : (ENTITIES.get(name) ?? all)
    })
    .replaceAll('\u00a0', ' ')
    .replace(/\n{3,40}/g, '\n\n')
    .trim()
}
