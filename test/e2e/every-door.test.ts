/** "What Claude Code learned is there in the chat": what is written through one door is read through every other one. */
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { Memory } from '../../src/doors/mem0/index.ts'
import { connectSdk1, connectSdk2, type ToolClient } from '../support/mcp-clients.ts'
import { MEM0_KINDS, type Mem0Kind, type Mem0Process, startClients, whySkipped } from '../support/mem0-clients.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { answer, emptyFolder } from './cli-process.ts'

const USER = 'ana'
const AS_USER = { 'x-user-id': USER }
const cwd = emptyFolder()
const path = join(cwd, 'doors.db')
let server: RestServer
let overHttp: ToolClient
let overStdio: ToolClient
let vendor: ModelServer
/** mem0's own clients, those that are installed; `node test/support/mem0-clients.ts` installs them. */
const mem0Kinds = MEM0_KINDS.filter((kind) => whySkipped(kind) === undefined)
const mem0Processes = new Map<Mem0Kind, Mem0Process>()

beforeAll(async () => {
  vendor = await startModelServer({ content: 'Noted.' })
  const llm = { provider: 'openai', baseUrl: vendor.url, model: 'scripted', apiKey: 'none' } as const
  // No thinking: each text is to be found as it was written.
  server = await startRestServer({ path, open: { llm, thinking: false } })
  overHttp = await connectSdk2({ url: server.url, headers: AS_USER })
  overStdio = await connectSdk1({ db: path, user: USER })
  for (const kind of mem0Kinds) mem0Processes.set(kind, startClients(kind))
})
afterAll(async () => {
  await Promise.all([overHttp.close(), overStdio.close(), ...[...mem0Processes.values()].map((one) => one.stop())])
  await server.close()
  await vendor.close()
})

/** A door: how a text is remembered through it as it is, and what it finds for a question, as one text. */
interface Door {
  /** Absent where a door remembers what is said in a chat only. */
  readonly write?: (text: string) => Promise<unknown>
  readonly read: (query: string) => Promise<string>
}

const tool = (client: () => ToolClient): Door => ({
  write: (text) => client().call('add_memory', { text, infer: false }),
  read: async (keyword) => (await client().call('search_memories', { keyword })).text,
})

const DOORS: Readonly<Record<string, Door>> = {
  'the library of another process’s memory': {
    write: (text) => withLibrary((memory) => memory.add(text, { infer: false })),
    read: (query) => withLibrary(async (memory) => JSON.stringify(await memory.search(query))),
  },
  REST: {
    write: (text) => server.ask('POST', '/memory/long-term', { text }, AS_USER),
    read: async (query) => (await server.ask('POST', '/memory/search', { query }, AS_USER)).text,
  },
  'the command line': {
    write: (text) => answer('mneme', ['memory', 'add', text, '--no-infer', '--user', USER, '--db', path], { cwd }),
    read: async (query) =>
      JSON.stringify(await answer('mneme', ['memory', 'search', query, '--user', USER, '--db', path], { cwd })),
  },
  'MCP over HTTP': tool(() => overHttp),
  'MCP over stdio': tool(() => overStdio),
  'mem0’s class': {
    write: (text) => withMem0((memory) => memory.add(text, { userId: USER, infer: false })),
    read: (query) => withMem0(async (memory) => JSON.stringify(await memory.search(query, { userId: USER }))),
  },
  'mem0’s routes': {
    write: (text) => server.ask('POST', '/mem0/memories', { messages: text, user_id: USER, infer: false }),
    read: async (query) => (await server.ask('POST', '/mem0/search', { query, user_id: USER })).text,
  },
  ...Object.fromEntries(mem0Kinds.map((kind) => [`mem0’s own client (${kind})`, mem0Door(kind)])),
  'the reference memory server’s tools': {
    write: (text) =>
      overStdio.call('create_entities', { entities: [{ name: text, entityType: 'note', observations: [text] }] }),
    // It shows what it was given itself; of the rest, `fetch` reads what `search` found.
    read: async (query) => {
      const { ids } = await found(query)
      return (await Promise.all(ids.map((id) => overStdio.call('fetch', { id })))).map(({ text }) => text).join()
    },
  },
  'the context of a model': {
    read: async (message) => (await server.ask('POST', '/context', { message }, AS_USER)).text,
  },
  'POST /chat': {
    read: (message) => shownToModel(() => server.ask('POST', '/chat', { message, stream: false }, AS_USER)),
  },
  'OpenAI’s client at /v1': {
    read: (content) =>
      shownToModel(() =>
        openai().chat.completions.create({ model: 'any', user: USER, messages: [{ role: 'user', content }] }),
      ),
  },
  'an export': {
    read: async () => (await server.ask('GET', '/export', undefined, AS_USER)).text,
  },
}

function mem0Door(kind: Mem0Kind): Door {
  const call = async (method: string, first: unknown, options: Readonly<Record<string, unknown>>) => {
    const client = mem0Processes.get(kind)?.client(kind, `${server.url}/mem0`)
    const { value, error } =
      kind === 'npm' ? await client!.call(method, [first, options]) : await client!.call(method, [first], options)
    if (error !== undefined) throw new Error(`${error.name}: ${error.message}`)
    return JSON.stringify(value)
  }
  const filters = { user_id: USER }
  return {
    write: (text) => {
      const messages = [{ role: 'user', content: text }]
      return call('add', messages, kind === 'npm' ? { userId: USER, infer: false } : { user_id: USER, infer: false })
    },
    read: (query) => call('search', query, { filters }),
  }
}

/** The ids that MCP's `search` finds for connectors of chats. */
async function found(query: string): Promise<{ readonly ids: readonly string[] }> {
  const { results } = JSON.parse((await overStdio.call('search', { query })).text)
  return { ids: results.map(({ id }: { id: string }) => id) }
}

const openai = (): OpenAI => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })

/** The messages that the vendor's model got for a call. */
async function shownToModel(ask: () => Promise<unknown>): Promise<string> {
  await ask()
  return JSON.stringify(vendor.requests.at(-1)?.body.messages)
}

async function withLibrary<T>(work: (memory: Awaited<ReturnType<typeof openMemory>>) => Promise<T>): Promise<T> {
  const memory = await openMemory({ path, userId: USER })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

const withMem0 = <T>(work: (memory: Memory) => Promise<T>): Promise<T> => withLibrary((open) => work(new Memory(open)))

const TEXTS = [
  'Ana restores harpsichords in Antwerp.',
  '安娜的自行车是绿色的。',
  'The staging cluster is called quokka.',
  'Ana is allergic to walnuts.',
  '下个月安娜要去敦煌。',
  'Ana keeps her sourdough starter in the cellar.',
  'The tax number ends in 5512.',
  'Ana plays the theremin on Sundays.',
  '安娜把护照放在蓝色抽屉里。',
  'The landlord is called Okonkwo.',
  'Ana waters the orchids with rainwater.',
]
const QUESTIONS = [
  'harpsichords',
  '自行车',
  'quokka',
  'walnuts',
  '敦煌',
  'sourdough',
  '5512',
  'theremin',
  '护照',
  'Okonkwo',
  'orchids',
]
const WRITING = Object.entries(DOORS).flatMap(([name, { write }]) => (write === undefined ? [] : [{ name, write }]))

describe('a memory that is written through one door is found through every other one', () => {
  test.each(WRITING.map(({ name, write }, index) => [name, write, index] as const))('%s', async (_, write, index) => {
    await write(TEXTS[index]!)
    for (const [name, other] of Object.entries(DOORS))
      expect(await other.read(QUESTIONS[index]!), name).toContain(TEXTS[index])
  })
})

describe('what is said in a chat is recalled through every door that recalls', () => {
  const RECALLING: Readonly<Record<string, (query: string) => Promise<string>>> = {
    REST: async (query) => (await server.ask('POST', '/recall', { query }, AS_USER)).text,
    'MCP over HTTP': async (query) => (await overHttp.call('recall', { message: query })).text,
    'MCP over stdio': async (query) => (await overStdio.call('search_memories', { keyword: query })).text,
    'the library': (query) => withLibrary(async (memory) => JSON.stringify(await memory.conversations.recall(query))),
    'the command line': async (query) =>
      JSON.stringify(await answer('memory_recall', ['--query', query, '--user', USER, '--db', path], { cwd })),
    'POST /chat': DOORS['POST /chat']!.read,
    'OpenAI’s client at /v1': DOORS['OpenAI’s client at /v1']!.read,
    'an export': DOORS['an export']!.read,
  }
  const SAYING: Readonly<Record<string, (content: string) => Promise<unknown>>> = {
    'OpenAI’s client at /v1': (content) =>
      openai().chat.completions.create({ model: 'any', user: USER, messages: [{ role: 'user', content }] }),
    'POST /chat': (message) => server.ask('POST', '/chat', { message, stream: false }, AS_USER),
    REST: (content) => server.ask('POST', '/conversations/rest/turns', { turns: [{ role: 'user', content }] }, AS_USER),
    'MCP over stdio': (content) =>
      overStdio.call('store_conversation', { conversation_id: 'mcp', turns: [{ role: 'user', content }] }),
    'the command line': (content) =>
      answer(
        'memory_store',
        ['--conversation', 'shell', '--role', 'user', '--content', content, '--user', USER, '--db', path],
        { cwd },
      ),
  }
  const SAID: readonly (readonly [string, string])[] = [
    ['The spare key hangs behind the barometer.', 'barometer'],
    ['备用钥匙挂在温度计后面。', '温度计'],
    ['The plumber comes on the ninth of May.', 'plumber'],
    ['The router stands in the pantry.', 'pantry'],
    ['猫的疫苗本在书房的抽屉里。', '疫苗本'],
  ]
  test.each(Object.entries(SAYING).map(([name, say], index) => [name, say, SAID[index]!] as const))(
    '%s',
    async (_, say, [text, question]) => {
      await say(text)
      for (const [name, recall] of Object.entries(RECALLING)) expect(await recall(question), name).toContain(text)
    },
  )
})

test('what is deleted through one door is gone from every other one', async () => {
  const { body } = await server.ask('POST', '/memory/search', { query: 'walnuts' }, AS_USER)
  const { id } = body.results.find(({ text }: { text: string }) => text.includes('walnuts'))
  await answer('mneme', ['memory', 'delete', id, '--user', USER, '--db', path], { cwd })
  for (const [name, door] of Object.entries(DOORS)) expect(await door.read('walnuts'), name).not.toContain('walnuts.')
})
