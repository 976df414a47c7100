/**
 * Checks a raw input against the operation's schema before anything is done. Errors name the field, the reason and the
 * remedy.
 */
import { z } from 'zod'
import { MnemeError } from '../../domain/errors.ts'
import { snakeName } from './names.ts'
import type { AnyOperation } from './operation.ts'

/** A refusal in the caller's own words; its names must not be translated. */
export class InputRefusal extends MnemeError {
  constructor(field: string, reason: string, remedy: string) {
    super('invalid_input', `${field}: ${reason}`, { field, remedy })
  }
}

/**
 * The input with its types; throws `invalid_input` for the first error. Remedies for an unknown name also list
 * `besides`, the names that the door handles itself.
 */
export function readInput(
  operation: AnyOperation,
  raw: unknown,
  besides: readonly string[] = [],
): Record<string, unknown> {
  const read = operation.input.safeParse(raw)
  if (read.success) return read.data as Record<string, unknown>
  const { issues } = read.error
  // An unknown name is reported first, because it explains a missing one.
  const first = issues.find(({ code }) => code === 'unrecognized_keys') ?? tightest(issues)
  throw refusal(first, operation.input, besides, raw)
}

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
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
    const names = field === '' ? [...known, ...besides] : known
    const name = issue.keys[0] ?? ''
    return new InputRefusal(field === '' ? name : `${field}.${name}`, 'is not known here', instead(name, names))
  }
  const at = field === '' ? 'input' : field
  if (issue.code === 'invalid_type' && valueAt(raw, issue.path) === undefined)
    return new InputRefusal(at, 'is missing', `Pass ${aOrAn(issue.expected)}.`)
  if (issue.code === 'invalid_value')
    return new InputRefusal(at, 'is not known', `Use one of: ${issue.values.map(String).join(', ')}.`)
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const value = valueAt(raw, issue.path)
    if (typeof value === 'number') return new InputRefusal(at, `${value} is out of range`, remedyOf(issue, schema))
    if (value === '') return new InputRefusal(at, 'is empty', 'Pass a text that says something.')
  }
  return new InputRefusal(at, lowerFirst(issue.message), remedyOf(issue, schema))
}

/** The remedy for an unknown name: its other spelling, else the list of known names. */
function instead(name: string, known: readonly string[]): string {
  const meant = known.find((one) => snakeName(one) === snakeName(name))
  if (meant !== undefined) return `Write it as ${meant}.`
  return known.length === 0 ? 'Leave it out.' : `Use one of: ${known.join(', ')}.`
}

/** The schema at a path; undefined where the path leaves objects and lists. */
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
  if (issue.code === 'invalid_type') return `Pass ${aOrAn(issue.expected)}.`
  if (issue.code === 'too_small') return `Pass at least ${issue.minimum}${unit(issue.origin)}.`
  if (issue.code === 'too_big') return `Pass at most ${issue.maximum}${unit(issue.origin)}.`
  return 'Pass what the reference says.'
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
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

function aOrAn(kind: string): string {
  return KINDS[kind] ?? kind
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}

/** `turns[2].role` */
function pathName(path: readonly PropertyKey[]): string {
  let name = ''
  for (const part of path)
    name += typeof part === 'number' ? `[${part}]` : name === '' ? String(part) : `.${String(part)}`
  return name
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const part of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<PropertyKey, unknown>)[part]
  }
  return here
}
