/** `mneme memory …`: long-term memories from a shell. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

/** Stores the text as it is. */
async function add(cwd: string, text: string, ...flags: string[]): Promise<string> {
  const { results } = await answer('mneme', ['memory', 'add', '--no-infer', text, ...flags], { cwd })
  return String(objects(results)[0]?.id)
}

test('a memory is added, found, shown, changed with a history, and deleted', async () => {
  const cwd = emptyFolder()
  const id = await add(
    cwd,
    '用户喜欢绿茶',
    '--category',
    'preference',
    '--key',
    'drink',
    '--value',
    '"绿茶"',
    '--tags',
    'home, 茶,',
  )
  await add(cwd, 'The user works in Lisbon.', '--who', 'user')
  const found = objects((await answer('mneme', ['memory', 'search', '喜欢喝什么茶'], { cwd })).results)
  expect(found[0]).toMatchObject({
    id,
    text: '用户喜欢绿茶',
    category: 'preference',
    key: 'drink',
    value: '绿茶',
    tags: ['home', '茶'],
  })
  expect(found[0]?.score).toBeTypeOf('number')

  const edited = await answer('mneme', ['memory', 'edit', id, '--text', '用户现在喜欢乌龙茶', '--confidence', '0.8'], {
    cwd,
  })
  expect(edited).toMatchObject({ id, text: '用户现在喜欢乌龙茶', confidence: 0.8, category: 'preference' })
  expect(await answer('mneme', ['memory', 'show', id], { cwd })).toEqual(edited)
  const story = objects((await answer('mneme', ['memory', 'history', id], { cwd })).items)
  expect(story.map(({ event, new_text }) => [event, new_text])).toEqual([
    ['ADD', '用户喜欢绿茶'],
    ['UPDATE', '用户现在喜欢乌龙茶'],
  ])

  expect(await answer('mneme', ['memory', 'delete', id], { cwd })).toEqual({ id, deleted: true })
  const gone = await run('mneme', ['memory', 'show', id], { cwd })
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining(id)])
})

test('lists are filtered and paged, and --all deletes only with --yes', async () => {
  const cwd = emptyFolder()
  await add(cwd, 'Likes jazz.', '--category', 'preference')
  await add(cwd, '喜欢爬山', '--category', 'preference')
  await add(cwd, 'Lives in Porto.')
  const list = await answer('mneme', ['memory', 'list', '--category', 'preference', '--limit', '1'], { cwd })
  expect(list).toMatchObject({ total: 2, limit: 1, offset: 0, has_more: true })
  expect((await run('mneme', ['memory', 'delete', '--all'], { cwd })).code).toBe(2)
  expect(await answer('mneme', ['memory', 'delete', '--all', '--yes'], { cwd })).toEqual({ deleted: 3 })
  expect(await answer('mneme', ['memory', 'list'], { cwd })).toMatchObject({ items: [], total: 0 })
})

test('a memory with the same external id is stored once', async () => {
  const cwd = emptyFolder()
  const id = await add(cwd, 'Has two cats.', '--external-id', 'm1')
  const again = ['memory', 'add', '--no-infer', 'Has two cats.', '--external-id', 'm1']
  expect(await answer('mneme', again, { cwd })).toMatchObject({ results: [{ id, event: 'NONE' }] })
})

test.each<[string, string[], RegExp]>([
  ['an empty text', ['add', ''], /<text>: is empty/],
  ['no text', ['add'], /missing required argument 'text'/],
  ['an unknown category', ['add', 'x', '--category', 'mood'], /--category: "mood" is not known/],
  ['a confidence above 1', ['add', 'x', '--confidence', '1.5'], /--confidence: 1\.5/],
  ['an importance of 4', ['add', 'x', '--importance', '4'], /--importance: 4/],
  ['an importance in hexadecimal', ['add', 'x', '--importance', '0x2'], /--importance: "0x2" is not a whole number/],
  ['metadata that are no JSON', ['add', 'x', '--metadata', 'tea'], /--metadata: is not JSON/],
  ['metadata that are no object', ['add', 'x', '--metadata', '[1]'], /--metadata: is not an object/],
  ['a value that is no JSON', ['add', 'x', '--value', '{bad'], /--value: is not JSON/],
  ['a bad date', ['add', 'x', '--created-at', '昨天'], /--created-at/],
  ['a deletion of nothing', ['delete'], /is not told what to delete/],
  ['a deletion of one and all', ['delete', 'x', '--all'], /more than one thing/],
])('%s is refused and nothing is created', async (_, words, field) => {
  const cwd = emptyFolder()
  const { code, stdout, stderr } = await run('mneme', ['memory', ...words], { cwd })
  expect(stderr).toMatch(field)
  expect([code, stdout]).toEqual([2, ''])
  expect(readdirSync(cwd)).toEqual([])
})

test.each([['show'], ['history'], ['delete'], ['edit']])('%s of an id that does not exist is refused', async (what) => {
  const cwd = emptyFolder()
  await add(cwd, 'Something else.')
  const words = what === 'edit' ? ['--text', 'x'] : []
  const { code, stderr } = await run('mneme', ['memory', what, 'no-such-id', ...words], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/"no-such-id".*\nremedy: /)])
})
