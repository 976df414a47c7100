/** mem0's own clients, from npm and from PyPI, against our server: every method that has a meaning here, and those without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  MEM0_KINDS,
  type Mem0Client,
  type Mem0Kind,
  type Mem0Process,
  startClients,
  whySkipped,
} from '../support/mem0-clients.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

/** Calls in the words of each client. */
function wordsOf(kind: Mem0Kind) {
  const isNpm = kind === 'npm'
  /** Options by name: the last argument in TypeScript, named arguments in Python. */
  const options = (given: Record<string, unknown>): [readonly unknown[], Record<string, unknown>] =>
    isNpm ? [[Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value]))], {}] : [[], given]
  return {
    /** A call with plain arguments and options. */
    ask: (client: Mem0Client, method: string, plain: readonly unknown[], given: Record<string, unknown> = {}) => {
      const [more, named] = options(given)
      return client.call(
        isNpm ? camel(method) : method,
        Object.keys(given).length === 0 ? plain : [...plain, ...more],
        named,
      )
    },
    /** A name of an answer's field. */
    name: (snake: string) => (isNpm ? camel(snake) : snake),
  }
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** One process for npm's client, one for both of Python's. */
const processes = new Map<string, Mem0Process>()
function processOf(kind: Mem0Kind): Mem0Process {
  const language = kind === 'npm' ? 'npm' : 'python'
  const running = processes.get(language) ?? startClients(kind)
  processes.set(language, running)
  return running
}
afterAll(async () => {
  for (const running of processes.values()) await running.stop()
})

for (const kind of MEM0_KINDS) {
  const reason = whySkipped(kind)
  describe.skipIf(reason !== undefined)(`mem0’s ${kind} client`, () => {
    const { ask, name } = wordsOf(kind)
    const user = `anna-${kind}`
    const filters = { user_id: user }
    let server: RestServer
    let client: Mem0Client

    beforeAll(async () => {
      server = await startRestServer()
      client = processOf(kind).client(kind, `${server.url}/mem0`)
    })
    afterAll(async () => {
      await server.close()
    })

    test('adds messages after thinking, and as they are; other doors see them', async () => {
      const thought = await ask(
        client,
        'add',
        [[{ role: 'user', content: 'I live in Porto and I work as a nurse.' }]],
        {
          user_id: user,
          metadata: { camelCase: 1, snake_case: 2 },
        },
      )
      expect(thought.error).toBeUndefined()
      expect(thought.value.results[0]).toMatchObject({ event: 'ADD', metadata: { event: 'ADD' } })
      // A home and a job are two memories.
      expect(thought.value.results).toHaveLength(2)
      const asIs = await ask(client, 'add', [[{ role: 'user', content: '我每周五下棋。' }]], {
        user_id: user,
        run_id: 'friday',
        agent_id: 'bot',
        infer: false,
      })
      expect(asIs.value.results[0]).toMatchObject({ memory: '我每周五下棋。', event: 'ADD' })
      const { body } = await server.ask('GET', `/memory/long-term/${asIs.value.results[0].id}?user_id=${user}`)
      expect(body).toMatchObject({ text: '我每周五下棋。', conversation_id: 'friday', metadata: { agent_id: 'bot' } })
    })

    test('what another door added is found, and shown with mem0’s names', async () => {
      await server.ask('POST', '/memory/long-term', { text: 'My dentist is Dr. Weber.' }, { 'x-user-id': user })
      const found = await ask(client, 'search', ['Who is the dentist?'], { filters, top_k: 3 })
      expect(found.value.results[0]).toMatchObject({ memory: 'My dentist is Dr. Weber.', [name('user_id')]: user })
      expect(found.value.results[0].score).toBeGreaterThan(0)
      const id = found.value.results[0].id
      const { value } = await ask(client, 'get', [id])
      expect(value).toMatchObject({ id, memory: 'My dentist is Dr. Weber.', [name('run_id')]: null })
      expect(Date.parse(value[name('created_at')])).not.toBeNaN()
    })

    test('lists by pages and by filters, with the user beside or inside AND', async () => {
      const first = await ask(client, 'get_all', [], { filters, page: 1, page_size: 2 })
      expect(first.value).toMatchObject({ count: 4, previous: null })
      expect(first.value.results).toHaveLength(2)
      expect(first.value.next).toContain('page=2')
      const last = await ask(client, 'get_all', [], { filters, page: 2, page_size: 2 })
      expect(last.value.results).toHaveLength(2)
      const ofRun = await ask(client, 'get_all', [], { filters: { AND: [filters, { run_id: 'friday' }] } })
      expect(ofRun.value.results.map(({ memory }: { memory: string }) => memory)).toEqual(['我每周五下棋。'])
      const marked = await ask(client, 'search', ['Porto'], { filters: { ...filters, camelCase: { gte: 1 } } })
      expect(marked.value.results[0].memory).toContain('Porto')
      const others = await ask(client, 'search', ['Porto'], { filters: { user_id: 'somebody else' } })
      expect(others.value.results).toEqual([])
    })

    test('updates text, metadata and expiration; history tells of it', async () => {
      const added = await ask(client, 'add', [[{ role: 'user', content: 'The code of the shed is blue.' }]], {
        user_id: user,
        infer: false,
        metadata: { a: 1 },
      })
      const { id } = added.value.results[0]
      const updated = await ask(client, 'update', [id], { text: 'The code of the shed is green.', metadata: { b: 2 } })
      expect(updated.value).toMatchObject({ memory: 'The code of the shed is green.', metadata: { a: 1, b: 2 } })
      const story = await ask(client, 'history', [id])
      expect(story.value.map((line: { event: string }) => line.event)).toEqual(['ADD', 'UPDATE'])
      expect(story.value[1]).toMatchObject({
        [name('old_memory')]: 'The code of the shed is blue.',
        [name('new_memory')]: 'The code of the shed is green.',
      })
      await ask(client, 'update', [id], { expiration_date: '2020-01-01' })
      const question = { filters, top_k: 50 }
      const hidden = await ask(client, 'search', ['the code of the shed'], question)
      expect(hidden.value.results.map((found: { id: string }) => found.id)).not.toContain(id)
      const shown = await ask(client, 'search', ['the code of the shed'], { ...question, show_expired: true })
      expect(shown.value.results.map((found: { id: string }) => found.id)).toContain(id)
      const back = await ask(client, 'update', [id], { expiration_date: null })
      expect(back.value[name('expiration_date')]).toBeNull()
      const found = await ask(client, 'search', ['the code of the shed'], question)
      expect(found.value.results[0].id).toBe(id)
    })

    test('a missing id is an error, a failed look-up is an error, `*` is an ordinary user id', async () => {
      expect((await ask(client, 'search', ['anything'], { filters: {} })).error).toMatchObject({
        name: 'ValidationError',
        code: 'HTTP_400',
        message: expect.stringContaining('user_id'),
      })
      expect((await ask(client, 'get_all', [], { filters: {} })).error?.name).toBe('ValidationError')
      expect((await ask(client, 'add', [[{ role: 'user', content: 'I sing.' }]])).error?.name).toBe('ValidationError')
      expect((await ask(client, 'delete_all', [])).error?.name).toBe('ValidationError')
      for (const method of ['get', 'delete', 'history'])
        expect((await ask(client, method, ['no-such-memory'])).error).toMatchObject({
          name: 'MemoryNotFoundError',
          code: 'HTTP_404',
        })
      expect((await ask(client, 'search', ['Porto'], { filters: { user_id: '*' } })).value.results).toEqual([])
      const several = { OR: [filters, { user_id: 'ben' }] }
      expect((await ask(client, 'search', ['Porto'], { filters: several })).error?.message).toContain('one user')
      const before = (await ask(client, 'get_all', [], { filters })).value.count
      await ask(client, 'delete_all', [], { user_id: '*' })
      expect((await ask(client, 'get_all', [], { filters })).value.count).toBe(before)
    })

    test('what has no meaning here is an error that says so', async () => {
      expect(
        (await client.call('feedback', kind === 'npm' ? [{ memoryId: 'm', feedback: 'POSITIVE' }] : ['m', 'POSITIVE']))
          .error,
      ).toMatchObject({
        code: 'HTTP_404',
        message: expect.stringContaining('docs/mem0.md'),
      })
      const wish = await ask(client, 'add', [[{ role: 'user', content: 'I sing.' }]], {
        user_id: user,
        custom_instructions: 'only keep songs',
      })
      expect(wish.error).toMatchObject({ name: 'ValidationError', message: expect.stringContaining('infer: false') })
    })

    test('deleting one and all', async () => {
      await server.ask('POST', '/memory/long-term', { text: 'I like rye bread.' }, { 'x-user-id': 'ben' })
      const added = await ask(client, 'add', [[{ role: 'user', content: 'My old car was green.' }]], {
        user_id: user,
        infer: false,
      })
      const { id } = added.value.results[0]
      expect((await ask(client, 'delete', [id])).value.message).toContain('deleted')
      expect((await server.ask('GET', `/memory/long-term/${id}`, undefined, { 'x-user-id': user })).status).toBe(404)
      const ofRun = await ask(client, 'delete_all', [], { user_id: user, run_id: 'friday' })
      expect(ofRun.value).toMatchObject({ deleted: 1 })
      expect((await ask(client, 'delete_all', [], { user_id: user })).error).toBeUndefined()
      expect((await ask(client, 'get_all', [], { filters })).value.count).toBe(0)
      expect((await ask(client, 'get_all', [], { filters: { user_id: 'ben' } })).value.count).toBe(1)
    })
  })

  describe.skipIf(reason !== undefined)(`mem0’s ${kind} client at a server with keys`, () => {
    test('an unknown key, a key of one user, a key that may only read', async () => {
      const server = await startRestServer({ apiKey: 'the-key-of-the-server' })
      try {
        const { ask } = wordsOf(kind)
        const bens = await server.memory.keys.create({ name: 'ben', userId: 'ben', scope: 'write' })
        const reads = await server.memory.keys.create({ name: 'reads', scope: 'read' })
        const host = `${server.url}/mem0`
        const said = [{ role: 'user', content: 'I keep bees.' }]
        const [unknown, ben, reader] = ['wrong', bens.key, reads.key].map((key) =>
          processOf(kind).client(kind, host, key),
        ) as [Mem0Client, Mem0Client, Mem0Client]
        const refused = await ask(unknown, 'add', [said], { user_id: 'ben' })
        expect(refused.error?.message).toMatch(/key is not known/)
        expect((await ask(ben, 'add', [said], { agent_id: 'bot', infer: false })).value.results).toHaveLength(1)
        const ofBen = { filters: { user_id: 'ben' } }
        expect((await ask(ben, 'search', ['bees'], ofBen)).value.results).toHaveLength(1)
        const annas = await ask(ben, 'search', ['bees'], { filters: { user_id: 'anna' } })
        expect(annas.error?.name).toBe('AuthenticationError')
        expect((await ask(reader, 'search', ['bees'], ofBen)).value.results).toHaveLength(1)
        expect((await ask(reader, 'delete_all', [], { user_id: 'ben' })).error?.name).toBe('AuthenticationError')
      } finally {
        await server.close()
      }
    })
  })
}
