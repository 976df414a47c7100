/** "What Claude Code learned is there in the chat": what is written through one door is read through every other one. */
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/interfaces/library/index.ts'
import { Memory, MemoryClient } from '../../src/interfaces/mem0/index.ts'
import { connectSdk1, connectSdk2, type ToolClient } from '../support/mcp-clients.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { answer, emptyFolder } from './cli-process.ts'

const USER = 'ana'
const AS_USER = { 'x-user-id': USER }
const cwd = emptyFolder()
const path = join(cwd, 'doors.db')
let server: RestServer
let overHttp: ToolClient
let overStdio: ToolClient

beforeAll(async () => {
  server = await startRestServer({ path })
  overHttp = await connectSdk2({ url: server.url, headers: AS_USER })
  overStdio = await connectSdk1({ db: path, user: USER })
})
afterAll(async () => {
  await Promise.all([overHttp.close(), overStdio.close()])
  await server.close()
})

/** A door: how a text is remembered through it as it is, and what it finds for a question, as one text. */
interface Door {
  readonly write: (text: string) => Promise<unknown>
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
  'mem0’s client against /mem0': {
    write: (text) => client().add([{ role: 'user', content: text }], { userId: USER, infer: false }),
    read: async (query) => JSON.stringify(await client().search(query, { userId: USER })),
  },
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
const client = (): MemoryClient => new MemoryClient({ host: `${server.url}/mem0`, apiKey: 'none' })

const TEXTS = [
  'Ana restores harpsichords in Antwerp.',
  '安娜的自行车是绿色的。',
  'The staging cluster is called quokka.',
  'Ana is allergic to walnuts.',
  '下个月安娜要去敦煌。',
  'Ana keeps her sourdough starter in the cellar.',
  'The tax number ends in 5512.',
]
const QUESTIONS = ['harpsichords', '自行车', 'quokka', 'walnuts', '敦煌', 'sourdough', '5512']

describe('a memory that is written through one door is found through every other one', () => {
  test.each(Object.entries(DOORS).map(([name, door], index) => [name, door, index] as const))(
    '%s',
    async (_, door, index) => {
      await door.write(TEXTS[index] ?? '')
      for (const [name, other] of Object.entries(DOORS))
        expect(await other.read(QUESTIONS[index] ?? ''), name).toContain(TEXTS[index])
    },
  )
})

test('what is said in a chat through OpenAI’s client is recalled through every door that recalls', async () => {
  const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const said = 'The spare key hangs behind the barometer.'
  // No model is configured: the answer is an error, and the message is stored all the same.
  const messages = [{ role: 'user' as const, content: said }]
  await expect(openai.chat.completions.create({ model: 'any', user: USER, messages })).rejects.toThrow()
  expect((await server.ask('POST', '/recall', { query: 'barometer' }, AS_USER)).text).toContain(said)
  expect((await overStdio.call('recall', { query: 'barometer' })).text).toContain(said)
  expect(await withLibrary(async (memory) => JSON.stringify(await memory.conversations.recall('barometer')))).toContain(
    said,
  )
  const flags = ['--query', 'barometer', '--user', USER, '--db', path]
  expect(JSON.stringify(await answer('memory_recall', flags, { cwd }))).toContain(said)
})

test('what is deleted through one door is gone from every other one', async () => {
  const { body } = await server.ask('POST', '/memory/search', { query: 'walnuts' }, AS_USER)
  const { id } = body.results.find(({ text }: { text: string }) => text.includes('walnuts'))
  await answer('mneme', ['memory', 'delete', id, '--user', USER, '--db', path], { cwd })
  for (const [name, door] of Object.entries(DOORS)) expect(await door.read('walnuts'), name).not.toContain('walnuts.')
})
