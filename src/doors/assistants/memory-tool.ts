/** Anthropic's memory tool (`memory_20250818`): each file below /memories is one memory. Answers are the strings models know. */
import type { MemoryView } from '../library/binding.ts'
import type { OpenMemory } from '../library/open-memory.ts'
import { documents } from '../library/tool-documents.ts'

/** A model's request: one of six commands. */
export type MemoryCommand =
  | { readonly command: 'view'; readonly path: string; readonly view_range?: readonly number[] | null }
  | { readonly command: 'create'; readonly path: string; readonly file_text: string }
  | { readonly command: 'str_replace'; readonly path: string; readonly old_str: string; readonly new_str?: string }
  | { readonly command: 'insert'; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: 'delete'; readonly path: string }
  | { readonly command: 'rename'; readonly old_path: string; readonly new_path: string }

type Command<Name extends MemoryCommand['command']> = Extract<MemoryCommand, { command: Name }>

/**
 * Handlers for `betaMemoryTool`, and `execute` for tools that pass the whole command. A rejection's message is for the
 * model.
 */
export interface MemoryTool {
  view(input: Command<'view'>): Promise<string>
  create(input: Command<'create'>): Promise<string>
  str_replace(input: Command<'str_replace'>): Promise<string>
  insert(input: Command<'insert'>): Promise<string>
  delete(input: Command<'delete'>): Promise<string>
  rename(input: Command<'rename'>): Promise<string>
  execute(input: MemoryCommand): Promise<string>
}

const ROOT = '/memories'
const MOST_LINES = 999_999
const AROUND = 2
const LEVELS = 2
const TAG = 'memory-tool'

interface File {
  readonly path: string
  readonly text: string
}

interface StoredFile extends File {
  readonly id: string
}

interface Plan {
  readonly remove?: readonly StoredFile[]
  readonly add?: readonly File[]
  readonly answer: string
}

export function memoryTool(memory: OpenMemory, { userId }: { readonly userId?: string } = {}): MemoryTool {
  const { read, change: changeDocuments } = documents(memory, userId)
  const files = async (): Promise<readonly StoredFile[]> =>
    (await read({ tag: TAG })).flatMap((one) => fileOf(one) ?? [])
  const change = (plan: (all: readonly StoredFile[]) => Plan): Promise<string> =>
    changeDocuments(async () => {
      const { remove = [], add = [], answer } = plan(await files())
      return { remove, add: add.map(memoryOf), answer }
    })

  const tool: MemoryTool = {
    view: async ({ path, view_range: range }) => {
      const at = checked(path)
      const all = await files()
      const file = all.find((one) => one.path === at)
      if (file !== undefined) return fileShown(path, file.text, range ?? undefined)
      if (at !== ROOT && !all.some((one) => isBelow(one, at))) throw missing(path)
      return folderShown(at, all)
    },
    create: ({ path, file_text: text }) =>
      change((all) => {
        const at = checked(path)
        if (at === ROOT || lyingAt(all, at).length > 0) throw new Error(`File ${path} already exists`)
        refuseBelowFile(all, at)
        return { add: [{ path: at, text: given('file_text', text) }], answer: `File created successfully at: ${path}` }
      }),
    str_replace: ({ path, old_str: old, new_str: replacement = '' }) =>
      change((all) => {
        const file = fileAt(all, path)
        const found = given('old_str', old) === '' ? [] : placesOf(file.text, old)
        const [place] = found
        if (place === undefined)
          throw new Error(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`)
        if (found.length > 1) {
          const lines = [...new Set(found.map((at) => lineAt(file.text, at)))].join(', ')
          throw new Error(
            `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines}. Please ensure it is unique`,
          )
        }
        const text = file.text.slice(0, place) + replacement + file.text.slice(place + old.length)
        const first = lineAt(file.text, place)
        const last = first + replacement.split('\n').length - 1
        const snippet = numbered(text.split('\n'), Math.max(1, first - AROUND), last + AROUND)
        return {
          remove: [file],
          add: [{ path: file.path, text }],
          answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
        }
      }),
    insert: ({ path, insert_line: line, insert_text: inserted }) =>
      change((all) => {
        const file = fileAt(all, path)
        const lines = file.text.split('\n')
        if (!Number.isInteger(line) || line < 0 || line > lines.length)
          throw new Error(
            `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          )
        lines.splice(line, 0, given('insert_text', inserted).replace(/\n$/, ''))
        return {
          remove: [file],
          add: [{ path: file.path, text: lines.join('\n') }],
          answer: `The file ${path} has been edited.`,
        }
      }),
    delete: ({ path }) =>
      change((all) => {
        const at = checked(path)
        if (at === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`)
        const remove = lyingAt(all, at)
        if (remove.length === 0) throw new Error(`The path ${path} does not exist`)
        return { remove, answer: `Successfully deleted ${path}` }
      }),
    rename: ({ old_path: from, new_path: to }) =>
      change((all) => {
        const [source, target] = [checked(from), checked(to)]
        const moved = lyingAt(all, source)
        if (source === ROOT || moved.length === 0) throw new Error(`The path ${from} does not exist`)
        if (target === ROOT || lyingAt(all, target).length > 0) throw new Error(`The destination ${to} already exists`)
        if (target.startsWith(`${source}/`)) throw new Error(`The destination ${to} lies in ${from}`)
        refuseBelowFile(all, target)
        const add = moved.map(({ path, text }) => ({ path: target + path.slice(source.length), text }))
        return { remove: moved, add, answer: `Successfully renamed ${from} to ${to}` }
      }),
    execute: async (input) => {
      const { execute: _, ...commands } = tool
      if (!Object.hasOwn(commands, input.command))
        throw new Error(`Unknown command ${input.command}. Use one of: ${Object.keys(commands).join(', ')}.`)
      return (commands[input.command] as (input: MemoryCommand) => Promise<string>)(input)
    },
  }
  return tool
}

/** The memory of a file; a memory needs text, so that of a blank file is its path. */
function memoryOf({ path, text }: File) {
  const isBlank = text.trim() === ''
  return {
    text: isBlank ? path : text,
    memoryType: 'semantic' as const,
    category: 'fact' as const,
    source: 'inferred' as const,
    tags: [TAG],
    metadata: { path, ...(isBlank ? { content: text } : {}) },
  }
}

function fileOf({ id, text, metadata }: MemoryView): StoredFile | null {
  const path = metadata?.path
  const content = metadata?.content
  return typeof path === 'string' ? { id, path, text: typeof content === 'string' ? content : text } : null
}

function given(name: string, value: string | undefined): string {
  if (typeof value !== 'string') throw new Error(`Missing required parameter \`${name}\`: it should be a string.`)
  return value
}

/** The path without `.` and `..`; throws for one that leaves /memories. */
function checked(path: string): string {
  if (!given('path', path).startsWith(ROOT)) throw new Error(`Path must start with ${ROOT}, got: ${path}`)
  const parts: string[] = []
  const escapes = new Error(`Path ${path} would escape ${ROOT} directory`)
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) throw escapes
    if (!['', '.', '..'].includes(part)) parts.push(part)
  }
  const plain = `/${parts.join('/')}`
  if (plain !== ROOT && !plain.startsWith(`${ROOT}/`)) throw escapes
  return plain
}

function isBelow({ path }: File, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function lyingAt(all: readonly StoredFile[], path: string): readonly StoredFile[] {
  return all.filter((one) => one.path === path || isBelow(one, path))
}

/** A file is no folder: what lay below it could neither be viewed nor outlive it. */
function refuseBelowFile(all: readonly StoredFile[], path: string): void {
  const file = all.find((one) => path.startsWith(`${one.path}/`))
  if (file !== undefined) throw new Error(`The path ${file.path} is a file, not a directory`)
}

function fileAt(all: readonly StoredFile[], path: string): StoredFile {
  const at = checked(path)
  const file = all.find((one) => one.path === at)
  if (file !== undefined) return file
  throw at === ROOT || all.some((one) => isBelow(one, at))
    ? new Error(`The path ${path} is not a file.`)
    : missing(path)
}

function missing(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`)
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at)
  return places
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length
}

function numbered(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from - 1, to)
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join('\n')
}

function fileShown(path: string, text: string, range: readonly number[] | undefined): string {
  const lines = text.split('\n')
  if (lines.length > MOST_LINES)
    throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is 999,999 lines.`)
  const [from = 1, to = -1] = range ?? []
  const end = to === -1 ? lines.length : to
  return `Here's the content of ${path} with line numbers:\n${numbered(lines, Math.max(1, from), end)}`
}

/** The listing of a folder, two levels deep, without node_modules and names that begin with a dot. */
function folderShown(folder: string, all: readonly File[]): string {
  const sizes = new Map<string, number>([[`${folder}/`, 0]])
  for (const file of all) {
    if (!isBelow(file, folder)) continue
    const parts = file.path.slice(folder.length + 1).split('/')
    if (parts.some((part) => part.startsWith('.') || part === 'node_modules')) continue
    const bytes = Buffer.byteLength(file.text)
    for (let depth = 0; depth <= Math.min(parts.length, LEVELS); depth += 1) {
      const path = [folder, ...parts.slice(0, depth)].join('/') + (depth < parts.length ? '/' : '')
      sizes.set(path, (sizes.get(path) ?? 0) + bytes)
    }
  }
  const lines = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => `${sizeShown(bytes)}\t${path}`)
  return `Here're the files and directories up to ${LEVELS} levels deep in ${folder}, excluding hidden items and node_modules:\n${lines.join('\n')}`
}

const UNITS = ['B', 'K', 'M', 'G']

function sizeShown(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const count = bytes / 1024 ** unit
  return `${Number.isInteger(count) ? count : count.toFixed(1)}${UNITS[unit]}`
}
