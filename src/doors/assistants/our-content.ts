/** How does our content come into a file of JSON, TOML or Markdown, and out of it again, with all else as it was? */
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'

/** One entry of ours in a JSON file: the value at `path` or, with `isOurs`, a further hook in the list at `path`. */
export interface JsonEntry {
  readonly path: JSONPath
  readonly value: unknown
  readonly isOurs?: (hook: unknown) => boolean
}

/** Our content in a file: entries, beside what the format demands (`frame`), or lines between marks in comments. */
export type Content =
  | {
      readonly kind: 'json'
      readonly entries: readonly JsonEntry[]
      readonly frame?: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'markdown' | 'toml'; readonly lines: string }

/** The text, which has nothing of ours, with our content. Throws with the fault of the file. */
export function withOurs(text: string, content: Content): string {
  if (content.kind !== 'json') {
    const { mcp_servers: servers } = content.kind === 'toml' ? parseToml(text) : {}
    if (typeof servers === 'object' && 'mneme' in servers) throw new Error('it has mcp_servers.mneme of its own')
    const newline = text.includes('\r\n') ? '\r\n' : '\n'
    const before = text === '' || text.endsWith('\n') ? text : `${text}${newline}`
    const result = `${before}${[...marked(content.kind, content.lines), ''].join(newline)}`
    if (content.kind === 'toml') parseToml(result)
    return result
  }
  const framed = Object.entries(content.frame ?? {}).reduce(
    (json, [name, value]) => {
      const found = at(json, [name])
      if (found !== undefined && found !== value) throw new Error(`its ${name} is not ${value}`)
      return found === undefined ? edited(json, [name], value) : json
    },
    text.trim() === '' ? '{}\n' : text,
  )
  return content.entries.reduce((json, { path, value, isOurs }) => {
    const found = at(json, path)
    if (isOurs === undefined && found !== undefined) throw new Error(`it has ${path.join('.')} of its own`)
    const isList = isOurs !== undefined && Array.isArray(found)
    const added = isOurs === undefined || isList ? value : [value]
    return edited(json, isList ? [...path, found.length] : path, added)
  }, framed)
}

/**
 * The text without our content: values equal to ours, or to `known`, the text that we wrote. Throws with the fault of
 * the file.
 */
export function withoutOurs(text: string, content: Content, known: string): string {
  if (content.kind !== 'json') return withoutBlock(text, marked(content.kind, ''))
  if (text.trim() === '') return text
  const errors: ParseError[] = []
  const whole: unknown = parse(text, errors, { disallowComments: true })
  if (errors.length > 0) throw new Error('it holds comments, or is not JSON')
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) throw new Error('it is no JSON object')
  return content.entries.reduce((json, { path, value, isOurs }) => {
    const found = at(json, path)
    if (found === undefined) return json
    if (isOurs !== undefined) return withoutHooks(json, path, isOurs)
    const isKnown = [value, at(known, path)].some((one) => isDeepStrictEqual(one, found))
    return isKnown ? withoutEmpty(edited(json, path, undefined), path.slice(0, -1)) : json
  }, text)
}

export function isNothing(text: string, content: Content): boolean {
  if (text.trim() === '') return true
  return content.kind === 'json' && isDeepStrictEqual(parse(text), content.frame ?? {})
}

function withoutBlock(text: string, marks: readonly string[]): string {
  const [from, end] = [marks[0], marks[2]].map((mark) => text.search(new RegExp(`^${mark}\\r?$`, 'm'))) as [
    number,
    number,
  ]
  if (from === -1) return text
  if (end < from) throw new Error(`it has the line ${marks[0]}, but no ${marks[2]} behind it`)
  const next = text.indexOf('\n', end)
  return withoutBlock(text.slice(0, from) + (next === -1 ? '' : text.slice(next + 1)), marks)
}

/** The JSON without our hooks in a list, whose elements are hooks or groups of them. */
function withoutHooks(json: string, path: JSONPath, isOurs: (hook: unknown) => boolean): string {
  const list = at(json, path)
  if (!Array.isArray(list)) throw new Error(`${path.join('.')} is no list`)
  let rest = json
  for (const [index, element] of [...list.entries()].reverse()) {
    const group: unknown = element?.hooks
    const hooks = Array.isArray(group) ? group : [element]
    const places = hooks.flatMap((hook, place) => (isOurs(hook) ? [place] : [])).reverse()
    if (places.length === hooks.length) rest = edited(rest, [...path, index], undefined)
    else for (const place of places) rest = edited(rest, [...path, index, 'hooks', place], undefined)
  }
  return rest === json ? json : withoutEmpty(rest, path)
}

function withoutEmpty(json: string, path: JSONPath): string {
  const found = at(json, path)
  const isEmpty = typeof found === 'object' && found !== null && Object.keys(found).length === 0
  return isEmpty && path.length > 0 ? withoutEmpty(edited(json, path, undefined), path.slice(0, -1)) : json
}

function edited(json: string, path: JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)"/.exec(json)?.[1] ?? '  '
  const isTabbed = indent.includes('\t')
  const formattingOptions = {
    insertSpaces: !isTabbed,
    tabSize: isTabbed ? 1 : indent.length,
    eol: json.includes('\r\n') ? '\r\n' : '\n',
  }
  const isArrayInsertion = typeof path.at(-1) === 'number' && value !== undefined
  return applyEdits(json, modify(json, path, value, { formattingOptions, isArrayInsertion }))
}

function at(json: string, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    parse(json),
  )
}

function marked(kind: 'markdown' | 'toml', lines: string): readonly [start: string, lines: string, end: string] {
  const [open, close] = kind === 'toml' ? ['#', ''] : ['<!--', ' -->']
  return [`${open} mneme: begins${close}`, lines, `${open} mneme: ends${close}`]
}
