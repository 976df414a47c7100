/**
 * Reads notes in Markdown or plain lines, one memory each: an assistant's own list, Claude Code's MEMORY.md or
 * basic-memory. Headings, front matter and code are skipped.
 */
import type { LogItem, LogSource } from './log-record.ts'
import { parseLogTime } from './log-time.ts'
import { conversationOf, logMemory } from './log-turn.ts'
import { decodeUtf8 } from './parse-json.ts'
import type { Line } from './read-lines.ts'

/** true for notes: by the name that Claude Code gives its own, or by front matter as basic-memory writes it. */
export function isNotes(name: string, text: string): boolean {
  if (text.includes('<!-- mneme:')) return false
  return (
    /(?:^|\/)memory\/[^/]{1,200}\.md$|(?:^|\/)MEMORY\.md$/.test(name) ||
    /^---\n(?:.{0,500}\n){0,40}?permalink:/.test(text)
  )
}

const FENCE = /^\s{0,9}(?:```|~~~)/
const BULLET = /^\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s{1,9}(?:\[[ xX]\]\s)?/
const DAY = /^\[?(\d{4}-\d{2}-\d{2})\]?\s{0,4}[-–—:]?\s{1,4}/
const RELATION = /^([\w][\w ]{0,60}?) ?\[\[([^\]]{1,200})\]\]/
/** The frame of an observation in basic-memory: its kind before it, tags and source behind it. */
const KIND = /^\[[^\]]{1,40}\]\s/
const TAGS = /(?:\s#[\p{L}\p{N}_/-]{1,60}){1,20}(?=\s|$)/gu
const LINK = /\[([^\]]{1,200})\]\([^)]{1,500}\)/g

/** The items of one file. */
export async function* readNotes(lines: AsyncIterable<Line>, source: LogSource): AsyncGenerator<LogItem> {
  let place: 'start' | 'front' | 'text' | 'code' = 'start'
  let title = ''
  for await (const { number: line, bytes } of lines) {
    const text = bytes === null ? null : decodeUtf8(bytes)
    if (text === null) {
      yield { kind: 'refused', line, reason: bytes === null ? 'the line is too long' : 'the line is not UTF-8' }
      continue
    }
    if (text.trim() === '') continue
    const isRule = /^-{3,}\s*$/.test(text)
    if (isRule && place === 'start') place = 'front'
    else if (isRule && place === 'front') place = 'text'
    else if (place === 'front') title = /^title:\s{0,9}(.{1,200})/.exec(text)?.[1] ?? title
    else if (FENCE.test(text)) place = place === 'code' ? 'text' : 'code'
    else if (place === 'code' && title !== '') yield { kind: 'skipped', line, reason: 'code' }
    else {
      if (place === 'start') place = 'text'
      yield noteOf(text, title, line, source)
    }
  }
}

function noteOf(text: string, title: string, line: number, source: LogSource): LogItem {
  const bare = text.replace(BULLET, '')
  if (/^#{1,6}\s|^\*\*[^*]{1,80}\*\*:?\s*$|^[=-]{3,}\s*$/.test(bare))
    return { kind: 'skipped', line, reason: 'a heading' }
  const day = DAY.exec(bare)
  const [, relation = '', target] = (title === '' ? null : RELATION.exec(bare)) ?? []
  const said = bare
    .slice(day?.[0].length ?? 0)
    .replace(LINK, '$1')
    .trim()
  const observed = title === '' ? said : `${title}: ${said.replace(KIND, '').replace(TAGS, '').trim()}`
  const memory = target === undefined ? observed : `${title} ${relation.replaceAll('_', ' ')} ${target}`
  const time = day === null ? null : parseLogTime(day[1] ?? '', null)
  return logMemory(line, `notes:${title === '' ? '' : conversationOf(source.name)}`, memory, time)
}
