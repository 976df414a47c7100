/**
 * How is a text shown with its secrets masked, as `sk-…(masked, 51 characters)`, which tells issuer and length only?
 * One secret always leaves one mask, and masking twice changes nothing.
 */
import { findSecrets } from './find-secrets.ts'
import { maskRepeats, type OnMasked } from './mask-repeats.ts'
import { secretNameOf } from './secret-names.ts'
import { looksSecret } from './value-shape.ts'
import { changedData } from './walk-data.ts'

const MASKED = '…(masked, '

/** The mask of a secret of so many characters. */
function maskOf(secret: string, shown: string): string {
  return `${shown}${MASKED}${secret.length} characters)`
}

/** The choice of secrets to mask. */
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

/** The text with `…` for every secret, to look for subjects and names in it. */
export function withoutSecrets(text: string): string {
  let left = ''
  let at = 0
  for (const { from, to } of findSecrets(text)) {
    left += `${text.slice(at, from)}…`
    at = to
  }
  return at === 0 ? text : left + text.slice(at)
}

/** Shortest name of a field that can hold a secret. */
const LONG_FIELD = 16

/**
 * As `maskSecrets`, for every text and field name in data of any shape, and for repeats of a secret told by name
 * elsewhere. A field name or a record's `key` names its value a secret; data without secrets is returned unchanged.
 */
export function maskSecretsIn<T>(data: T, onMasked?: OnMasked, options: MaskOptions = {}): T {
  const masks = new Map<string, string>()
  const keep: OnMasked = (secret, mask) => {
    masks.set(secret, mask)
    onMasked?.(secret, mask)
  }
  const how = { onMasked: keep, options }
  const masked = changedData(data, {
    text: (text, field) => maskedText(text, field, how),
    number: (value, field) => maskedNumber(value, field, how),
    fieldName: (name) => (name.length >= LONG_FIELD ? maskSecrets(name, keep, options) : name),
    takenFor: (field, record) => {
      const key = field === 'value' && options.said !== false ? Reflect.get(record, 'key') : undefined
      return typeof key === 'string' ? key : field
    },
  })
  return masks.size === 0 ? data : maskRepeats(masked, masks, onMasked)
}

/** The options of masking and its listener. */
interface Masking {
  readonly onMasked: OnMasked | undefined
  readonly options: MaskOptions
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
