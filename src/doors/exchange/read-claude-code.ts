/** Reads a transcript of Claude Code: messages of both sides, tool calls and the beginning of their results. */
import { withoutNotes } from '../../domain/program-notes.ts'
import type { Role } from '../../domain/turn.ts'
import { type Entry, entriesOfLines } from './log-entries.ts'
import type { LogItem, LogSource } from './log-item.ts'
import { conversationOf, logTurn, timeOfValue } from './log-item.ts'
import { asObject, textOfContent } from './parse-json.ts'
import type { Line } from './read-lines.ts'

interface Session {
  id: string
  folder: string
  time: number
}

/** Most bytes held of lines before the first time; a transcript begins with few and short ones. */
const EARLY_BYTES = 4 * 1024 * 1024

export async function* readClaudeCode(lines: AsyncIterable<Line>, source: LogSource): AsyncGenerator<LogItem> {
  const stem = conversationOf(source.name)
  const session: Session = { id: stem.slice(stem.lastIndexOf('/') + 1), folder: '', time: source.fallbackTime }
  const early: { readonly entry: Entry; readonly line: number }[] = []
  let earlyBytes = 0
  let begun = false
  function* begin(): Generator<LogItem> {
    begun = true
    for (const { entry, line } of early.splice(0)) yield* readEntry(entry, line, session, source)
  }
  for await (const one of entriesOfLines(lines)) {
    if (one.kind === 'refused') {
      yield one
      continue
    }
    if (!begun) {
      const isDated = timeOfValue(one.entry.timestamp) !== null
      if (!isDated && earlyBytes + one.bytes <= EARLY_BYTES) {
        earlyBytes += one.bytes
        early.push(one)
        continue
      }
      if (isDated) follow(session, one.entry)
      yield* begin()
    }
    yield* readEntry(one.entry, one.line, session, source)
  }
  yield* begin()
}

function follow(session: Session, entry: Entry): void {
  session.id = textOf(entry.sessionId) ?? session.id
  session.folder = textOf(entry.cwd) ?? session.folder
  session.time = timeOfValue(entry.timestamp) ?? session.time
}

function* readEntry(entry: Entry, line: number, session: Session, source: LogSource): Generator<LogItem> {
  follow(session, entry)
  const type = entry.type
  if (type === 'summary') {
    const part = { role: 'system', text: textOf(entry.summary) ?? '', kind: 'summary' } as const
    yield* turnsOf([part], entry, line, session, source)
  } else if (type !== 'user' && type !== 'assistant') {
    yield { kind: 'skipped', line, reason: `bookkeeping (${typeof type === 'string' ? type.slice(0, 40) : 'no type'})` }
  } else if (entry.isMeta === true) {
    yield { kind: 'skipped', line, reason: 'a note of the program, said by nobody' }
  } else {
    const parts = claudeBlocks(entry.message, entry.isCompactSummary === true ? 'system' : type)
    if (parts === null) yield { kind: 'refused', line, reason: 'message.content is missing' }
    else if (parts.length === 0)
      yield { kind: 'skipped', line, reason: 'nothing was said: thinking, or a command of the program' }
    else yield* turnsOf(parts, entry, line, session, source)
  }
}

function* turnsOf(
  parts: readonly ClaudePart[],
  entry: Entry,
  line: number,
  session: Session,
  source: LogSource,
): Generator<LogItem> {
  const id = textOf(entry.uuid) ?? (entry.type === 'summary' ? textOf(entry.leafUuid) : null)
  const prefix = entry.type === 'summary' ? 'summary:' : ''
  for (const [index, part] of parts.entries())
    yield logTurn(
      {
        line,
        conversationId: conversationFor(entry, session),
        projectRoot: session.folder,
        role: part.role,
        content: part.text,
        createdAt: session.time,
        externalId: id === null ? null : `${prefix}${id}${index === 0 ? '' : `#${index}`}`,
        position: line * PARTS_OF_A_LINE + index,
        metadata: metadataOf(entry, part),
      },
      source,
    )
}

const PARTS_OF_A_LINE = 100_000

/** Work of a subagent is a separate conversation, beside the person's. */
function conversationFor(entry: Entry, { id }: Session): string {
  return entry.isSidechain === true ? `${id}/agent-${textOf(entry.agentId) ?? 'sidechain'}` : id
}

function metadataOf(entry: Entry, part: ClaudePart): Readonly<Record<string, unknown>> | null {
  const branch = textOf(entry.gitBranch)
  const metadata = {
    ...(part.kind === 'text' ? {} : { kind: part.kind }),
    ...(entry.isSidechain === true ? { sidechain: true } : {}),
    ...(branch === null ? {} : { git_branch: branch }),
  }
  return Object.keys(metadata).length === 0 ? null : metadata
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : null
}

export function isClaudeEntry(entry: Entry): boolean {
  if (typeof entry.type !== 'string') return false
  return ['sessionId', 'uuid', 'leafUuid', 'message', 'messageId', 'snapshot'].some((key) => Object.hasOwn(entry, key))
}

interface ClaudePart {
  readonly role: Role
  readonly text: string
  readonly kind: 'text' | 'tool_use' | 'tool_result' | 'summary'
}

/** UTF-16 units kept of a tool's result: from its beginning and its end. */
const RESULT_HEAD = 1500
const RESULT_TAIL = 400
const INPUT_CHARACTERS = 300
const TELLING_INPUTS = 'file_path notebook_path path command pattern query url description prompt'.split(' ')
/** The program's own commands, wrapped in tags. */
const COMMAND = /^\s*<(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr))>/
// linear: both are searched for once, in a line that holds the tag.
const COMMAND_NAME = /<command-name>\s*([^<]*?)\s*<\/command-name>/
// linear: as above.
const COMMAND_ARGUMENTS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/

function claudeBlocks(message: unknown, role: Role): readonly ClaudePart[] | null {
  const content = typeof message === 'string' ? message : asObject(message)?.content
  if (typeof content === 'string') return textParts(content, role)
  if (!Array.isArray(content)) return null
  const said: string[] = []
  const tools: ClaudePart[] = []
  for (const value of content) {
    const block = asObject(value)
    if (block?.type === 'text' && typeof block.text === 'string') said.push(block.text)
    else if (block?.type === 'tool_use') tools.push({ role: 'tool', kind: 'tool_use', text: toolUse(block) })
    else if (block?.type === 'tool_result') {
      const text = excerpt((textOfContent(block.content) ?? '').trim(), RESULT_HEAD, RESULT_TAIL)
      if (text !== '') tools.push({ role: 'tool', kind: 'tool_result', text })
    }
  }
  return [...textParts(said.join('\n\n'), role), ...tools]
}

function textParts(content: string, role: Role): readonly ClaudePart[] {
  const said = withoutNotes(content)
  const text = COMMAND.test(said) ? commandText(said) : said
  return text.trim() === '' ? [] : [{ role, kind: 'text', text }]
}

/** The text that a person typed behind a command; '' when the program only logged that a command ran. */
function commandText(content: string): string {
  const words = COMMAND_ARGUMENTS.exec(content)?.[1] ?? ''
  return words === '' ? '' : `${COMMAND_NAME.exec(content)?.[1] ?? ''} ${words}`.trim()
}

function toolUse({ name, input }: Readonly<Record<string, unknown>>): string {
  const given = asObject(input) ?? {}
  const key = TELLING_INPUTS.find((one) => typeof given[one] === 'string' && given[one] !== '')
  const detail = key === undefined ? '' : `: ${String(given[key])}`
  return excerpt(`${typeof name === 'string' ? name : 'tool'}${detail}`, INPUT_CHARACTERS, 0)
}

/** Beginning and end of a text; never half of a character, and no NUL, since it is no longer verbatim anyway. */
function excerpt(text: string, head: number, tail: number): string {
  const clean = (part: string): string => part.replaceAll('\0', '\uFFFD').toWellFormed()
  if (text.length <= head + tail) return clean(text)
  const end = tail === 0 ? '' : text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')
  return clean(`${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}…${end === '' ? '' : `\n…${end}`}`)
}
