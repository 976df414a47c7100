/** Checks a raw input against the operation's schema; errors name the field, the reason and the remedy. */
import { z } from 'zod'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { parseAsWritten } from '../../domain/parse-as-written.ts'
import { atOnce } from '../../domain/scheduling.ts'
import { snakeName } from './field-names.ts'

/** A refusal in the caller's own words; its names must not be translated. */
export class InputRefusal extends MnemeError {
  constructor(field: string, reason: string, remedy: string) {
    super('invalid_input', `${field}: ${reason}`, { field, remedy })
  }
}

interface WithInput {
  readonly input: z.ZodObject
}

/** The input with its types, or `invalid_input` for the first error. `besides` are names that the door handles itself. */
export function readInput(
  { input }: WithInput,
  raw: unknown,
  besides: readonly string[] = [],
): Record<string, unknown> {
  const read = input.safeParse(raw)
  if (read.success) return read.data as Record<string, unknown>
  const { issues } = read.error
  // An unknown name is reported first, because it explains a missing one.
  const first = issues.find(({ code }) => code === 'unrecognized_keys') ?? tightest(issues)
  throw refusal(first, input, besides, raw)
}

const LONGEST_SHOWN = 100

type Issue = z.core.$ZodIssue

/** The first issue; of several upper bounds of one value the last, since the first is that of all integers. */
function tightest(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues
  if (first?.code !== 'too_big') return first
  return issues.findLast(({ code, path }) => code === 'too_big' && pathName(path) === pathName(first.path))
}

function refusal(issue: Issue | undefined, input: z.ZodObject, besides: readonly string[], raw: unknown): MnemeError {
  if (issue === undefined) return new InputRefusal('input', 'is not what this operation takes', 'See the reference.')
  const field = pathName(issue.path)
  const schema = schemaAt(input, issue.path)
  const value = valueAt(raw, issue.path)
  const refused = (reason: string, remedy: string) => new InputRefusal(field || 'input', reason, remedy)
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    const names = field === '' ? [...known, ...besides] : known
    const name = issue.keys[0] ?? ''
    return new InputRefusal(field === '' ? name : `${field}.${name}`, 'is not known here', instead(name, names))
  }
  if (issue.code === 'invalid_type') {
    const kind = KINDS[issue.expected] ?? issue.expected
    return refused(value === undefined ? 'is missing' : `is not ${kind}`, `Pass ${kind}.`)
  }
  if (issue.code === 'invalid_value') {
    // A short word that was given is told beside it.
    const shown = typeof value === 'string' && value.length <= LONGEST_SHOWN ? `${JSON.stringify(value)} ` : ''
    return refused(`${shown}is not known`, `Use one of: ${issue.values.map(String).join(', ')}.`)
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    if (typeof value === 'number') return refused(`${value} is out of range`, remedyOf(issue, schema))
    if (value === '') return refused('is empty', 'Pass a text that says something.')
  }
  return refused(issue.message.charAt(0).toLowerCase() + issue.message.slice(1), remedyOf(issue, schema))
}

function instead(name: string, known: readonly string[]): string {
  const meant = known.find((one) => snakeName(one) === snakeName(name))
  if (meant !== undefined) return `Write it as ${meant}.`
  return known.length === 0 ? 'Leave it out.' : `Use one of: ${known.join(', ')}.`
}

function schemaAt(input: z.ZodObject, path: readonly PropertyKey[]): unknown {
  let here: unknown = input
  for (const part of path) {
    if (here instanceof z.ZodObject) here = here.shape[String(part)]
    else here = here instanceof z.ZodArray ? here.element : undefined
    while (here instanceof z.ZodOptional || here instanceof z.ZodNullable) here = here.unwrap()
  }
  return here
}

function remedyOf(issue: Issue, schema: unknown): string {
  if (issue.code === 'custom' && typeof issue.params?.remedy === 'string') return issue.params.remedy
  if (issue.code === 'invalid_format' && schema instanceof z.ZodType) {
    const examples = schema.meta()?.examples
    if (Array.isArray(examples)) return `Write it like ${examples.join(' or ')}.`
  }
  if (issue.code === 'too_small') return `Pass at least ${issue.minimum}${unit(issue.origin)}.`
  if (issue.code === 'too_big') return `Pass at most ${issue.maximum}${unit(issue.origin)}.`
  return 'Pass what the reference says.'
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' items' : ''
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** `turns[2].role` */
function pathName(path: readonly PropertyKey[]): string {
  const written = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return written.join('').replace(/^\./, '')
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  const inside = (here: unknown, part: PropertyKey): unknown =>
    typeof here === 'object' && here !== null ? Reflect.get(here, part) : undefined
  return path.reduce(inside, value)
}

const DEEPEST = 64

const [QUOTE, BACKSLASH, COLON, COMMA, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x3a, 0x2c, 0x2d, 0x30, 0x39]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

const SAFE_DIGITS = 15
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

interface Level {
  readonly names: Set<string> | null
  here: string | number
}

export interface StrictJsonOptions {
  /** The name of the whole in errors. Default `body`. */
  readonly field?: string
  /** true: any number is accepted, and parsed as it is written, because the text itself is passed on. Default false. */
  readonly anyNumber?: boolean
}

/** Parses strict JSON. Throws `invalid` for depth, size, refused names or inexact numbers, SyntaxError for malformed JSON. */
export function parseStrictJson(text: string, options?: StrictJsonOptions): unknown {
  return atOnce(strictJson(text, options))
}

/** Characters that are checked before others run. */
const CHARACTERS_A_PIECE = 65_536

/** As `parseStrictJson`, in pieces; text of one piece never pauses. */
export function* strictJson(
  text: string,
  { field = 'body', anyNumber = false }: StrictJsonOptions = {},
): Generator<void, unknown> {
  yield* checkShape(text, field, anyNumber)
  const value: unknown = anyNumber ? parseAsWritten(text) : JSON.parse(text)
  if (text.length > CHARACTERS_A_PIECE) yield
  return value
}

/** Checks brackets, names, numbers and how many values there are; the parser checks the grammar. */
function* checkShape(text: string, field: string, anyNumber: boolean): Generator<void, void> {
  const open: Level[] = []
  let quotedFrom = -1
  let quoted = ''
  const names = new Set<string>()
  let values = 0
  let pauseAt = CHARACTERS_A_PIECE
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + CHARACTERS_A_PIECE
      yield
    }
    if (quotedFrom >= 0) {
      const end = Math.min(pauseAt, text.length)
      at = endOfQuoted(text, at, end)
      if (at < end) {
        // Only text before a colon is a name; the slice copies nothing.
        quoted = text.slice(quotedFrom, at + 1)
        quotedFrom = -1
      } else at -= 1
      continue
    }
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) quotedFrom = at
    else if (unit === OBJECT || unit === LIST) {
      open.push(unit === OBJECT ? { names: new Set(), here: '' } : { names: null, here: 0 })
      values += 1
      if (open.length > DEEPEST) throw invalid(field, `is nested more than ${DEEPEST} deep`, 'Write it flatter.')
    } else if (unit === OBJECT_END || unit === LIST_END) open.pop()
    else if (unit === COLON) {
      if (quoted.length > LIMITS.nameCharacters)
        throw invalid(field, `has a name of more than ${LIMITS.nameCharacters} characters`, 'Use a shorter one.')
      takeName(quoted, open.at(-1), names)
      if (names.size > LIMITS.namesPerBody) throw tooMany(field, LIMITS.namesPerBody, 'different names')
    } else if (unit === COMMA) {
      values += 1
      if (values > LIMITS.valuesPerBody) throw tooMany(field, LIMITS.valuesPerBody, 'values')
      const level = open.at(-1)
      if (typeof level?.here === 'number') level.here += 1
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = at
      const [number = ''] = NUMBER.exec(text) ?? []
      if (!anyNumber && isChanged(number))
        throw new InputRefusal(
          pathName(open.map(({ here }) => here)) || field,
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

function takeName(quoted: string, level: Level | undefined, all: Set<string>): void {
  if (level === undefined || level.names === null) return
  const { names } = level
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  if (name === '__proto__') throw new InputRefusal(name, 'is not known here', 'Use another name.')
  if (names.has(name)) throw new InputRefusal(name, 'is given twice', 'Give it once.')
  names.add(name)
  all.add(name)
  level.here = name
}

/** Index of the closing quote from `at` on; where it does not come before `end`, the index from which to go on. */
function endOfQuoted(text: string, at: number, end: number): number {
  let here = at
  for (; here < end; here += 1) {
    const unit = text.charCodeAt(here)
    if (unit === BACKSLASH) here += 1
    else if (unit === QUOTE) return here
  }
  return here
}

function tooMany(field: string, most: number, what: string): MnemeError {
  return new InputRefusal(field, `has more than ${most} ${what}`, 'Send it in several parts.')
}

/** The kind of a field's value, as needed to parse it from text. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'json' | 'words or json'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
}

export interface FieldText {
  readonly kind: FieldKind
  readonly note: string
}

const known = new WeakMap<z.ZodObject, ReadonlyMap<string, FieldText>>()

/** The fields of a schema, as needed to describe them and to read them from text. */
export function fieldTexts({ input }: WithInput): ReadonlyMap<string, FieldText> {
  let texts = known.get(input)
  if (texts === undefined) {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' }) as JsonSchema
    texts = new Map(Object.entries(properties).map(([name, one]) => [name, { kind: kindOf(one), note: noteOf(one) }]))
    known.set(input, texts)
  }
  return texts
}

function noteOf({ description, enum: words, minimum, maximum, anyOf }: JsonSchema): string {
  if (description !== undefined) return description
  if (words !== undefined) return words.join(', ')
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return `${minimum} to ${maximum}`
  return anyOf?.map(noteOf).find((note) => note !== '') ?? ''
}

function kindOf(schema: JsonSchema): FieldKind {
  const { anyOf, items } = schema
  // ["string", "null"] is a text that may be absent.
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (anyOf !== undefined) {
    const one = anyOf.filter((choice) => choice.type !== 'null')
    if (one.length === 1) return kindOf(one[0] as JsonSchema)
    return one.some((choice) => choice.type === 'string') ? 'words or json' : 'json'
  }
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return type
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && items?.type !== undefined && items.type !== 'object') return 'list'
  return 'json'
}

/** Parses text as its kind; unparsable text is kept, and the schema refuses it by name. Several texts form a list. */
export function readTextValue(kind: FieldKind, texts: readonly string[]): unknown {
  if (kind === 'list') return texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (texts.length > 1) return texts
  const text = texts[0] ?? ''
  if (kind === 'number' || kind === 'integer')
    return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (kind === 'json' || (kind === 'words or json' && text.trimStart().startsWith('{'))) return parsed(text)
  return text
}

function parsed(text: string): unknown {
  try {
    return parseStrictJson(text, { field: 'input' })
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
