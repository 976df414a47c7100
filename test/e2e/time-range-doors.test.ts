/** `time_range` of specification 001 (dates, or words in two languages) at every door that searches: the same is found. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSdk2, type ToolClient } from '../support/mcp-clients.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { emptyFolder, run } from './cli-process.ts'

const cwd = emptyFolder()
const path = join(cwd, 'ranges.db')
const DAY_MS = 86_400_000
let server: RestServer
let client: ToolClient

beforeAll(async () => {
  server = await startRestServer({ path })
  client = await connectSdk2({ url: server.url })
  const at = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
  for (const [text, created_at] of [
    ['The harbour crane was painted orange.', at(7)],
    ['港口的起重机坏了, the harbour crane broke.', '2019-03-02T10:00:00Z'],
  ] as const) {
    await server.ask('POST', '/memory/long-term', { text, created_at })
    await server.ask('POST', '/conversations/c/turns', { turns: [{ role: 'user', content: text, created_at }] })
  }
  await server.memory.idle()
})
afterAll(async () => {
  await client.close()
  await server.close()
})

/** A door's findings for a range, or its complaint, as one text. */
type Search = (range: unknown) => Promise<string>

const rest =
  (route: string, field: string): Search =>
  async (time_range) =>
    (await server.ask('POST', route, { [field]: 'harbour crane', time_range })).text
const command =
  (...words: string[]): Search =>
  async (range) => {
    const text = typeof range === 'string' ? range : JSON.stringify(range)
    const { stdout, stderr } = await run('mneme', [...words, 'harbour crane', '--time-range', text, '--db', path], {
      cwd,
    })
    return stdout + stderr
  }

const DOORS: Readonly<Record<string, Search>> = {
  'POST /memory/search': rest('/memory/search', 'query'),
  'POST /recall': rest('/recall', 'query'),
  'POST /search': rest('/search', 'keyword'),
  'mneme memory search': command('memory', 'search'),
  'mneme recall': command('recall'),
  'mneme search': command('search'),
  'search_memories of MCP': async (time_range) =>
    (await client.call('search_memories', { keyword: 'harbour crane', time_range })).text,
}

describe.each(Object.entries(DOORS))('%s', (name, search) => {
  test.each([['上周'], [{ from: '8 days ago', to: 'yesterday' }]])('%j leaves out what is older', async (range) => {
    // Seven days ago is last week on every day of the week.
    const found = await search(range)
    expect(found).toContain('orange')
    expect(found).not.toContain('broke')
  })

  test.each([['2019'], [{ to: '2019-03-31' }]])('%j leaves out what is newer', async (range) => {
    const found = await search(range)
    expect(found).toContain('broke')
    expect(found).not.toContain('orange')
  })

  test('words that name no time are refused by the name that the door has for them', async () => {
    const field = name.startsWith('mneme') ? '--time-range' : 'time_range'
    expect((await search('soonish')).replaceAll('\\"', '"')).toContain(`${field}: "soonish" names no time`)
    expect(await search({ since: '2019' })).toContain('since: is not known here')
  })
})

test('POST /search looks and does not count; search_memories counts what a model is shown', async () => {
  const used = async () => (await server.memory.getAll({ userId: 'local' })).items.map((one) => one.accessCount)
  const before = await used()
  await server.ask('POST', '/search', { keyword: 'harbour crane' })
  expect(await used()).toEqual(before)
  await server.ask('POST', '/search', { keyword: 'harbour crane', count: true })
  expect(await used()).not.toEqual(before)
})

test('the stories of memories, summaries and working memories come in pages with totals, as every list', async () => {
  const { body } = await server.ask('POST', '/memory/long-term', { text: 'The crane is new.' })
  const id: string = body.results[0].id
  await server.ask('PATCH', `/memory/long-term/${id}`, { text: 'The crane is brand new.' })
  const pageOf = async (route: string) => (await server.ask('GET', `${route}?limit=1`)).body
  expect(await pageOf(`/memory/long-term/${id}/history`)).toMatchObject({
    total: 2,
    limit: 1,
    offset: 0,
    has_more: true,
  })
  const second = (await server.ask('GET', `/memory/long-term/${id}/history?limit=1&offset=1`)).body
  expect(second).toMatchObject({ items: [{ event: 'UPDATE' }], total: 2, has_more: false })
  expect(await pageOf('/memory/working')).toMatchObject({ limit: 1, offset: 0, has_more: false })
  expect(await pageOf('/conversations/c/summaries')).toMatchObject({ items: [], total: 0, has_more: false })
})
