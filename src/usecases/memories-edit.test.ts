/** A plan is written as a whole, or not at all when the memories are no more what it was made from. */
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase, wordsInFiles } from '../../test/support/folder.ts'
import { openMemory } from '../doors/library/index.ts'

async function withTwo() {
  const path = freshDatabase('plans.db')
  const memory = await openMemory({ path, userId: 'ana' })
  onTestFinished(() => memory.close())
  const { results } = await memory.add('The zanzibarium opens at nine.', { infer: false })
  await memory.add('周三去游泳。', { infer: false })
  const texts = async () => (await memory.getAll()).items.map(({ text }) => text).sort()
  return { path, memory, id: results[0]?.id ?? '', texts }
}

test('what a plan adds is there and what it removes is gone, from the file as well', async () => {
  const { path, memory, id, texts } = await withTwo()
  const expectedRevision = await memory.revision()
  const add = [{ text: '周四去游泳。', who: '心怡', tags: ['sport'] }, { text: 'The museum opens at ten.' }]
  expect(await memory.write({ expectedRevision, add, remove: [id, 'mem_unknown'] })).toBe(true)
  expect(await texts()).toEqual(['The museum opens at ten.', '周三去游泳。', '周四去游泳。'])
  expect((await memory.getAll({ filters: { who: '心怡', tag: 'sport' } })).total).toBe(1)
  expect(wordsInFiles(path, ['zanzibarium'])).toEqual([])
})

test('nothing is written when anything was changed since', async () => {
  const { memory, id, texts } = await withTwo()
  const before = await memory.revision()
  await memory.update(id, 'The zanzibarium opens at eight.')
  expect(await memory.write({ expectedRevision: before, add: [{ text: 'New.' }], remove: [id] })).toBe(false)
  expect(await texts()).toEqual(['The zanzibarium opens at eight.', '周三去游泳。'])
})

test('a plan of which one part is wrong is refused as a whole, and the part is named', async () => {
  const { memory, id, texts } = await withTwo()
  const expectedRevision = await memory.revision()
  for (const [plan, says] of [
    [{ add: [{ text: 'Fine.' }, { text: ' ' }], remove: [id] }, /^add\[1\]\.text: is empty/],
    [{ add: [{ text: 'Fine.', infer: false }], remove: [id] }, /^add\[0\]\.infer: is not known here/],
    [{ add: 'Fine.' }, /^add: must be a list/],
    [{ remove: [''] }, /^remove\[0\]: is empty/],
    [{ remove: Array.from({ length: 10_001 }, () => id) }, /^remove: has 10001 items/],
    [{ expectedRevision: 1.5 }, /^expectedRevision: /],
  ] as const)
    await expect(memory.write({ expectedRevision, ...plan } as never)).rejects.toThrow(says)
  expect(await texts()).toHaveLength(2)
})

test.each([
  ['somebody says the words again', (memory: Doubted['memory'], { old }: Doubted) => memory.update(old, OLD)],
  [
    'somebody corrects them',
    (memory: Doubted['memory'], { old }: Doubted) => memory.update(old, 'We use yarn in this repo'),
  ],
  ['what cast it is deleted', (memory: Doubted['memory'], { newer }: Doubted) => memory.delete(newer)],
])('a doubt is lifted when %s', async (_, act) => {
  const { memory } = await withTwo()
  const old = (await memory.add(OLD)).results[0]!.id
  const [added] = (await memory.add('we use pnpm now')).results
  expect(added!.doubted).toEqual([old])
  await act(memory, { memory, old, newer: added!.id })
  expect((await memory.get(old)).suspect).toBeNull()
})

const OLD = 'We use npm in this repo'

interface Doubted extends Pick<Awaited<ReturnType<typeof withTwo>>, 'memory'> {
  readonly old: string
  readonly newer: string
}
