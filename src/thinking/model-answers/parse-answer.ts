/**
 * Which value of the asked shape does the model's answer hold? Fences, prose, reasoning, a cut end and other slips are
 * forgiven, nothing else is guessed, and the work is bounded for any text.
 */
import { jsonrepair } from 'jsonrepair'
import type { z } from 'zod'
import { withoutReasoning } from '../../language/reasoning-tags.ts'

/** The value, or why there is none, in one short line. `isCut`: its end is missing. */
export type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly isCut: boolean }
  | { readonly ok: false; readonly error: string }

/** The longest part of an answer that is read; any step's is far shorter. */
const LONGEST_ANSWER = 100_000
const MOST_CANDIDATES = 12
/** Repairing is slow on nonsense and deep nesting. */
const LONGEST_REPAIR = 24_000
const MOST_REPAIRS = 3
const MOST_BRACKETS = 400
const LONGEST_ERROR = 300
/** The deepest nesting of any shape; a deeper one would overflow the code that walks through it. */
const DEEPEST = 40
const LONGEST_NAME = 120
const LOOSE_NAME = /,?\s{0,40}"[^"\\]{0,200}"\s{0,40}:\s{0,40}$/
const BEGINS_AS_JSON = /^[{[]\s*(?:["{[]|$)/

/** The first JSON in the text that has the shape; strict JSON goes before repaired JSON. */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const answer = withoutStrayReasoning(withoutReasoning(text.slice(0, LONGEST_ANSWER))).trim()
  if (answer === '') return { ok: false, error: 'the answer is empty' }
  let error = 'the answer holds no JSON'
  const candidates = [...(answer.startsWith('"') ? [{ stretch: answer, isCut: false }] : []), ...jsonSpans(answer)]
  for (const read of [readStrictly, readRepaired]) {
    let repairs = 0
    for (const { stretch, isCut } of candidates) {
      if (read === readRepaired && (!isRepairable(stretch) || repairs++ >= MOST_REPAIRS)) continue
      const value = read(stretch)
      if (value === undefined || isDeeper(value, DEEPEST)) continue
      for (const shape of unwrapped(value)) {
        const parsed = schema.safeParse(shape)
        if (parsed.success) return { ok: true, value: parsed.data, isCut }
        if (shape === value) error = `the answer has another shape: ${describe(parsed.error)}`
      }
    }
  }
  return { ok: false, error }
}

/** Some templates put the opening tag into the prompt, so that only the closing one is seen. */
function withoutStrayReasoning(text: string): string {
  const end = /<\/(?:think|thinking|thought|reasoning)>/i.exec(text)
  const rest = end === null ? '' : text.slice(end.index + end[0].length)
  return rest.includes('{') ? rest : text
}

function readStrictly(candidate: string): unknown {
  try {
    const value: unknown = JSON.parse(candidate)
    // JSON inside a JSON string: encoded twice.
    return typeof value === 'string' && /^\s*[{[]/.test(value) ? JSON.parse(value) : value
  } catch {
    return undefined
  }
}

function isRepairable(candidate: string): boolean {
  return candidate.length <= LONGEST_REPAIR && (candidate.match(/[{[:]/g)?.length ?? 0) <= MOST_BRACKETS
}

function readRepaired(candidate: string): unknown {
  try {
    return JSON.parse(jsonrepair(candidate))
  } catch {
    return undefined
  }
}

/** The value; the object in a list around it; the object in an object with nothing else around it. */
function unwrapped(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return [value, ...value.slice(0, MOST_CANDIDATES).filter(isObject)]
  if (!isObject(value)) return [value]
  const inner = Object.values(value)
  return inner.length === 1 && isObject(inner[0]) ? [value, inner[0]] : [value]
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describe(error: z.ZodError): string {
  const issues = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || '(whole)'}: ${message}`)
  return issues.join('; ').slice(0, LONGEST_ERROR)
}

/** The stretches of a text that begin with `{` or `[`, in order; one that lies in another is not listed by itself. */
function jsonSpans(text: string): readonly { readonly stretch: string; readonly isCut: boolean }[] {
  const spans: { readonly stretch: string; readonly isCut: boolean }[] = []
  let at = nextOpening(text, 0)
  while (at >= 0 && spans.length < MOST_CANDIDATES) {
    const { end, isCut } = scan(text, at)
    const stretch = text.slice(at, end)
    spans.push({ stretch: isCut ? withoutLooseName(stretch) : stretch, isCut })
    // A brace in prose may never be closed; JSON that was cut begins with a name and is the last thing in the text.
    if (isCut && BEGINS_AS_JSON.test(text.slice(at, at + 80))) break
    at = nextOpening(text, isCut ? at + 1 : end)
  }
  return spans
}

/** `{"a": 1, "b":` → `{"a": 1`: a name whose value was cut off says nothing. */
function withoutLooseName(text: string): string {
  const end = text.slice(-LONGEST_NAME)
  return text.slice(0, text.length - end.length) + end.replace(LOOSE_NAME, '')
}

function nextOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/)
  return offset < 0 ? -1 : from + offset
}

/** The end of the stretch that begins here; if it never ends (`isCut`), the end of its last complete piece. */
function scan(text: string, start: number): { readonly end: number; readonly isCut: boolean } {
  let depth = 0
  let string = -1
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (string >= 0) {
      if (character === '\\') at++
      else if (character === '"') string = -1
    } else if (character === '"') string = at
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return { end: at + 1, isCut: false }
    }
  }
  // Half a sentence is dropped: it might say the opposite of the whole.
  return { end: string >= 0 ? string : text.length, isCut: true }
}
