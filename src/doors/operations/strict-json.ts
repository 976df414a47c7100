/**
 * Strict JSON for doors: bounded depth, no duplicate names, no `__proto__`, and no number that loses precision. One
 * pass over the text, so that 16 MB of names cost no more than 16 MB of text.
 */
import { invalid } from '../../domain/errors.ts'
import { InputRefusal } from './read-input.ts'

/** Deepest nesting. */
const DEEPEST = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** Digits of an integer that is always exact. */
const SAFE_DIGITS = 15
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** An open object or list around a place in the text. */
interface Level {
  /** The names of an object; null for a list. */
  readonly names: Set<string> | null
  /** The current position in it: a name, or an item's index. */
  here: string | number
}

/** How to read. */
export interface StrictJsonOptions {
  /** The name of the whole in errors. Default `body`. */
  readonly field?: string
  /** true: any number is accepted, because the text itself is passed on. Default false. */
  readonly anyNumber?: boolean
}

/**
 * Parses strict JSON. Throws `invalid` for excess depth, refused names or inexact numbers (beyond a double, integers
 * beyond 2^53), and SyntaxError for malformed JSON.
 */
export function parseStrictJson(text: string, { field = 'body', anyNumber = false }: StrictJsonOptions = {}): unknown {
  checkShape(text, field, anyNumber)
  return JSON.parse(text)
}

/** Checks brackets, names and numbers only; the parser checks the grammar. */
function checkShape(text: string, field: string, anyNumber: boolean): void {
  const open: Level[] = []
  let quoted = ''
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      const end = endOfQuoted(text, at)
      // Only text before a colon is a name; the slice copies nothing.
      quoted = text.slice(at, end + 1)
      at = end
    } else if (unit === OBJECT || unit === LIST) {
      open.push(unit === OBJECT ? { names: new Set(), here: '' } : { names: null, here: 0 })
      if (open.length > DEEPEST) throw invalid(field, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
    } else if (unit === OBJECT_END || unit === LIST_END) open.pop()
    else if (unit === COLON) takeName(quoted, open.at(-1))
    else if (unit === COMMA) takeNext(open.at(-1))
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = at
      const [number = ''] = NUMBER.exec(text) ?? []
      if (!anyNumber && isChanged(number))
        throw new InputRefusal(
          placeOf(open) || field,
          `${number} cannot be kept exactly`,
          'Pass it as a text, in quotes.',
        )
      at += Math.max(number.length - 1, 0)
    }
  }
}

/** Whether parsing changes a number; rounding of decimal places is accepted. */
function isChanged(number: string): boolean {
  if (number.length <= SAFE_DIGITS && !/e/i.test(number)) return false
  const value = Number(number)
  return !Number.isFinite(value) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(value))
}

/** `items[2].name`; '' at the top. */
function placeOf(open: readonly Level[]): string {
  let place = ''
  for (const { here } of open) place += typeof here === 'number' ? `[${here}]` : place === '' ? here : `.${here}`
  return place
}

function takeNext(level: Level | undefined): void {
  if (typeof level?.here === 'number') level.here += 1
}

function takeName(quoted: string, level: Level | undefined): void {
  if (level === undefined || level.names === null) return
  const { names } = level
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  if (name === '__proto__') throw new InputRefusal(name, 'is not known here', 'Use another name.')
  if (names.has(name)) throw new InputRefusal(name, 'is given twice', 'Give it once.')
  names.add(name)
  level.here = name
}

/** Index of the closing quote for the text at `at`, or the end of the text. */
function endOfQuoted(text: string, at: number): number {
  for (let here = at + 1; here < text.length; here += 1) {
    const unit = text.charCodeAt(here)
    if (unit === BACKSLASH) here += 1
    else if (unit === QUOTE) return here
  }
  return text.length
}
