/**
 * Both spellings are taken by every method of `Memory` and of our `MemoryClient`: by the types, which `npm run types`
 * checks here, and when they are called. What is refused says which field is at fault.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { ClientError, Memory, MemoryClient } from '../../src/doors/mem0/index.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

let server: RestServer
let client: MemoryClient
let memory: Memory
let close: () => Promise<void>
beforeAll(async () => {
  server = await startRestServer()
  client = new MemoryClient({ host: server.url })
  const open = await openMemory({ path: ':memory:' })
  close = () => open.close()
  memory = new Memory(open)
})
afterAll(async () => {
  await server.close()
  await close()
})

test('Memory takes snake_case as it takes camelCase', async () => {
  const idOf = async (text: string, more: object = {}): Promise<string> =>
    (await memory.add(text, { user_id: 'anna', infer: false, ...more })).results[0]?.id ?? ''
  const id = await idOf('Tea at four.', { expiration_date: '2090-01-01', async_mode: true })
  await memory.update(id, { text: '四点喝茶。', expiration_date: '2091-01-01', user_id: 'anna' })
  expect(await memory.get(id, { user_id: 'anna' })).toMatchObject({
    memory: '四点喝茶。',
    expirationDate: '2091-01-01',
  })
  expect(await memory.history(id, { user_id: 'anna' })).toHaveLength(2)
  await memory.update(id, { data: 'Tea at five.', text: 'Tea at five.', userId: 'anna', expirationDate: null })
  expect(await memory.get(id, { userId: 'anna' })).toMatchObject({ memory: 'Tea at five.', expirationDate: null })
  const found = await memory.search('tea', { user_id: 'anna', top_k: 3, latest_only: false, reveal_secrets: true })
  expect(found.results).toHaveLength(1)
  expect((await memory.getAll({ user_id: 'anna', page_size: 3, start_date: '2020-01-01' })).results).toHaveLength(1)
  await memory.delete(id, { delete_linked: true, user_id: 'anna' })
  await memory.delete(await idOf('Tea at six.'), { deleteLinked: true, userId: 'anna' })
  await idOf('Tea at seven.', { agent_id: 'cook' })
  expect(await memory.deleteAll({ user_id: 'anna', agent_id: 'cook' })).toMatchObject({ deleted: 1 })
})

test('MemoryClient takes snake_case as it takes camelCase', async () => {
  const idOf = async (text: string): Promise<string> =>
    (await client.add(text, { user_id: 'ben', infer: false })).results[0]?.id ?? ''
  const ids = [await idOf('The boat is red.'), await idOf('船是红色的。')] as const
  await client.update(ids[0], { text: 'The boat is blue.', expiration_date: '2090-01-01', user_id: 'ben' })
  await client.batchUpdate([
    { memory_id: ids[0], text: 'The boat is green.', expiration_date: null },
    { memoryId: ids[1], metadata: { a: 1 }, expirationDate: '2091-01-01' },
  ])
  expect(await client.get(ids[0])).toMatchObject({ memory: 'The boat is green.', expirationDate: null })
  expect(await client.get(ids[1])).toMatchObject({ metadata: { a: 1 }, expirationDate: '2091-01-01' })
  expect((await client.users({ page: 1, page_size: 1 })).results).toHaveLength(1)
  expect(await client.getProfile({ entity_id: 'ben' })).toMatchObject({ status: 'insufficient_data' })
  await client.batchDelete([{ memory_id: ids[0] }, ids[1]])
  expect(await client.getAll({ user_id: 'ben', page_size: 5 })).toMatchObject({ count: 0 })
  const again = [await idOf('The oar is long.'), await idOf('The sail is white.')] as const
  await client.delete(again[0], { delete_linked: true, user_id: 'ben' })
  await client.batchDelete([{ memoryId: again[1] }])
})

test('the types know how options are spelt', () => {
  const never = async (): Promise<void> => {
    // @ts-expect-error no such option
    await memory.delete('id', { delete_lined: true })
    // @ts-expect-error no such option
    await memory.update('id', { text: 'a', expirationDay: '2090-01-01' })
    // @ts-expect-error a day is text
    await memory.add('a', { user_id: 'anna', expiration_date: 5 })
    // @ts-expect-error a part names its memory
    await client.batchUpdate([{ text: 'a' }])
    // @ts-expect-error a profile is somebody's
    await client.getProfile({})
  }
  expect(never).toBeTypeOf('function')
})

describe('MemoryClient refuses', () => {
  const round: Record<string, unknown> = {}
  round.self = round
  const any = (value: unknown): never => value as never
  test.each<[string, () => Promise<unknown>, Partial<ClientError>]>([
    ['get without an id', () => client.get(any(undefined)), { field: 'memoryId', status: 400 }],
    ['get of an empty id', () => client.get(''), { field: 'memoryId', status: 400 }],
    ['history without an id', () => client.history(any(undefined)), { field: 'memoryId' }],
    ['update without an id', () => client.update(any(undefined), 'x'), { field: 'memoryId' }],
    ['update without a change', () => client.update('x', any(undefined)), { field: 'text' }],
    ['update by a number', () => client.update('x', any(5)), { field: 'options' }],
    ['delete without an id', () => client.delete(any(undefined)), { field: 'memoryId' }],
    ['delete of a dot', () => client.delete('.', { userId: 'cleo' }), { field: 'memoryId' }],
    ['delete of two dots', () => client.delete('..'), { field: 'memoryId' }],
    ['deleteAll of nobody', () => client.deleteAll(), { field: 'user_id' }],
    ['deleteUsers of nobody', () => client.deleteUsers({}), { field: 'user_id' }],
    ['getProfile of nobody', () => client.getProfile(any({})), { field: 'entityId' }],
    ['getProfile without options', () => client.getProfile(any(undefined)), { field: 'entityId' }],
    ['batchUpdate by a text', () => client.batchUpdate(any('x')), { field: 'memories', status: 400 }],
    ['batchUpdate of nothing', () => client.batchUpdate(any(undefined)), { field: 'memories' }],
    ['batchUpdate without an id', () => client.batchUpdate([any({ text: 'x' })]), { field: 'memories[0].memory_id' }],
    ['batchDelete without an id', () => client.batchDelete([any(undefined)]), { field: 'memories[0]' }],
    ['add of nothing', () => client.add(any(undefined), { userId: 'cleo' }), { field: 'messages' }],
    ['add of a circle', () => client.add('x', { userId: 'cleo', metadata: round }), { field: 'options' }],
    ['add by rules', () => client.add('x', { prompt: 'x' }), { field: 'prompt', status: 422, code: 'unsupported' }],
    ['search for nothing', () => client.search(any(undefined), { userId: 'cleo' }), { field: 'query' }],
    ['search with a text', () => client.search('x', any('cleo')), { field: 'options' }],
    ['getAll of an unknown option', () => client.getAll({ userId: 'cleo', colour: 1 }), { field: 'colour' }],
    ['users of page 0', () => client.users({ page: 0 }), { field: 'page' }],
  ])('%s with a ClientError that names the field', async (_, ask, expected) => {
    const error: unknown = await ask().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_input',
      remedy: expect.stringMatching(/.../),
      ...expected,
    })
    expect((error as ClientError).message).toContain(expected.field)
  })

  test.each([
    [null, 'options'],
    ['x', 'options'],
    [{ host: 5 }, 'host'],
    [{ host: 'ftp://x' }, 'host'],
    [{ apiKey: 5 }, 'apiKey'],
    [{ apiKey: 'a\nb' }, 'apiKey'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ organizationId: 'x' }, 'organizationId'],
  ])('to be made of %o', (options, field) => {
    expect(() => new MemoryClient(options as never)).toThrow(
      expect.objectContaining({ name: 'ClientError', status: 400, field, message: expect.stringContaining(field) }),
    )
  })
})
