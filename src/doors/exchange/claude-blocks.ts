/** Reads one message of a Claude Code transcript: its text whole, tool calls as one line, tool results in part. */
import { withoutNotes } from '../../domain/program-notes.ts'
import type { Role } from '../../domain/turn.ts'
import { asObject } from './parse-json.ts'
import { textOfContent } from './read-mneme-lines.ts'

/** One turn's worth of a message. */
export interface ClaudePart {
  readonly role: Role
  readonly text: string
  readonly kind: 'text' | 'tool_use' | 'tool_result' | 'summary'
}

/** UTF-16 units kept of a tool's result: from its beginning and its end. */
const RESULT_HEAD = 1500
const RESULT_TAIL = 400
/** UTF-16 units kept of a tool call's arguments. */
const INPUT_CHARACTERS = 300
/** Inputs that identify a tool's target, the most informative first. */
const TELLING_INPUTS = [
  'file_path',
  'notebook_path',
  'path',
  'command',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
]
/** The program's own commands, wrapped in tags. */
const COMMAND = /^\s*<(?:command-(?:name|message|args)|local-command-\w+|bash-(?:input|stdout|stderr))>/
// linear: both are searched for once, in a line that holds the tag.
const COMMAND_NAME = /<command-name>\s*([^<]*?)\s*<\/command-name>/
// linear: as above.
const COMMAND_ARGUMENTS = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/

/** The parts of `message`, each one turn; empty when nothing was said; null when it has no content. */
export function claudeBlocks(message: unknown, role: Role): readonly ClaudePart[] | null {
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
      const text = toolResult(block.content)
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

function toolUse(block: Readonly<Record<string, unknown>>): string {
  const name = typeof block.name === 'string' ? block.name : 'tool'
  const input = asObject(block.input) ?? {}
  const key = TELLING_INPUTS.find((one) => typeof input[one] === 'string' && input[one] !== '')
  const detail = key === undefined ? '' : `: ${String(input[key])}`
  return excerpt(`${name}${detail}`, INPUT_CHARACTERS, 0)
}

function toolResult(content: unknown): string {
  return excerpt((textOfContent(content) ?? '').trim(), RESULT_HEAD, RESULT_TAIL)
}

/** Beginning and end of a text; never half of a character, and no NUL, since it is no longer verbatim anyway. */
function excerpt(text: string, head: number, tail: number): string {
  const clean = (part: string): string => part.replaceAll('\0', '\uFFFD').toWellFormed()
  if (text.length <= head + tail) return clean(text)
  const end = tail === 0 ? '' : text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '')
  return clean(`${text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '')}…${end === '' ? '' : `\n…${end}`}`)
}
