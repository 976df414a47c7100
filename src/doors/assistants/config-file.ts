/**
 * Adds our settings to a file that belongs to another program, and removes them again. JSON keeps its formatting, other
 * text gets one marked block, and a file that cannot be parsed is refused unchanged.
 */
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'

/** One entry of ours in a JSON file: the value at `path`, or, with `isOurs`, an extra element of the list at `path`. */
export interface JsonEntry {
  readonly path: JSONPath
  readonly value: unknown
  /** Whether an element of the list is ours. */
  readonly isOurs?: (element: unknown) => boolean
}

/**
 * Our content in a file. A `block` is lines of a text file between marks in its comment syntax; text equal to `taken`
 * must not stand elsewhere.
 */
export type Content =
  | { readonly kind: 'json'; readonly entries: readonly JsonEntry[] }
  | {
      readonly kind: 'block'
      readonly comment: readonly [start: string, end: string]
      readonly lines: string
      readonly taken?: string
    }

/** The text with our content once, replacing an older form of it. Throws with the fault of the file. */
export function withOurs(text: string, content: Content): string {
  const without = withoutOurs(text, content)
  if (content.kind === 'block') {
    const [start, end] = marks(content.comment)
    if (content.taken !== undefined && without.includes(content.taken))
      throw new Error(`it has ${content.taken} already`)
    const before = without === '' || without.endsWith('\n') ? without : `${without}\n`
    return `${before}${start}\n${content.lines}\n${end}\n`
  }
  return content.entries.reduce(
    (json, { path, value, isOurs }) => {
      if (isOurs === undefined) return edited(json, path, value)
      const list = at(json, path)
      return edited(json, Array.isArray(list) ? [...path, list.length] : path, Array.isArray(list) ? value : [value])
    },
    without.trim() === '' ? '{}\n' : without,
  )
}

/** The text without our content; equal to the text where there is none. Throws with the fault of the file. */
export function withoutOurs(text: string, content: Content): string {
  if (content.kind === 'block') {
    const [start, end] = marks(content.comment)
    const from = text.indexOf(`${start}\n`)
    const to = text.indexOf(`${end}\n`, from)
    return from === -1 || to === -1 ? text : text.slice(0, from) + text.slice(to + end.length + 1)
  }
  if (text.trim() === '') return text
  check(text)
  return content.entries.reduce((json, entry) => withoutEntry(json, entry), text)
}

function withoutEntry(json: string, { path, isOurs }: JsonEntry): string {
  const found = at(json, path)
  if (found === undefined) return json
  if (isOurs === undefined) return withoutEmpty(edited(json, path, undefined), path.slice(0, -1))
  if (!Array.isArray(found)) throw new Error(`${path.join('.')} is no list`)
  const last = found.findLastIndex(isOurs)
  if (last === -1) return json
  const rest = edited(json, [...path, last], undefined)
  return withoutEntry(withoutEmpty(rest, path), { path, value: undefined, isOurs })
}

/** Removes lists and objects that have become empty. */
function withoutEmpty(json: string, path: JSONPath): string {
  const found = at(json, path)
  const isEmpty = typeof found === 'object' && found !== null && Object.keys(found).length === 0
  return isEmpty && path.length > 0 ? withoutEmpty(edited(json, path, undefined), path.slice(0, -1)) : json
}

function edited(json: string, path: JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)"/.exec(json)?.[1] ?? '  '
  const isInsertion = typeof path.at(-1) === 'number' && value !== undefined
  return applyEdits(
    json,
    modify(json, path, value, {
      formattingOptions: {
        insertSpaces: !indent.includes('\t'),
        tabSize: indent.includes('\t') ? 1 : indent.length,
        eol: json.includes('\r\n') ? '\r\n' : '\n',
      },
      isArrayInsertion: isInsertion,
    }),
  )
}

/** The value at a path; undefined when there is none. */
function at(json: string, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    parse(json),
  )
}

function check(json: string): void {
  const errors: ParseError[] = []
  const value: unknown = parse(json, errors, { disallowComments: true })
  if (errors.length > 0) throw new Error('it holds comments, or is not JSON')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object')
}

function marks([start, end]: readonly [string, string]): readonly [string, string] {
  return [`${start} mneme: begins${end}`, `${start} mneme: ends${end}`]
}
