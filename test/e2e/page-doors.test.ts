/**
 * Other calls of the page: what an undo would take, the overview, keys, backups of the memory file, a context without a
 * memory.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startForTest } from '../support/rest-server.ts'
import { emptyFolder } from './cli-process.ts'

test('a preview of an undo names what goes and what comes back, and the undo does just that', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const say = async (conversationId: string, content: string): Promise<void> => {
    await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
    await memory.idle()
  }
  await say('old', 'I live in Porto.')
  await say('new', 'I moved to Ghent last week.')
  const { body } = await ask('GET', '/memory/undo?conversation_id=new')
  expect(body.gone.map(({ text }: { text: string }) => text).join()).toContain('Ghent')
  expect(body.restored.map(({ text }: { text: string }) => text)).toEqual(['I live in Porto.'])
  expect(body.kept).toEqual([])
  expect((await memory.getAll({ includePast: true })).total).toBe(2)
  const done = await ask('POST', '/memory/undo', { conversation_id: 'new' })
  expect(done.body).toMatchObject({ removed: body.gone.length, restored: body.restored.length })
  expect((await memory.getAll({})).items.map(({ text }) => text)).toEqual(['I live in Porto.'])
  expect((await ask('GET', '/memory/undo?conversation_id=new&turn_id=0')).status).toBe(400)
})

test('the overview counts how memories stand, what was kept and refused, and questions that found nothing', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  await memory.conversations.store({
    conversationId: 'c',
    turns: [
      { role: 'user', content: 'My dentist is Dr. Kwan on Mill Road.' },
      { role: 'user', content: 'hello there' },
    ],
  })
  await memory.idle()
  const { results } = await memory.add('我的车是蓝色的。', { infer: false })
  await memory.bury(results[0]!.id)
  await memory.context.build('Which zoo keeps the okapi Mbuti?')
  await memory.context.build('The zookeeper fed the okapi.')
  await memory.context.build('Who is my dentist?', { count: false })
  const { body } = await ask('GET', '/overview')
  expect(body).toMatchObject({ holding: 1, unused: 1, buried: 1, ended: 0, in_doubt: 0, kept: 1, recalls: 2 })
  expect(body.growth).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), memories: 2 }])
  expect(Object.values(body.refused)).toEqual([1])
  expect(body.unanswered).toMatchObject([{ question: 'Which zoo keeps the okapi Mbuti?' }])
  await memory.deleteAll({})
  expect((await ask('GET', '/overview')).body).toMatchObject({
    holding: 0,
    growth: [],
    unanswered: [],
    deleted: [{ at: expect.stringMatching(/Z$/), memories: 2 }],
  })
})

test('a filter by project gives what is told of it alone, however many hold in every project', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const add = async (text: string, projectRoot?: string) => memory.add(text, { infer: false, projectRoot })
  for (const project of ['/srv/归档 项目', '/srv/tide', undefined])
    await add(`${project}: the ferry has a bell.`, project)
  const filtered = async (filters: object): Promise<string[]> => {
    const { body } = await ask('GET', `/memory/long-term?filters=${encodeURIComponent(JSON.stringify(filters))}`)
    const searched = await ask('POST', '/memory/search', { query: 'ferry bell', filters })
    const texts = (rows: { text: string }[]): string[] => rows.map(({ text }) => text.split(':')[0]!).toSorted()
    expect(texts(searched.body.results)).toEqual(texts(body.items))
    expect(body.total).toBe(body.items.length)
    return texts(body.items)
  }
  expect(await filtered({ AND: [{ project_root: '/srv/归档 项目' }] })).toEqual(['/srv/归档 项目'])
  expect(await filtered({ project_root: null })).toEqual(['undefined'])
  expect(await filtered({ NOT: { project_root: '/srv/tide' } })).toEqual(['/srv/归档 项目', 'undefined'])
})

test('several memories are deleted at once, of the user alone, and lines about them leave MEMORY.md', async () => {
  const folder = emptyFolder()
  const { ask, memory } = await startForTest({
    open: { userId: 'local', memoryFile: { path: join(folder, 'MEMORY.md') } },
  })
  const add = async (text: string, userId: string) =>
    (await memory.add(text, { infer: false, importance: 2, userId })).results[0]!.id
  const ids = [
    await add('The oar is in the shed.', 'local'),
    await add('船桨在棚子里。', 'local'),
    await add('The tide.', 'bob'),
  ]
  const kept = await add('The anchor is new.', 'local')
  const { file } = await memory.memoryFile.digest()
  const { body } = await ask('POST', '/memory/delete', { ids: [...ids, ids[0], 'not-there'] })
  expect(body).toEqual({ deleted: 2 })
  expect((await memory.getAll({})).items.map(({ id }) => id)).toEqual([kept])
  expect((await memory.getAll({ userId: 'bob' })).total).toBe(1)
  expect(readFileSync(file, 'utf8')).not.toMatch(/oar|船桨/)
})

test('a memory that is left out is in no context, and nothing else changes', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const { results } = await memory.add('My bicycle is green.', { infer: false })
  const asked = { message: 'What colour is my bicycle?', count: false }
  expect((await ask('POST', '/context', asked)).body.recalled).toHaveLength(1)
  const without = { ...asked, without: [results[0]!.id] }
  expect((await ask('POST', '/context', without)).body.recalled).toEqual([])
  expect((await ask('POST', '/context', { ...asked, without: [''] })).status).toBe(400)
})

test.for([
  ['I drive a Saab.', 'Which car do I drive?', 'Saab', 'I play the viola.'],
  ['我开的是一辆蓝鸟。', '我开什么车？', '蓝鸟', '我会拉中提琴。'],
])('what told a memory is left out with it: %s', async ([told, message, word, other]) => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const answer = { role: 'assistant', content: 'Noted.' } as const
  await memory.conversations.store({ conversationId: 'cars', turns: [{ role: 'user', content: told! }, answer] })
  await memory.conversations.store({ conversationId: 'music', turns: [{ role: 'user', content: other! }] })
  await memory.idle()
  const { items } = await memory.getAll({})
  const idOf = (text: string) => items.find((one) => one.text.includes(text))!.id
  const shown = async (without: readonly string[]) =>
    (await ask('POST', '/context', { message, count: false, without })).body.text as string
  expect(await shown([idOf(other!.slice(-4))])).toContain(word)
  const text = await shown([idOf(word!)])
  expect(text).not.toContain(word)
})

test('as of a day there are the words of then, and a context of it holds nothing that was told later', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const say = async (conversationId: string, content: string, createdAt: string): Promise<void> => {
    await memory.conversations.store({
      conversationId,
      turns: [{ role: 'user', content, createdAt: new Date(createdAt) }],
    })
    await memory.idle()
  }
  await say('old', 'I live in Turku.', '2026-03-01T10:00:00Z')
  await say('new', 'I moved to Umeå last week.', '2026-06-01T10:00:00Z')
  const as_of = '2026-04-01'
  const asked = { message: 'Where do I live?', count: false, as_of }
  const then = (await ask('POST', '/context', asked)).body.text
  expect([then.includes('Turku'), then.includes('Umeå')]).toEqual([true, false])
  expect((await ask('POST', '/context', { ...asked, as_of: '2026-07-01' })).body.text).toContain('Umeå')
  const { items } = (await ask('GET', `/memory/long-term?as_of=${as_of}`)).body
  await memory.update(items[0].id, 'I live in Vaasa.')
  const listed = async (query: string) =>
    (await ask('GET', `/memory/long-term?${query}`)).body.items.map(({ text }: { text: string }) => text)
  expect(await listed(`as_of=${as_of}`)).toEqual(['I live in Turku.'])
  expect(await listed('include_past=true')).toContain('I live in Vaasa.')
  const found = await ask('POST', '/memory/search', { query: 'Where do I live?', as_of })
  expect(found.body.results[0].text).toBe('I live in Turku.')
})

test('of two edits of what was seen at once the second is refused, and another one is made', async () => {
  const { ask, memory } = await startForTest({ open: { userId: 'local' } })
  const { results } = await memory.add('The gate code is 4711.', { infer: false })
  const path = `/memory/long-term/${results[0]!.id}`
  const { updated_at: if_updated_at } = (await ask('GET', path)).body
  const edits = ['4712', '4713', '4714'].map((code) =>
    ask('PATCH', path, { text: `The gate code is ${code}.`, if_updated_at }),
  )
  expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await ask('PATCH', path, { text: 'The gate code is 4715.' })).status).toBe(200)
  expect((await ask('PATCH', path, { if_updated_at })).status).toBe(400)
})

test('a key is made, shown once, asked for from then on, and taken back', async () => {
  const { ask } = await startForTest({ open: { userId: 'local' } })
  expect((await ask('GET', '/keys')).body).toEqual({ items: [] })
  const made = await ask('POST', '/keys', { name: 'page', scope: 'admin' })
  expect([made.status, made.body.user_id]).toEqual([201, null])
  expect((await ask('GET', '/keys')).status).toBe(401)
  const by = { authorization: `Bearer ${made.body.key}`, 'x-user-id': 'local' }
  const list = await ask('GET', '/keys', undefined, by)
  expect([list.body.items.length, list.text.includes(made.body.key)]).toEqual([1, false])
  const reader = (await ask('POST', '/keys', { name: 'reader', scope: 'read' }, by)).body
  expect((await ask('GET', '/keys', undefined, { ...by, authorization: `Bearer ${reader.key}` })).status).toBe(403)
  expect((await ask('DELETE', `/keys/${reader.id}`, undefined, by)).body).toEqual({ id: reader.id, revoked: true })
  expect((await ask('DELETE', `/keys/${reader.id}`, undefined, by)).status).toBe(404)
})

test('a key made for one user is good for that user alone, however its maker is named', async () => {
  const { ask } = await startForTest({ open: { userId: 'local' } })
  const admin = (await ask('POST', '/keys', { name: 'admin', scope: 'admin' })).body.key
  const by = (key: string, user = '') => ({
    authorization: `Bearer ${key}`,
    ...(user === '' ? {} : { 'x-user-id': encodeURIComponent(user) }),
  })
  const made = async (name: string, query: string, body: object, maker = '') =>
    (await ask('POST', `/keys${query}`, { name, ...body }, by(admin, maker))).body
  const keys = [
    await made('one', '', { user_id: '何雨' }),
    await made('two', '', { user_id: '何雨', scope: 'read' }, 'local'),
    await made('three', '?user_id=%E4%BD%95%E9%9B%A8', { scope: 'read' }),
  ]
  for (const { key, user_id } of keys) {
    expect(user_id).toBe('何雨')
    expect((await ask('GET', '/memory/long-term', undefined, by(key))).status).toBe(200)
    expect((await ask('GET', '/memory/long-term', undefined, by(key, 'local'))).status).toBe(403)
    expect((await ask('GET', '/memory/long-term?user_id=local', undefined, by(key))).status).toBe(403)
  }
  const every = await made('every', '', {}, 'local')
  expect([every.user_id, (await ask('GET', '/profile', undefined, by(every.key, '何雨'))).status]).toEqual([null, 200])
  expect((await ask('POST', '/keys', { name: 'x', user_id: '' }, by(admin))).status).toBe(400)
})

test('backups of the memory file are listed newest first and read by name, and no name leads out of their folder', async () => {
  const folder = emptyFolder()
  const { ask, memory } = await startForTest({ path: join(folder, 'm.db'), open: { userId: 'local' } })
  await memory.add('Remember: the meeting is every Tuesday at nine.')
  const { file } = await memory.memoryFile.digest({})
  appendFileSync(file, '\n- Our cat is called Miso.\n')
  const before = readFileSync(file, 'utf8')
  await memory.memoryFile.digest({})
  const { items } = (await ask('GET', '/memory-file/backups')).body
  expect(items.length).toBeGreaterThan(0)
  expect(Date.parse(items[0].kept_at)).toBeGreaterThan(0)
  expect((await ask('GET', `/memory-file/backups/${items[0].name}`)).body.text).toBe(before)
  for (const name of ['..%2Fm.db', 'lock', 'unfinished', '2026-01-01T00-00-00-000Z.md'])
    expect([name, (await ask('GET', `/memory-file/backups/${name}`)).status]).toEqual([name, 404])
})
