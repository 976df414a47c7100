/** Holds the table of rooms (ARCHITECTURE.md): who may import whom. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = new URL('../src/', import.meta.url).pathname
/** Each room and the rooms that it may import besides itself. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  language: ['domain'],
  thinking: ['domain', 'language'],
  search: ['domain', 'language'],
  store: ['domain', 'language'],
  models: ['domain', 'language'],
  usecases: ['domain', 'language', 'thinking', 'search'],
  notes: ['domain', 'language', 'thinking', 'usecases'],
  doors: ['domain', 'language', 'usecases', 'notes'],
}

/** Where use cases meet their backends. */
const OPEN = join('usecases', 'open.ts')

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
const sources = files.filter((name) => !name.endsWith('.test.ts'))

function importsOf(file: string): readonly string[] {
  const code = readFileSync(join(SOURCE, file), 'utf8')
  return [...code.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map((match) =>
    relative(SOURCE, join(SOURCE, file, '..', match[1]!)),
  )
}

test('every source file lies in a room', () => {
  expect(sources.filter((file) => !(file.split(sep)[0]! in ROOMS))).toEqual([])
  expect(sources.length).toBeGreaterThan(30)
})

test('no source file has more than 400 lines', () => {
  const linesOf = (file: string): number => readFileSync(join(SOURCE, file), 'utf8').split('\n').length - 1
  expect(sources.filter((file) => linesOf(file) > 400)).toEqual([])
})

test('a room imports only the rooms that its row names', () => {
  const wrong = sources.flatMap((file) => {
    const room = file.split(sep)[0]!
    return importsOf(file)
      .map((target) => target.split(sep)[0]!)
      .filter((target) => target !== room && !ROOMS[room]?.includes(target) && file !== OPEN)
      .map(
        (target) =>
          `${file} imports ${target}: the room "${room}" may import only ${ROOMS[room]?.join(', ') || 'nothing'}`,
      )
  })
  expect(wrong).toEqual([])
})

test('only usecases/open.ts imports stores and models', () => {
  const homes = [`store${sep}`, `models${sep}`]
  const isIn = (path: string): boolean => homes.some((home) => path.startsWith(home))
  const wrong = sources.filter((file) => !isIn(file) && file !== OPEN && importsOf(file).some(isIn))
  expect(wrong).toEqual([])
})

test('the page knows the server by REST alone: it takes nothing from other rooms but the types of records', () => {
  const web = join('doors', 'web')
  const wrong = sources
    .filter((file) => file.startsWith(web + sep))
    .flatMap((file) => {
      const code = readFileSync(join(SOURCE, file), 'utf8').replace(/import type [^\n]*\n/g, '')
      return [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, path]) => relative(SOURCE, join(SOURCE, file, '..', path!)))
        .filter((target) => !target.startsWith(web + sep))
        .map((target) => `${file} imports ${target}`)
    })
  expect(wrong).toEqual([])
  const users = sources.filter((file) => !file.startsWith(web + sep))
  expect(users.filter((file) => importsOf(file).some((target) => target.startsWith(web + sep)))).toEqual([])
})

test('a process that only answers loads no thinking but what questions ask about, and how rare their words are', () => {
  const loaded = new Set([join('doors', 'library', 'open-memory.ts'), join('usecases', 'message-context.ts')])
  for (const file of loaded) {
    const code = readFileSync(join(SOURCE, file), 'utf8')
    for (const [, path = ''] of code.matchAll(/^(?:import|export) (?!type )[^']*? from '(\.[^']*)'/gm))
      loaded.add(join(dirname(file), path))
  }
  const thinking = [...loaded].filter(
    (file) => file.startsWith(`thinking${sep}`) && dirname(file) !== join('thinking', 'facts'),
  )
  expect(thinking).toEqual([join('thinking', 'topic', 'word-rarity.ts')])
})

test('a file for a framework tells errors by their code, since its class of errors is not that of the library', () => {
  const frameworks = ['ai-sdk', 'langgraph', 'openai-agents'].map((name) => join('doors', 'assistants', `${name}.ts`))
  expect(frameworks.flatMap(importsOf)).not.toContain(join('domain', 'errors.ts'))
})

test('contracts hold types and constants only', () => {
  const wrong = sources
    .filter((file) => file.startsWith(join('domain', 'contracts', sep)))
    .filter((file) => /^export (?:async )?function|^export default/m.test(readFileSync(join(SOURCE, file), 'utf8')))
  expect(wrong).toEqual([])
})

test('SQL, the environment and the console each have one home', () => {
  const homes: readonly { pattern: RegExp; home: string; what: string }[] = [
    {
      pattern: /[`'"]\s*(?:SELECT\s|INSERT INTO\s|DELETE FROM\s|UPDATE\s\w+\sSET\s)/,
      home: join('store', 'sqlite'),
      what: 'SQL',
    },
    { pattern: /process\.env/, home: join('doors', 'config', 'options.ts'), what: 'process.env' },
    { pattern: /\bconsole\.\w+\(/, home: join('doors', 'cli'), what: 'console' },
  ]
  const wrong = sources.flatMap((file) => {
    const code = readFileSync(join(SOURCE, file), 'utf8')
    return homes
      .filter(({ pattern, home }) => !file.startsWith(home) && pattern.test(code))
      .map(({ what, home }) => `${file}: ${what} belongs into ${home}`)
  })
  expect(wrong).toEqual([])
})

/** Groups of nodes that reach one another, each a list of at least two. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reached = new Map(
    [...edges.keys()].map((from) => {
      const seen = new Set<string>()
      for (const waiting = [from]; waiting.length > 0; )
        for (const to of edges.get(waiting.pop()!) ?? []) if (!seen.has(to) && seen.add(to)) waiting.push(to)
      return [from, seen] as const
    }),
  )
  const groups = [...reached].filter(([from, seen]) => seen.has(from))
  const named = groups.map(([from, seen]) => [...seen].filter((to) => reached.get(to)?.has(from)).sort())
  return [...new Map(named.map((group) => [group.join(' '), group])).values()]
}

test('no file imports itself by a way round, not even for types', () => {
  expect(cycles(new Map(sources.map((file) => [file, importsOf(file)])))).toEqual([])
})

/** Rooms whose folders do not import one another in a circle; a new circle between folders of any of them fails. */
const LAYERED = ['domain', 'language', 'models', 'notes', 'store', 'usecases']

test('no folder inside a room imports itself by a way round', () => {
  for (const room of LAYERED) {
    const edges = new Map<string, string[]>()
    for (const file of sources.filter((name) => name.startsWith(room + sep))) {
      const folders = edges.get(dirname(file)) ?? []
      folders.push(
        ...importsOf(file)
          .map((target) => dirname(target))
          .filter((target) => target !== dirname(file)),
      )
      edges.set(dirname(file), folders)
    }
    expect(cycles(edges)).toEqual([])
  }
})
