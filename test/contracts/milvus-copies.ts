/** A database file and its copy: neither damages what the other has in Milvus. Run against every kind of server. */
import { copyFileSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { rowsSeen } from '../support/milvus-reader.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { bagEmbedder, expectEqualSides, fresh, openWith, SHARED, twoMinutesPass } from './milvus-memory.ts'

const TEXTS = ['The cellar is damp.', '阁楼很干燥。', 'The roof was mended in May.', 'The gate is painted green.']

/** Only what a test says becomes a memory. */
function openFile(server: MilvusServer, path: string, user: string): Promise<OpenMemory> {
  return openWith(server, SHARED, user, { path, thinking: false })
}

/** A closed file with the texts in Milvus, and the ids of its memories. */
async function filed(server: MilvusServer, user: string) {
  const path = freshDatabase()
  const memory = await openFile(server, path, user)
  const ids: string[] = []
  for (const text of TEXTS) ids.push((await memory.add(text, { infer: false })).results[0]!.id)
  await memory.conversations.store({
    conversationId: 'house',
    turns: [{ role: 'user', content: 'The chimney smokes.' }],
  })
  await expectEqualSides(memory)
  await memory.close()
  return { path, ids }
}

function copyOf(path: string): string {
  const copy = freshDatabase()
  copyFileSync(path, copy)
  return copy
}

/** The file alone and Milvus find the same by meaning. */
async function expectFound(memory: OpenMemory, path: string, user: string, texts: readonly string[]): Promise<void> {
  await expectEqualSides(memory)
  expect((await memory.getAll()).items.map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
  // Fresh rows are compared in the file; here Milvus is to answer.
  twoMinutesPass(path)
  await memory.idle()
  const found = async (asked: OpenMemory) => {
    const { results, warnings } = await asked.search('cellar roof gate 阁楼', { ranking: 'associative', limit: 10 })
    const recalled = await asked.conversations.recall('chimney smoke')
    return [warnings, results.map(({ text }) => text), recalled.results.map(({ content }) => content)]
  }
  const alone = await openMemory({ path, userId: user, embedding: bagEmbedder(), thinking: false })
  onTestFinished(() => alone.close())
  const wanted = await found(alone)
  await expect.poll(() => found(memory), { timeout: 20_000 }).toEqual(wanted)
}

/** Runs the cases. */
export function milvusCopyCases(server: () => MilvusServer): void {
  test.each(['the copy', 'the first'] as const)(
    'a copied file: %s is changed first, then the other; neither loses or shows what is the other’s',
    async (first) => {
      const ann = fresh('copied')
      const { path, ids } = await filed(server(), ann)
      const paths = first === 'the copy' ? [copyOf(path), path] : [path, copyOf(path)]
      const one = await openFile(server(), paths[0]!, ann)
      await one.update(ids[0]!, { text: 'The cellar is dry by now.' })
      await one.delete(ids[1]!)
      await one.conversations.store({ conversationId: 'house', turns: [{ role: 'user', content: 'It smoked again.' }] })
      await one.idle()
      const two = await openFile(server(), paths[1]!, ann)
      await two.update(ids[0]!, { text: 'The cellar is flooded by now.' })
      await two.delete(ids[3]!)
      await two.conversations.store({ conversationId: 'house', turns: [{ role: 'user', content: 'No smoke today.' }] })
      await two.idle()
      await expectFound(one, paths[0]!, ann, ['The cellar is dry by now.', TEXTS[2]!, TEXTS[3]!])
      await expectFound(two, paths[1]!, ann, ['The cellar is flooded by now.', TEXTS[1]!, TEXTS[2]!])
      expect(await rowsSeen(server(), SHARED, ann)).toHaveLength(6)
    },
  )

  test('a copy is made of a file in use, and both go on writing in turn', async () => {
    const ann = fresh('copied')
    const { path, ids } = await filed(server(), ann)
    const one = await openFile(server(), path, ann)
    await one.update(ids[2]!, { text: 'The roof leaks again.' })
    await one.idle()
    const backup = freshDatabase()
    const database = new DatabaseSync(path)
    database.prepare('VACUUM INTO ?').run(backup)
    database.close()
    // The right to apply was copied, too.
    twoMinutesPass(backup)
    const two = await openFile(server(), backup, ann)
    for (let at = 0; at < 6; at += 1) {
      await one.update(ids[0]!, { text: `The cellar of the first, day ${at}.` })
      await one.idle()
      await two.update(ids[0]!, { text: `The cellar of the copy, day ${at}.` })
      await two.idle()
    }
    const others = ['The roof leaks again.', TEXTS[1]!, TEXTS[3]!]
    await expectFound(one, path, ann, ['The cellar of the first, day 5.', ...others])
    await expectFound(two, backup, ann, ['The cellar of the copy, day 5.', ...others])
  })

  test('a file that is moved keeps its rows', async () => {
    const ann = fresh('moved')
    const { path } = await filed(server(), ann)
    const before = await rowsSeen(server(), SHARED, ann)
    const moved = freshDatabase()
    renameSync(path, moved)
    const memory = await openFile(server(), moved, ann)
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), SHARED, ann)).toEqual(before)
  })
}
