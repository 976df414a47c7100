/**
 * Reads Markdown and text with speaker marks. The text between two marks is one turn, verbatim except for surrounding
 * blank lines and rulers; an unclosed code fence hides no turn.
 */
import type { LogItem, LogSource } from './log-record.ts'
import { parseLogTime } from './log-time.ts'
import { conversationOf, logTurn } from './log-turn.ts'
import { decodeUtf8 } from './parse-json.ts'
import type { Line } from './read-lines.ts'
import { type Fence, fenceAfter, type MarkStyle, type SpeakerMark, speakerMark, timeLine } from './speaker-mark.ts'

interface TextLine {
  readonly number: number
  readonly text: string
}

/** The turn being read. */
interface OpenTurn {
  readonly mark: SpeakerMark
  readonly line: number
  readonly lines: TextLine[]
  characters: number
  /** The open fence, and the number of `lines` up to and including its opening line. */
  fence: { readonly mark: Fence; readonly lines: number } | null
}

const DATE = /(\d{4})[-/._年]?(\d{2})[-/._月]?(\d{2})/
/** Most lines read again because of unclosed fences, as a multiple of the log; beyond it fences are ordinary lines. */
const MOST_READINGS = 20

/** The items of one log in a known style. */
export async function* readMarkedText(
  lines: AsyncIterable<Line>,
  source: LogSource,
  style: MarkStyle,
): AsyncGenerator<LogItem> {
  const reader = markedTextReader(source, style)
  for await (const { number, bytes } of lines) {
    const text = bytes === null ? null : decodeUtf8(bytes)
    if (text !== null) yield* reader.take({ number, text })
    else
      yield { kind: 'refused', line: number, reason: bytes === null ? 'the line is too long' : 'the line is not UTF-8' }
  }
  yield* reader.finish()
}

function markedTextReader(source: LogSource, style: MarkStyle) {
  let open: OpenTurn | null = null
  let time = dateIn(source.name) ?? source.fallbackTime
  let position = 0
  let seen = 0
  let readAgain = 0
  let skippedPreface = false

  function* take(line: TextLine): Generator<LogItem> {
    seen++
    yield* read(line)
  }

  function* read(line: TextLine): Generator<LogItem> {
    const mark = open?.fence ? null : speakerMark(line.text)
    if (mark !== null && opensTurn(mark, style, open !== null)) {
      yield* close()
      open = { mark, line: line.number, lines: [], characters: 0, fence: null }
      if (mark.rest !== '') add(open, { number: line.number, text: mark.rest })
    } else if (open === null) {
      time = dateIn(line.text) ?? time
      if (!skippedPreface && line.text.trim() !== '') {
        skippedPreface = true
        yield { kind: 'skipped', line: line.number, reason: 'before the first speaker' }
      }
    } else {
      add(open, line)
      if (open.fence !== null && open.characters > source.maxContentBytes) yield* giveUpFence(open)
    }
  }

  function add(turn: OpenTurn, line: TextLine): void {
    // A turn that is too long to store is counted but not kept.
    if (turn.characters <= source.maxContentBytes) turn.lines.push(line)
    turn.characters += line.text.length + 1
    const before = turn.fence?.mark ?? null
    const after = readAgain > MOST_READINGS * seen ? null : fenceAfter(line.text, before)
    if (after === null) turn.fence = null
    else if (before === null) turn.fence = { mark: after, lines: turn.lines.length }
  }

  /** Treats the open fence as text, and reads the lines behind it again as ordinary ones. */
  function* giveUpFence(turn: OpenTurn): Generator<LogItem> {
    const again = turn.lines.splice(turn.fence?.lines ?? turn.lines.length)
    readAgain += again.length
    turn.fence = null
    turn.characters = turn.lines.reduce((sum, line) => sum + line.text.length + 1, 0)
    for (const line of again) yield* read(line)
  }

  function* close(): Generator<LogItem> {
    if (open === null) return
    const turn = open
    open = null
    const first = turn.lines[0]
    const written = turn.mark.time ?? (first === undefined ? null : timeLine(first.text))
    if (turn.mark.time === null && written !== null) turn.lines.shift()
    time = (written === null ? null : parseLogTime(written, time)) ?? time
    position++
    const tooLong = turn.characters > source.maxContentBytes
    const found = {
      line: turn.line,
      conversationId: conversationOf(source.name),
      role: turn.mark.role,
      createdAt: time,
    }
    if (tooLong)
      yield { kind: 'refused', line: turn.line, reason: `the turn is longer than ${source.maxContentBytes} bytes` }
    else yield logTurn({ ...found, content: contentOf(turn.lines), externalId: null, position }, source)
  }

  function* finish(): Generator<LogItem> {
    while (open?.fence) yield* giveUpFence(open)
    yield* close()
  }

  return { take, finish }
}

/** In plain text "System: Ubuntu 24.04" is more often content than a speaker, unless it stands alone or first. */
function opensTurn(mark: SpeakerMark, style: MarkStyle, later: boolean): boolean {
  if (mark.style !== style) return false
  const rare = mark.role === 'system' || mark.role === 'tool'
  return !(style === 'plain' && later && rare && mark.rest !== '')
}

function contentOf(lines: readonly TextLine[]): string {
  let from = 0
  let to = lines.length
  while (from < to && lines[from]!.text.trim() === '') from++
  while (from < to && /^\s*(?:[-*_]\s*){3,}$|^\s*$/.test(lines[to - 1]!.text)) to--
  return lines
    .slice(from, to)
    .map((line) => line.text)
    .join('\n')
}

/** The first date in a title or a file's name, in milliseconds; null for none. */
function dateIn(text: string): number | null {
  const match = DATE.exec(text.slice(0, 300))
  return match === null ? null : parseLogTime(`${match[1]}-${match[2]}-${match[3]}`, null)
}
