/** A text with its secrets masked as `sk-…(masked, 51 characters)`; masking twice changes nothing. */
import { atOnce, breathe, inPieces } from '../../domain/scheduling.ts'
import { SAID_BEFORE, type Turn } from '../../domain/turn.ts'
import { findSecrets } from './find-secrets.ts'
import { secretNameOf } from './secret-names.ts'
import { secretsAfter } from './told-after.ts'
import { looksSecret, repeatsPattern } from './value-shape.ts'

const MASKED = '…(masked, '

/** The mask of a secret of so many characters. */
function maskOf(secret: string, shown: string): string {
  return `${shown}${MASKED}${secret.length} characters)`
}

/** The choice of secrets to mask. */
export interface MaskOptions {
  /** false: what a sentence says ("the gate code is 4471") is left as it is. Default true. */
  readonly said?: boolean
  /** The words right before the text, to which it may be the answer. Default: none. */
  readonly after?: string | undefined
}

/** The text with every secret in it masked. The very same string when there is none. */
export function maskSecrets(text: string, onMasked?: OnMasked, { said = true, after }: MaskOptions = {}): string {
  const found = secretsAfter(after, text)
  const secrets = said ? found : found.filter(({ isSaid }) => isSaid !== true)
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

/** Characters behind a cut in which a secret that it divides may go on. */
const SECRET_REACH = 200

/** The beginning of a text up to a secret that its end divides: half of one would be known by nobody and not be masked. */
export function upToSecret(beginning: string, text: string): string {
  const end = beginning.length
  const divided = findSecrets(text.slice(0, end + SECRET_REACH)).find(({ from, to }) => from < end && to > end)
  return divided === undefined ? beginning : beginning.slice(0, divided.from)
}

/** Whether nobody would know a secret again where its text is cut into sentences or lines, as a private key. */
function spansLines(secret: string): boolean {
  return /\n|\\n/.test(secret) || secret.length > SECRET_REACH
}

/** The text, said after another, with `…` for every secret, to look for subjects and names in it. */
export function withoutSecrets(text: string, after?: string, isMeant = (_: string): boolean => true): string {
  let left = ''
  let at = 0
  for (const { from, to } of secretsAfter(after, text)) {
    if (!isMeant(text.slice(from, to))) continue
    left += `${text.slice(at, from)}…`
    at = to
  }
  return at === 0 ? text : left + text.slice(at)
}

/** The texts, each after another, with `…` for every secret of any of them, as one may name what another repeats. */
export function withoutSecretsOfAll(
  texts: readonly string[],
  before: readonly (string | undefined)[],
): readonly string[] {
  const pattern = repeatsPattern(new Set(texts.flatMap((text, at) => secretsIn(text, before[at]))))
  const left = texts.map((text, at) => withoutSecrets(text, before[at]))
  return pattern === null ? left : left.map((text) => text.replace(pattern, '…'))
}

/** The text with `…` for secrets that others, said before it, name and it does not, and for its own of several lines. */
export async function withoutSecretsNamedIn(others: readonly string[], whole: string): Promise<string> {
  await readLongTexts(whole)
  const text = withoutSecrets(whole, undefined, spansLines)
  // Only repeats with digits are looked for: another text without one of these words names none that stands here.
  const figures = text.length > READ_A_PIECE ? [''] : text.split(/\W/).filter((word) => /\d/.test(word))
  const mayName = (other: string): boolean =>
    other.length > LONG_TEXT ? figures.length > 0 : figures.some((figure) => other.includes(figure))
  await readLongTexts([text, ...others.filter(mayName)])
  const told = secretsIn(text, others.at(-1))
  const named = new Set([
    ...others.flatMap((other, at) => (mayName(other) ? secretsIn(other, others[at - 1]) : [])),
    ...told,
  ])
  if (named.size === 0) return text
  const own = new Set(secretsIn(text))
  const open = told.filter((secret) => !own.has(secret))
  const left = open.reduce((rest, secret) => rest.replace(secret, '…'), text)
  const pattern = repeatsPattern(named)
  return pattern === null ? left : left.replace(pattern, (secret) => (own.has(secret) ? secret : '…'))
}

function secretsIn(text: string, after?: string): readonly string[] {
  return secretsAfter(after, text).map(({ from, to }) => text.slice(from, to))
}

/** Shortest name of a field that can hold a secret. */
const LONG_FIELD = 16

/** As `maskSecrets`, for texts and names in data of any shape; a field name or `key` names its value a secret. */
export function maskSecretsIn<T>(data: T, onMasked?: OnMasked, options: MaskOptions = {}): T {
  return atOnce(masking(data, onMasked, options))
}

/** The masking, with a pause before values are looked for where nothing names them. */
function* masking<T>(data: T, onMasked: OnMasked | undefined, options: MaskOptions): Generator<void, T> {
  const masks = new Map<string, string>()
  const keep: OnMasked = (secret, mask) => {
    masks.set(secret, mask)
    onMasked?.(secret, mask)
  }
  const how = { onMasked: keep, options }
  const masked = changedData(data, {
    text: (text, field, record) =>
      maskedText(text, field, { ...how, options: { ...options, after: record?.[SAID_BEFORE] } }),
    number: (value, field) => maskedNumber(value, field, how),
    fieldName: (name) => (name.length >= LONG_FIELD ? maskSecrets(name, keep, options) : name),
    takenFor: (field, record) => {
      const key = field === 'value' && options.said !== false ? Reflect.get(record, 'key') : undefined
      return typeof key === 'string' ? key : field
    },
  })
  if (masks.size === 0) return data
  yield
  return maskRepeats(masked, masks, onMasked)
}

/** Length from which a text is read by itself. */
const LONG_TEXT = 32_768

/** Characters of texts that are read before others run. */
const READ_A_PIECE = 4096

/** As `maskSecretsIn`, with pauses between the texts and in long ones. */
export async function maskSecretsPatiently<T>(data: T, options: MaskOptions = {}): Promise<T> {
  await readLongTexts(data, 0)
  return inPieces(masking(data, undefined, options))
}

/** Finds the secrets of texts above a length with pauses; what is found is kept for the masking that follows. */
export async function readLongTexts(data: unknown, above: number = LONG_TEXT): Promise<void> {
  const long = new Set<string>()
  const look = (part: unknown, depth: number): void => {
    if (typeof part === 'string' && part.length > above) long.add(part)
    else if (typeof part === 'object' && part !== null && depth > 0)
      for (const inner of Object.values(part)) look(inner, depth - 1)
  }
  look(data, DEEPEST)
  let read = 0
  for (const text of long) {
    read += text.length
    if (read > READ_A_PIECE) {
      await breathe()
      read = text.length
    }
    await findSecrets.patiently(text)
  }
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

/** Listener for every masked secret, with its replacement. */
export type OnMasked = (secret: string, mask: string) => void

/** Names of fields that point to something and must stay as they are. */
const POINTER = /(?:^|[_-])ids?$|Ids?$|At$|_at$/

/** The data with the secrets, by their masks, hidden wherever they are repeated. */
export function maskRepeats<T>(data: T, masks: ReadonlyMap<string, string>, onMasked?: OnMasked): T {
  return changedData(data, repeatsMasked(masks, onMasked))
}

function repeatsMasked(masks: ReadonlyMap<string, string>, onMasked: OnMasked | undefined): DataChange {
  const known = withParts(masks)
  const pattern = repeatsPattern(known.keys())
  const maskOf = (secret: string): string => {
    const mask = known.get(secret)!
    onMasked?.(secret, mask)
    return mask
  }
  return {
    ...UNCHANGED,
    text: (text, field) => {
      if (field !== null && POINTER.test(field)) return text
      if (known.has(text) && (field === 'value' || /\d/.test(text))) return maskOf(text)
      return pattern === null ? text : text.replace(pattern, maskOf)
    },
    number: (value, field) => (field === 'value' && known.has(String(value)) ? maskOf(String(value)) : value),
  }
}

/** Most secrets of a stream that later records are searched for. */
const MOST_OF_STREAM = 1000

/** Masks record after record as `maskSecretsIn` does, and in each what was a secret in one before. */
export function streamMasker(onMasked?: OnMasked): <T>(record: T) => T {
  const masks = new Map<string, string>()
  const keep: OnMasked = (secret, mask) => {
    if (masks.size < MOST_OF_STREAM) masks.set(secret, mask)
    onMasked?.(secret, mask)
  }
  let [change, known]: [DataChange, number] = [UNCHANGED, 0]
  return (record) => {
    const masked = maskSecretsIn(record, keep)
    if (masks.size > known) [change, known] = [repeatsMasked(masks, onMasked), masks.size]
    return known === 0 ? masked : changedData(masked, change)
  }
}

/** Shortest line of a secret of several that is one where it stands alone. */
const LONG_LINE = 16

/** Masks also for secrets without a final exclamation mark, which may be the sentence's ("Kiwi-7788!"), and for lines of one. */
function withParts(masks: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const parts = [...masks].flatMap(([secret, mask]) => {
    const lines = secret.split(/\s|\\n/).filter((line) => line.length >= LONG_LINE)
    const word = secret.replace(/!{1,40}$/, '')
    const ofWord = word === '' ? [] : [[word, mask.replace(String(secret.length), String(word.length))] as const]
    return [...lines.map((line) => [line, maskOf(line, '')] as const), ...ofWord]
  })
  return new Map([...masks, ...parts.filter(([part]) => !masks.has(part))])
}

/** The changes of the parts. `field` is the name of the field that holds one, through lists too; null at the top. */
interface DataChange {
  text(text: string, field: string | null, record?: Partial<Pick<Turn, typeof SAID_BEFORE>>): string
  number(value: number, field: string | null): unknown
  /** The name of a field itself. */
  fieldName(name: string): string
  /** The name under which a field is treated, which its neighbours in the record may change. */
  takenFor(field: string, record: object): string
}

const UNCHANGED: DataChange = {
  text: (text) => text,
  number: (value) => value,
  fieldName: (name) => name,
  takenFor: (field) => field,
}

/** The greatest depth of data that is kept; deeper parts are left out. */
const DEEPEST = 100

/** The data after the change. */
function changedData<T>(data: T, change: DataChange): T {
  return changed(data, null, change, DEEPEST) as T
}

function changed(data: unknown, field: string | null, change: DataChange, depth: number): unknown {
  if (typeof data === 'string') return change.text(data, field)
  if (typeof data === 'number') return change.number(data, field)
  if (typeof data !== 'object' || data === null || data instanceof Date) return data
  if (depth === 0) return null
  return Array.isArray(data) ? changedItems(data, field, change, depth - 1) : changedFields(data, change, depth - 1)
}

/** The items, copied from the first changed one on. */
function changedItems(items: readonly unknown[], field: string | null, change: DataChange, depth: number): unknown {
  let copy: unknown[] | null = null
  for (let at = 0; at < items.length; at++) {
    const item = changed(items[at], field, change, depth)
    if (item !== items[at]) copy ??= items.slice(0, at)
    copy?.push(item)
  }
  return copy ?? items
}

/** The fields, copied from the first changed one on. */
function changedFields(data: object, change: DataChange, depth: number): unknown {
  const fields = Object.keys(data)
  const values: unknown[] = Object.values(data)
  let copy: [string, unknown][] | null = null
  for (let at = 0; at < fields.length; at++) {
    const [field, value] = [fields[at]!, values[at]]
    const name = change.fieldName(field)
    const taken = change.takenFor(field, data)
    const kept = typeof value === 'string' ? change.text(value, taken, data) : changed(value, taken, change, depth)
    if (name !== field || kept !== value) copy ??= Object.entries(data).slice(0, at)
    copy?.push([name, kept])
  }
  return copy === null ? data : Object.fromEntries(copy)
}

/** Masks every secret in the data; `restore` gives an answer with the secrets in place of their masks. */
export function hideSecrets<T>(data: T): { readonly data: T; readonly restore: <A>(answer: A) => A } {
  const secrets = new Map<string, string | null>()
  const hidden = maskSecretsIn(data, (secret, mask) => {
    const known = secrets.get(mask)
    secrets.set(mask, known === undefined || known === secret ? secret : null)
  })
  const known = [...secrets].filter((one): one is [string, string] => one[1] !== null)
  // Longer masks first: `…(masked, 8 characters)` is the end of `sk-…(masked, 8 characters)`.
  known.sort(([a], [b]) => b.length - a.length)
  return {
    data: hidden,
    restore: (answer) => (known.length === 0 ? answer : (restored(answer, known) as typeof answer)),
  }
}

function restored(answer: unknown, secrets: readonly (readonly [string, string])[]): unknown {
  if (typeof answer === 'string')
    return secrets.reduce((text, [mask, secret]) => text.replaceAll(mask, () => secret), answer)
  if (Array.isArray(answer)) return answer.map((item) => restored(item, secrets))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, restored(value, secrets)]))
}

const MASK = /…\(masked, (\d{1,7}) characters\)/g
/** Most characters of a secret that are shown before its mask. */
const LONGEST_SHOWN = 40

/** Whether a text that comes back from an export is the stored one; a mask stands for anything of its length. */
export function isSameOrMasked(stored: string, given: string): boolean {
  if (given === stored) return true
  let storedAt = 0
  let givenAt = 0
  let hidden = 0
  for (const { 0: mask, 1: length, index } of given.matchAll(MASK)) {
    storedAt = behind(stored, given.slice(givenAt, index), storedAt, hidden)
    if (storedAt < 0) return false
    givenAt = index + mask.length
    hidden = Number(length)
  }
  return givenAt > 0 && behind(stored, given.slice(givenAt), storedAt, hidden, true) === stored.length
}

/** The place where the stored text goes on when `part` stands behind `hidden` characters from `at`; else -1. */
function behind(stored: string, part: string, at: number, hidden: number, isLast = false): number {
  for (let skipped = hidden; skipped >= Math.max(0, hidden - LONGEST_SHOWN); skipped--) {
    const end = at + skipped + part.length
    if (stored.startsWith(part, at + skipped) && (!isLast || end === stored.length)) return end
  }
  return -1
}
