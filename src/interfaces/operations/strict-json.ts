/**
 * JSON as a door takes it: no deeper than a caller means, no name twice, since two readers would take different ones, and
 * not the name `__proto__`, which readers lose. One pass over the text, so that 16 MB of names cost no more than 16 MB of text.
 */
import { invalid } from '../../domain/errors.ts'
import { InputRefusal } from './read-input.ts'

/** Deepest nesting. */
const DEEPEST = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Parses. Throws `invalid` for what is too deep or has a name that cannot be taken, and a SyntaxError for what is no JSON. */
export function parseStrictJson(text: string, field = 'body'): unknown {
  checkShape(text, field)
  return JSON.parse(text)
}

/** Looks at brackets and names only; that it is JSON is the parser's to say. */
function checkShape(text: string, field: string): void {
  // The names of every object that is open; null for a list.
  const open: (Set<string> | null)[] = []
  let quoted = ''
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      const end = endOfQuoted(text, at)
      // Only what stands before a colon is a name; cutting a piece off copies nothing.
      quoted = text.slice(at, end + 1)
      at = end
    } else if (unit === OBJECT || unit === LIST) {
      open.push(unit === OBJECT ? new Set() : null)
      if (open.length > DEEPEST) throw invalid(field, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
    } else if (unit === OBJECT_END || unit === LIST_END) open.pop()
    else if (unit === COLON) takeName(quoted, open.at(-1))
  }
}

function takeName(quoted: string, names: Set<string> | null | undefined): void {
  if (names === null || names === undefined) return
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  if (name === '__proto__') throw new InputRefusal(name, 'is not known here', 'Use another name.')
  if (names.has(name)) throw new InputRefusal(name, 'is given twice', 'Give it once.')
  names.add(name)
}

/** Where the quoted text that begins at `at` has its closing mark; the end of the text when it has none. */
function endOfQuoted(text: string, at: number): number {
  for (let here = at + 1; here < text.length; here += 1) {
    const unit = text.charCodeAt(here)
    if (unit === BACKSLASH) here += 1
    else if (unit === QUOTE) return here
  }
  return text.length
}
