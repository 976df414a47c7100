/** Two projects of one user: each knows its own facts only, both know the user, and every door can be bound to one. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { connectSdk1 } from '../support/mcp-clients.ts'
import { startForTest } from '../support/rest-server.ts'
import { answer, emptyFolder, objects } from './cli-process.ts'

interface Said {
  readonly project: string
  readonly text: string
}
interface Example {
  readonly facts: readonly [Said, Said]
  /** About the user, said in the second project. */
  readonly personal: string
  readonly question: string
  readonly personalQuestion: string
}

const ENGLISH: Example = {
  facts: [
    { project: '/shop', text: 'The database is Postgres 16 and the server listens on port 4010.' },
    { project: '/blog', text: 'The database is SQLite and the server listens on port 9090.' },
  ],
  personal: "By the way, I'm allergic to peanuts.",
  question: 'Which port does the server listen on?',
  personalQuestion: 'What am I allergic to?',
}
/** Other names, the other language, the other order. */
const CHINESE: Example = {
  facts: [
    { project: '/home/wu/游记', text: '数据库用的是 SQLite，服务监听 7002 端口。' },
    { project: '/home/wu/记账', text: '数据库用的是 MySQL 8，服务监听 7001 端口。' },
  ],
  personal: '对了，我对芒果过敏。',
  question: '服务监听哪个端口？',
  personalQuestion: '我对什么过敏？',
}

test.each([
  ['English', ENGLISH],
  ['Chinese', CHINESE],
])('library, %s: facts of a project hold there, all at once and each in its own', async (_, example) => {
  const memory = await openMemory({ path: ':memory:', userId: 'wu' })
  onTestFinished(() => memory.close())
  const { facts, personal, question, personalQuestion } = example
  for (const [at, { project, text }] of facts.entries())
    await memory.conversations.store({
      conversationId: `c${at}`,
      projectRoot: project,
      turns: [{ role: 'user', content: text }],
    })
  await memory.conversations.store({
    conversationId: 'c1',
    projectRoot: facts[1].project,
    turns: [{ role: 'user', content: personal }],
  })
  await memory.idle()

  const all = (await memory.getAll()).items
  const ofProjects = all.filter(({ projectRoot }) => projectRoot !== null)
  // Nothing ended, nothing in doubt: they never met.
  expect(all.filter(({ validTo, suspect }) => validTo !== null || suspect !== null)).toEqual([])
  expect(new Set(ofProjects.map(({ projectRoot }) => projectRoot))).toEqual(
    new Set(facts.map(({ project }) => project)),
  )
  expect(all.filter(({ projectRoot }) => projectRoot === null).map(({ text }) => text)).toEqual([
    expect.stringContaining(personal.includes('peanuts') ? 'peanuts' : '芒果'),
  ])

  for (const [at, { project }] of facts.entries()) {
    const other = facts[1 - at]!.project
    // A path inside is as good as the root.
    for (const projectRoot of [project, `${project}/src/main`]) {
      const found = (await memory.search(question, { projectRoot })).results
      expect(found.length).toBeGreaterThan(0)
      expect(found.every((one) => one.projectRoot === project || one.projectRoot === null)).toBe(true)
      const recalled = (await memory.recall(question, { projectRoot })).results
      expect(recalled.length).toBeGreaterThan(0)
      expect(recalled.map((one) => one.projectRoot)).not.toContain(other)
      const { text } = await memory.context.build(question, { projectRoot })
      expect(text).toContain(facts[at]!.text)
      expect(text).not.toContain(facts[1 - at]!.text)
      expect(JSON.stringify((await memory.recall(personalQuestion, { projectRoot })).results)).toMatch(/peanuts|芒果/)
      expect((await memory.search(personalQuestion, { projectRoot })).results[0]?.text).toMatch(/peanuts|芒果/)
      const listed = (await memory.getAll({ projectRoot })).items.map((one) => one.projectRoot)
      expect(new Set(listed)).toEqual(new Set([project, null]))
    }
  }
  // Without a project: all, each with its own.
  const found = (await memory.search(question)).results.map(({ projectRoot }) => projectRoot)
  for (const { project } of facts) expect(found).toContain(project)
  const { text } = await memory.context.build(question)
  for (const { project } of facts) expect(text).toContain(project)

  // A new value ends the old one where it was said, and nowhere else.
  const news = example === ENGLISH ? 'We moved the server to port 5050.' : '服务端口改成了 5050。'
  await memory.conversations.store({
    conversationId: 'c0',
    projectRoot: facts[0].project,
    turns: [{ role: 'user', content: news }],
  })
  await memory.idle()
  const others = (await memory.getAll({ includePast: true, filters: { projectRoot: facts[1].project } })).items
  expect(others.filter(({ validTo, suspect }) => validTo !== null || suspect !== null)).toEqual([])
})

test('a text that is added takes the project it is said in, unless it is about the user', async () => {
  const memory = await openMemory({ path: ':memory:', userId: 'wu' })
  onTestFinished(() => memory.close())
  const add = async (text: string, said: object) => {
    const { results } = await memory.add(text, said)
    return (await memory.get(results[0]!.id)).projectRoot
  }
  expect(await add('The API listens on port 4010.', { projectRoot: '/shop' })).toBe('/shop')
  expect(await add('Our tests run with vitest.', { projectRoot: '/shop/src' })).toBe('/shop')
  expect(await add('The API listens on port 4010.', { projectRoot: '/blog' })).toBe('/blog')
  expect(await add("I'm allergic to peanuts.", { projectRoot: '/shop' })).toBeNull()
  expect(await add('我对芒果过敏', { projectRoot: '/blog', infer: false })).toBeNull()
  expect(await add('缓存用的是 Redis', { projectRoot: '/blog', infer: false })).toBe('/blog')
  const said = { projectRoot: '/shop', key: 'port', value: 4011, metadata: { from: 'me' } }
  expect(await add('Port 4011', said)).toBe('/shop')
  expect(await add('The API listens on port 4012.', {})).toBeNull()
  expect((await memory.getAll({ filters: { projectRoot: '/blog' } })).total).toBe(2)
  await memory.conversations.store({
    conversationId: 'c',
    projectRoot: '/pay',
    turns: [{ role: 'user', content: 'ok' }],
  })
  expect(await add('Stripe handles the payments.', { conversationId: 'c' })).toBe('/pay')
})

test('REST, MCP: project_root goes in and comes out', async () => {
  const path = join(emptyFolder(), 'projects.db')
  const { memory, ask } = await startForTest({ path })
  const user = { 'x-user-id': 'wu' }
  for (const [at, { project, text }] of ENGLISH.facts.entries())
    await ask(
      'POST',
      `/conversations/c${at}/turns`,
      { project_root: project, turns: [{ role: 'user', content: text }] },
      user,
    )
  await memory.idle()
  await ask('POST', '/memory/long-term', { text: ENGLISH.personal, project_root: '/blog' }, user)
  const roots = (list: readonly { readonly project_root: string | null }[]) =>
    [...new Set(list.map(({ project_root }) => project_root))].sort()
  const query = ENGLISH.question
  const search = async (body: object) => (await ask('POST', '/memory/search', { query, ...body }, user)).body.results
  expect(roots(await search({ project_root: '/shop/src' }))).toEqual(['/shop'])
  expect(roots(await search({}))).toEqual(['/blog', '/shop'])
  const list = async (root: string) =>
    (await ask('GET', `/memory/long-term?project_root=${encodeURIComponent(root)}`, undefined, user)).body.items
  expect(roots(await list('/blog'))).toEqual(['/blog', null])
  const asked = { query, kinds: ['turn', 'memory'], project_root: '/blog' }
  expect(roots((await ask('POST', '/recall', asked, user)).body.results)).not.toContain('/shop')
  const context = await ask('POST', '/context', { message: query, project_root: '/blog' }, user)
  expect(context.body.text).toContain('9090')
  expect(context.body.text).not.toContain('4010')
  const [mine] = await list('/nowhere')
  expect(mine).toMatchObject({ text: ENGLISH.personal, project_root: null })
  const moved = await ask('PATCH', `/memory/long-term/${mine.id}`, { project_root: '/shop' }, user)
  expect([moved.status, await list('/nowhere')]).toEqual([200, []])
  const bad = await ask('POST', '/memory/search', { query, project_root: 7 }, user)
  expect([bad.status, bad.text]).toEqual([400, expect.stringContaining('project_root')])

  const mcp = await connectSdk1({ db: path, user: 'wu' })
  onTestFinished(() => mcp.close())
  const told = JSON.stringify(await mcp.call('get_memories', { project_root: '/blog' }))
  expect(told).toContain('9090')
  expect(told).not.toContain('4010')
})

test('CLI: --project bounds memories, ask and context, and only when it is given', async () => {
  const cwd = emptyFolder()
  for (const [at, { project, text }] of CHINESE.facts.entries())
    await answer(
      'mneme',
      ['store', '--conversation', `c${at}`, '--role', 'user', '--content', text, '--project', project],
      { cwd },
    )
  const [first, second] = CHINESE.facts
  await answer('mneme', ['memory', 'add', CHINESE.personal, '--project', second.project], { cwd })
  const texts = async (...words: string[]) =>
    objects(Object.values(await answer('mneme', words, { cwd })).find(Array.isArray)).map(({ text }) => String(text))
  const inFirst = ['--project', `${first.project}/src`]
  expect((await texts('memory', 'list')).length).toBe(3)
  expect((await texts('memory', 'list', ...inFirst)).join()).not.toContain('7001')
  expect((await texts('memory', 'search', CHINESE.question, ...inFirst)).join()).toMatch(/7002/)
  expect((await texts('memory', 'search', CHINESE.question, ...inFirst)).join()).not.toMatch(/7001/)
  expect((await texts('ask', CHINESE.personalQuestion, ...inFirst)).join()).toContain('芒果')
  expect((await texts('ask', CHINESE.question, ...inFirst)).join()).not.toContain('7001')
  const context = await answer('mneme', ['context', CHINESE.question, ...inFirst], { cwd })
  expect(String(context.text)).toContain('7002')
  expect(String(context.text)).not.toContain('7001')
})
