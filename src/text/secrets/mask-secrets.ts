/**
 * How is a text shown with its secrets masked? `sk-…(masked, 51 characters)`: whose key it is and how long, nothing else.
 * The same secret always leaves the same mask, and masking what is masked changes nothing.
 */
import { findSecrets } from './find-secrets.ts'
import { secretNameOf } from './secret-names.ts'
import { looksSecret } from './value-shape.ts'

const MASKED = '…(masked, '

/** What stands in place of a secret of so many characters. */
function maskOf(secret: string, shown: string): string {
  return `${shown}${MASKED}${secret.length} characters)`
}

/** Told of every secret that is masked, and of what takes its place. */
export type OnMasked = (secret: string, mask: string) => void

/** Which secrets are masked. */
export interface MaskOptions {
  /** false: what a sentence says ("the gate code is 4471") is left as it is. Default true. */
  readonly said?: boolean
}

/** The text with every secret in it masked. The very same string when there is none. */
export function maskSecrets(text: string, onMasked?: OnMasked, { said = true }: MaskOptions = {}): string {
  const secrets = said ? findSecrets(text) : findSecrets(text).filter(({ isSaid }) => isSaid !== true)
  if (secrets.length === 0) return text
  let masked = ''
  let at = 0
  for (const { from, to, shown } of secrets) {
    const secret = text.slice(from, to)
    const mask = maskOf(secret, shown)
    onMasked?.(secret, mask)
    masked += text.slice(at, from) + mask
    at = to
  }
  return masked + text.slice(at)
}

/** Whether a text that comes back, from an export, is the stored one or shows it masked. */
export function isSameOrMasked(stored: string, given: string): boolean {
  return given === stored || (given.includes(MASKED) && given === maskSecrets(stored))
}

/** A name of a field that is shorter holds no secret. */
const LONG_FIELD = 16
/** How deep data is gone into; what lies deeper is left out. */
const DEEPEST = 100

/**
 * The same for every text in data of any shape, names of fields included: `{ db_password: … }` is masked by its name, and
 * so is the `value` of a record whose `key` names a secret. Data without a secret is returned as it is.
 */
export function maskSecretsIn<T>(data: T, onMasked?: OnMasked, options: MaskOptions = {}): T {
  return masked(data, null, { onMasked, options }, DEEPEST) as T
}

/** How to mask, and whom to tell. */
interface Masking {
  readonly onMasked: OnMasked | undefined
  readonly options: MaskOptions
}

function masked(data: unknown, name: string | null, how: Masking, depth: number): unknown {
  if (typeof data === 'string') return maskedText(data, name, how)
  if (typeof data === 'number') return maskedNumber(data, name, how)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  if (depth === 0) return null
  return Array.isArray(data) ? maskedItems(data, name, how, depth - 1) : maskedFields(data, how, depth - 1)
}

/** A copy is made from the first item on that is masked. */
function maskedItems(items: readonly unknown[], name: string | null, how: Masking, depth: number): unknown {
  let copy: unknown[] | null = null
  for (let at = 0; at < items.length; at++) {
    const item = masked(items[at], name, how, depth)
    if (item !== items[at]) copy ??= items.slice(0, at)
    copy?.push(item)
  }
  return copy ?? items
}

function maskedFields(data: object, how: Masking, depth: number): unknown {
  const key = how.options.said === false ? undefined : Reflect.get(data, 'key')
  const entries = Object.entries(data)
  let isSame = true
  for (const entry of entries) {
    const [field, value] = entry
    if (field.length >= LONG_FIELD) entry[0] = maskSecrets(field, how.onMasked, how.options)
    entry[1] = masked(value, field === 'value' && typeof key === 'string' ? key : field, how, depth)
    isSame &&= entry[0] === field && entry[1] === value
  }
  return isSame ? data : Object.fromEntries(entries)
}

function maskedText(text: string, field: string | null, { onMasked, options }: Masking): string {
  const name = field === null || text.length > LONGEST_NAMED ? null : secretNameOf(field)
  if (name === null || !looksSecret(text, { name, quoted: true, foreign: false }))
    return maskSecrets(text, onMasked, options)
  const within = maskSecrets(text)
  const mask = within === text ? maskOf(text, '') : within
  onMasked?.(text, mask)
  return mask
}

/** Longest value that the name of its field alone makes a secret. */
const LONGEST_NAMED = 2000

/** A PIN is often kept as a number. */
function maskedNumber(value: number, field: string | null, { onMasked }: Masking): unknown {
  const name = field === null ? null : secretNameOf(field)
  if (name === null) return value
  const text = String(value)
  if (!looksSecret(text, { name, quoted: true, foreign: false })) return value
  const mask = maskOf(text, '')
  onMasked?.(text, mask)
  return mask
}
