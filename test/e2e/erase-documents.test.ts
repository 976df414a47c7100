/** Deleting is for good, too, for what a user has besides turns and memories: profile, session summaries, jobs. */
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import type { Store } from '../../src/domain/contracts/store.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { cleanUp } from '../../src/usecases/upkeep/rolling-summary.ts'
import { freshDatabase, wordsInFiles } from '../support/folder.ts'
import { oneOf, seeded, wholeNumber } from '../support/random.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const AT = NOW.getTime()
const HAN = '鼬鼯鼷鼹齑龃龠龢麴麂鹾鸲鲥鲴鳜骐骓饕饔颥頫鞲鞯雱阌锝'

/** A word that occurs nowhere else, in Latin letters or in Chinese. */
function marker(random: () => number): string {
  const [letters, length] = random() < 0.5 ? ['bcdfghjklmnpqrstvwxz', 12] : [HAN, 6]
  return Array.from({ length }, () => oneOf(random, [...letters])).join('')
}

function openStore(path: string): Promise<Store> {
  return openSqliteStore({ path, create: true, clock: () => NOW, logger: silentLogger })
}

/** A conversation with a session summary and two jobs about it; the words that name or tell of it. */
async function converse(store: Store, random: () => number, user: string): Promise<{ id: string; words: string[] }> {
  const [id, title, snippet, said] = [marker(random), marker(random), marker(random), marker(random)]
  const turns = [
    {
      role: 'user' as const,
      content: `Let us speak of ${said}.`,
      speaker: null,
      createdAt: AT,
      externalId: null,
      metadata: null,
      isCollected: false,
      symbols: [],
    },
  ]
  await store.log.append(user, [{ conversationId: id, projectRoot: '', turns, think: true }], AT)
  const filler = 'and of the weather '.repeat(wholeNumber(random, 0, 40))
  await store.sessionSummaries.put(user, { conversationId: id, title, snippet: `${filler}${snippet}` }, AT)
  await store.jobs.enqueue(
    user,
    [{ kind: 'reconsolidate', subject: `memory of ${id}`, payload: { conversationId: id, message: said } }],
    AT,
  )
  return { id, words: [id, title, snippet, said] }
}

for (const seed of [17, 71, 4711])
  test(`nothing stays of a deleted conversation's jobs and session summary, whatever became of them (seed ${seed})`, async () => {
    const path = freshDatabase()
    const random = seeded(seed)
    const store = await openStore(path)
    const gone: string[] = []
    const kept: string[] = []
    const said = new Map<string, string>()
    for (let index = 0; index < 60; index += 1) {
      const { id, words } = await converse(store, random, 'one')
      said.set(id, words[3]!)
      const fate = random()
      for (const job of await store.jobs.take(AT, 30_000, 1))
        await (fate < 0.4
          ? store.jobs.complete(job, AT)
          : store.jobs.fail(job, `no answer about ${said.get(job.subject)}`, null))
      if (fate < 0.2) words.push(await edit(store, id, random))
      if (random() < 0.5) kept.push(...words.slice(3, 4))
      else {
        await store.log.remove('one', { kind: 'conversation', conversationId: id })
        gone.push(...words)
      }
    }
    await store.close()
    expect(wordsInFiles(path, gone)).toEqual([])
    expect(new Set(wordsInFiles(path, kept)).size).toBe(kept.length)
  })

async function edit(store: Store, conversationId: string, random: () => number): Promise<string> {
  const title = marker(random)
  await store.sessionSummaries.update('one', conversationId, { title }, AT)
  return title
}

test('nothing stays of a user after deleting all: profile, session summaries, jobs with what they were to add', async () => {
  const path = freshDatabase()
  const random = seeded(5)
  const store = await openStore(path)
  const words: string[] = []
  const others: string[] = []
  for (let index = 0; index < 30; index += 1) {
    words.push(...(await converse(store, random, 'one')).words)
    const [note, line, theirs] = [marker(random), marker(random), marker(random)]
    words.push(note, line)
    others.push(theirs)
    await store.jobs.enqueue('one', [{ kind: 'add', subject: note, payload: { text: `remember ${note}` } }], AT)
    await store.profiles.addLines('one', [{ section: 'background', text: `collects ${line}` }], AT)
    await store.jobs.enqueue('two', [{ kind: 'add', subject: theirs }], AT)
  }
  await store.profiles.addLines('two', [{ section: 'language', text: 'answers in Welsh' }], AT)
  await store.usage.record({
    at: AT,
    userId: 'one',
    step: 'exchange',
    model: 'small',
    calls: 1,
    promptTokens: 9,
    completionTokens: 9,
    cost: null,
  })
  const [running] = await store.jobs.take(AT, 30_000, 1)
  await cleanUp(store, 'one', { kind: 'all' }, AT)
  expect(await store.jobs.complete(running!, AT)).toBe(false)
  expect(await store.statistics('one')).toMatchObject({ conversations: 0, turns: 0, jobs: 0, deadJobs: 0 })
  expect((await store.sessionSummaries.list('one', { limit: 10, offset: 0 })).total).toBe(0)
  expect(await store.usage.summary('one')).toEqual([])
  expect((await store.profiles.get('two')).lines).toHaveLength(1)
  await store.close()
  expect(wordsInFiles(path, words)).toEqual([])
  expect(wordsInFiles(path, others)).toHaveLength(others.length)
})

test('a user who has nothing but a profile and jobs loses them all the same', async () => {
  const path = freshDatabase()
  const store = await openStore(path)
  await store.profiles.setText('one', 'My old flat was in Quexzaltl Street.\n'.repeat(30), AT)
  await store.jobs.enqueue('one', [{ kind: 'add', subject: 'n', payload: '住在鼬鼯鼷鼹路' }], AT)
  await cleanUp(store, 'one', { kind: 'all' }, AT)
  expect(wordsInFiles(path, ['Quexzaltl', '鼬鼯鼷鼹'])).toEqual([])
  await store.close()
})

test('what a user takes out of the profile or a session summary leaves no byte once the store is idle', async () => {
  const path = freshDatabase()
  const store = await openStore(path)
  const random = seeded(9)
  for (let index = 0; index < 40; index += 1) await converse(store, random, 'one')
  const { id } = await converse(store, random, 'one')
  await store.sessionSummaries.put('one', { conversationId: id, title: 'xylophonica', snippet: 'brimborion' }, AT)
  await store.profiles.addLines('one', [{ section: 'background', text: 'afraid of quexzaltl' }], AT)
  await store.profiles.setText('one', 'Nothing to see. 雱阌锝龢 is my word.', AT)
  await store.profiles.setText('one', 'Nothing to see.', AT)
  await store.sessionSummaries.update('one', id, { title: 'A talk' }, AT)
  await store.idle()
  expect(wordsInFiles(path, ['xylophonica', 'quexzaltl', '雱阌锝龢'])).toEqual([])
  expect(wordsInFiles(path, ['brimborion'])).not.toEqual([])
  await store.sessionSummaries.remove('one', id)
  expect(wordsInFiles(path, ['brimborion'])).toEqual([])
  await store.close()
  const database = new DatabaseSync(path, { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})

test('what is overwritten goes from file, log and backups soon, while the store is open and nobody asks', async () => {
  const path = freshDatabase()
  const words = ['xylophonica', 'quexzaltl', '雱阌锝龢']
  const left = await openStore(path)
  const { id } = await converse(left, seeded(10), 'one')
  const overwrite = async (store: Store, title: string, document: string, currentTopic: string) => {
    await store.sessionSummaries.update('one', id, { title }, AT)
    await store.profiles.setText('one', document, AT)
    await store.workingMemory.update('one', id, { currentTopic }, AT, true)
  }
  writeFileSync(`${path}.before-025.bak`, 'quexzaltl')
  for (const times of [1, 2]) {
    await overwrite(left, 'On xylophonica', 'Fears the quexzaltl.', '雱阌锝龢')
    const asked = { userId: 'one', key: `key-${times}`, fingerprint: 'a request' }
    await left.replies.begin(asked, { at: AT, staleBefore: 0, forgetBefore: 0 })
    await left.replies.finish(asked, { status: 201, body: '{"title":"On xylophonica"}', quotes: true })
    expect(wordsInFiles(path, words)).not.toEqual([])
    await overwrite(left, 'A talk', 'Nothing to see.', 'weather')
    await vi.waitFor(() => expect({ times, left: wordsInFiles(path, words) }).toEqual({ times, left: [] }), 60_000)
  }
  await left.close()
})
