import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { openMemory } from '../../doors/library/index.ts'

async function withOneMemory() {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'kim' })
  onTestFinished(() => memory.close())
  const { results } = await memory.add('The harbour office opens at nine.', { infer: false })
  /** What writes without this program, as one from before or a person's tool. */
  const other = (statement: string): void => {
    const database = new DatabaseSync(path)
    database.exec(statement)
    database.close()
  }
  const wrong = async () =>
    (await memory.maintenance.verify()).filter(({ ok }) => !ok).map(({ check, detail }) => `${check} ${detail}`)
  return { memory, id: results[0]!.id, other, wrong }
}

test('what another program writes is no damage, and is checked again once this one has written it', async () => {
  const { memory, id, other, wrong } = await withOneMemory()
  other(`UPDATE memories SET text = 'The harbour office opens at eight.'`)
  expect(await wrong()).toEqual([])
  await memory.update(id, { text: 'The harbour office opens at ten.' })
  other(`UPDATE memories SET text = 'The harbour office opens at twn.', words_check = words_check + 1 - 1`)
  expect(await wrong()).toEqual([])
  await memory.update(id, { text: 'The harbour office opens at ten.' })
  other(`DROP TRIGGER memories_unchecked; UPDATE memories SET text = 'The harbour office opens at twn.'`)
  expect(await wrong()).toEqual([`words damaged: memory ${id} (1 in all)`])
})

test('damaged words stay known as such while other fields are written, until they are written themselves', async () => {
  const { memory, id, other, wrong } = await withOneMemory()
  other(`UPDATE memories SET text = 'The harbour office opens at nane.', words_check = words_check + 1`)
  for (const validTo of ['2031-01-01T00:00:00.000Z', '2032-01-01T00:00:00.000Z']) {
    await memory.update(id, { validTo })
    expect(await wrong()).toEqual([`words damaged: memory ${id} (1 in all)`])
  }
  await memory.update(id, { text: 'The harbour office opens at nine.' })
  expect(await wrong()).toEqual([])
})
