/** 001: what was said, titles and the live state can be edited and deleted, and everything that was made of them follows. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase, wordsInFiles } from '../support/folder.ts'
import { startForTest } from '../support/rest-server.ts'
import { byPhrase, exchangeReply, MINUTE, openThinking, THINKERS, tell } from '../support/thinking-memory.ts'
import { answer, emptyFolder } from './cli-process.ts'

/** Words that only the second turn of the talk says, and what stays. */
const OLD = ['zanzibarium', '鼬鼯鼷鼹']
const talk = [
  'I work as a gardener in Lisbon, and my dog Biscuit is allergic to chicken.',
  'Good to know.',
  'I keep my boat at the Zanzibarium quay, and processZanzibarium() fails in src/zanzibarium.ts. 我住在鼬鼯鼷鼹路。',
  'Noted, Zanzibarium it is.',
  ...['How deep is the harbour?', 'Nine metres.', 'And the tide?', 'Two metres.', 'Who keeps the light?', 'Nobody.'],
  ...['I moved my office to Porto in May.', 'Congratulations.'],
]
const SCRIPT = byPhrase({
  quay: {
    records: [{ text: 'The user keeps a boat at the Zanzibarium quay.', who: 'user' }],
    profile: [{ section: 'background', text: 'Keeps a boat at the Zanzibarium quay' }],
    topic: 'Zanzibarium quay',
    variables: { quay: 'Zanzibarium' },
  },
  Biscuit: { records: [{ text: 'The dog Biscuit is allergic to chicken.', who: 'Biscuit' }] },
  mooring: { records: [{ text: 'The user keeps a boat at the Peniche mooring.', who: 'user' }], topic: 'mooring' },
})

test.each(THINKERS.flatMap((by) => (['edited', 'deleted'] as const).map((way) => [way, by] as const)))(
  'the words of a turn that is %s are nowhere any more (thinking by %s)',
  async (way, by) => {
    const { memory, path, pass } = await openThinking(by, { script: SCRIPT })
    await tell(memory, 'boat', ...talk)
    await memory.idle()
    await memory.memoryFile.digest()
    expect(wordsInFiles(path, OLD)).not.toEqual([])
    expect(JSON.stringify(await memory.getAll())).toMatch(/Zanzibarium/)
    const turn = { conversationId: 'boat', turnId: 3 }
    pass(MINUTE)
    if (way === 'edited') {
      const content = 'I keep my boat at the Peniche mooring, and processPeniche() fails. 我住在银杏路。'
      expect(await memory.conversations.editTurn({ ...turn, content })).toMatchObject({
        ...turn,
        content,
        role: 'user',
      })
    } else expect(await memory.conversations.deleteTurn(turn)).toMatchObject({ turnsDeleted: 1 })
    await memory.conversations.editTurn({ conversationId: 'boat', turnId: 4, content: 'Noted.' })
    await memory.idle()
    const left = {
      memories: await memory.getAll({ includePast: true, includeBuried: true }),
      profile: await memory.profile.get(),
      titles: await memory.sessionSummaries.list(),
      summaries: await memory.conversations.summaries('boat'),
      conversation: await memory.conversations.get('boat'),
      working: await memory.workingMemory.list(),
      found: await memory.conversations.recall('Zanzibarium quay, processZanzibarium, 鼬鼯鼷鼹路', { limit: 50 }),
      file: await memory.memoryFile.read(),
    }
    expect(JSON.stringify(left)).not.toMatch(/zanzibarium|鼬鼯鼷鼹/i)
    expect(JSON.stringify(left.memories)).toMatch(/Biscuit/)
    const { items } = await memory.conversations.turns('boat')
    expect(items.map(({ turnId }) => turnId)).toEqual(
      talk.flatMap((_, at) => (way === 'edited' || at !== 2 ? [at + 1] : [])),
    )
    if (way === 'edited') {
      expect(JSON.stringify(left.memories)).toMatch(/Peniche/)
      const { results } = await memory.conversations.recall('processPeniche', { ranking: 'conversation' })
      expect(results[0]).toMatchObject({ turnId: 3 })
    }
    expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
    await memory.close()
    expect(wordsInFiles(path, OLD)).toEqual([])
  },
)

/** A fact told first as the user and a model say it, with the word that must go, and the word that takes its place. */
const TOLD = {
  en: [
    'My sister Solveig is allergic to walnuts.',
    'Solveig, the sister of the user, is allergic to walnuts.',
    'walnuts',
    'celery',
  ],
  zh: ['我女儿对核桃过敏。', '用户的女儿对核桃过敏。', '核桃', '芹菜'],
} as const
const FIRST = { conversationId: 'talk', turnId: 1 }
/** Changes of the fact, and whether its turn goes too: with it go titles, snippets and summaries. */
const CHANGES: Record<
  string,
  readonly [boolean, (memory: OpenMemory, id: string, text: string, content: string) => unknown]
> = {
  'memory edited': [false, (memory, id, text) => memory.update(id, { text })],
  'memory deleted': [false, (memory, id) => memory.delete(id)],
  'source undone': [false, (memory) => memory.maintenance.undo(FIRST)],
  'all memories erased': [false, (memory) => memory.deleteAll()],
  'turn edited': [true, (memory, _id, _text, content) => memory.conversations.editTurn({ ...FIRST, content })],
  'memory and turn edited': [
    true,
    async (memory, id, text, content) => {
      await memory.update(id, { text })
      await memory.conversations.editTurn({ ...FIRST, content })
    },
  ],
  'turn deleted': [true, (memory) => memory.conversations.deleteTurn(FIRST)],
  'conversation deleted': [true, (memory) => memory.conversations.delete({ conversationId: 'talk' })],
  'user erased': [true, (memory) => memory.conversations.delete({ all: true })],
}

test.each(
  Object.keys(CHANGES).flatMap((change) =>
    [['en', 'rules'] as const, ['zh', 'rules'] as const, ['en', 'model'] as const].map(
      (how) => [change, ...how] as const,
    ),
  ),
)(
  '%s: no view tells the old word, and the profile follows an edit (%s, thinking by %s)',
  async (change, language, by) => {
    const [told, stated, old, word] = TOLD[language]
    const says = (quote: string, text: string, line: string) =>
      exchangeReply({
        statements: [{ text, quote, about: 'Solveig', by: 'said' }],
        profile: [{ section: 'background', text: line }],
      })
    const content = told.replace(old, word)
    const script = byPhrase({
      [old]: says(told.slice(0, -1), stated, `Family: ${old}`),
      [word]: says(content.slice(0, -1), content, word),
    })
    const { memory } = await openThinking(by, { script })
    const rest = language === 'en' ? ['Thanks!', 'Any time.'] : ['好的，谢谢！', '不客气。']
    await tell(memory, 'talk', told, 'Noted.', ...Array.from({ length: 5 }, () => rest).flat())
    await memory.idle()
    const views = async () => ({
      own: [await memory.profile.get(), (await memory.getAll({ includePast: true, includeBuried: true })).items],
      titles: (await memory.sessionSummaries.list()).items,
      summaries: (await memory.conversations.list()).items.map(({ summary }) => summary),
    })
    for (const view of Object.values(await views())) expect(JSON.stringify(view)).toContain(old)
    const [takesTurn, act] = CHANGES[change]!
    const found = (await memory.getAll()).items.find(({ text }) => text.includes(old))!
    await act(memory, found.id, found.text.replace(old, word), content)
    await memory.idle()
    const left = await views()
    expect(JSON.stringify(takesTurn ? left : left.own)).not.toContain(old)
    if (change.includes('edited')) expect((await memory.profile.get()).text).toContain(word)
  },
)

test('what a model was still thinking about the old words comes to nothing', async () => {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const { memory } = await openThinking('model', {
    script: (request) => {
      if (!JSON.stringify(request.body).includes('Zanzibarium')) return exchangeReply({})
      asked.resolve()
      const records = [{ text: 'The boat lies at the Zanzibarium quay.', who: 'user' }]
      return { ...exchangeReply({ records }), after: go.promise }
    },
  })
  await tell(memory, 'boat', 'My boat lies at the Zanzibarium quay.', 'Noted.')
  await asked.promise
  await memory.conversations.editTurn({ conversationId: 'boat', turnId: 1, content: 'My boat lies in Peniche.' })
  go.resolve()
  await memory.idle()
  expect(JSON.stringify(await memory.getAll({ includePast: true }))).not.toContain('Zanzibarium')
})

test('an edit that is killed anywhere is finished by the next start, or has not begun', async () => {
  const content = 'I live in Peniche.'
  const told = freshDatabase()
  const first = await openMemory({ path: told, userId: 'one' })
  await tell(first, 'boat', 'I live in Genoa.', 'Nice.')
  await first.idle()
  expect(JSON.stringify(await first.getAll())).toContain('Genoa')
  await first.close()
  for (let looks = 0, code: number | null = null; code !== 0; looks += 1) {
    expect(looks).toBeLessThan(40)
    const path = freshDatabase()
    copyFileSync(told, path)
    const child = fork(new URL('../support/edit-process.ts', import.meta.url), [path, content, String(looks)])
    code = (await once(child, 'exit'))[0]
    await using memory = await openMemory({ path, userId: 'one', clock: () => new Date(Date.now() + MINUTE) })
    await memory.idle()
    const said = await memory.conversations.turns('boat')
    const derived = JSON.stringify([
      (await memory.getAll({ includePast: true })).items,
      await memory.sessionSummaries.list(),
      await memory.profile.get(),
    ])
    const [now, before] = said.items[0]!.content === content ? ['Peniche', 'Genoa'] : ['Genoa', 'Peniche']
    expect([looks, derived.includes(now), derived.includes(before)]).toEqual([looks, true, false])
    expect((await memory.maintenance.jobs()).total).toBe(0)
  }
})

test('memories that the user deleted do not come back by an edit, and the same words change nothing', async () => {
  const { memory } = await openThinking('rules')
  await tell(memory, 'chat', 'I am a nurse.', 'I see.', 'My dog Biscuit is allergic to chicken.', 'Poor dog.')
  await memory.idle()
  const dog = (await memory.getAll()).items.find(({ text }) => text.includes('Biscuit'))!
  await memory.delete(dog.id)
  const before = await memory.getAll()
  await memory.conversations.editTurn({ conversationId: 'chat', turnId: 1, content: 'I am a nurse.' })
  await memory.idle()
  expect(await memory.getAll()).toEqual(before)
  await memory.conversations.editTurn({ conversationId: 'chat', turnId: 1, content: 'I am a carpenter.' })
  await memory.idle()
  const now = JSON.stringify((await memory.getAll()).items)
  expect(now).toContain('carpenter')
  expect(now).not.toMatch(/nurse|Biscuit/)
})

test('REST: turns, titles and working memory are made, edited and deleted; what is not there is 404, what is there 409', async () => {
  const { ask } = await startForTest()
  const turns = ['I live in Genoa.', 'Nice.'].map((content, at) => ({ role: at === 0 ? 'user' : 'assistant', content }))
  await ask('POST', '/conversations/c/turns', { turns })
  expect(await ask('PATCH', '/conversations/c/turns/1', { content: 'I live in Turin.' })).toMatchObject({
    status: 200,
    body: { turn_id: 1, content: 'I live in Turin.', is_collected: false },
  })
  expect(await ask('PATCH', '/conversations/c/turns/1', { is_collected: true })).toMatchObject({
    body: { content: 'I live in Turin.', is_collected: true },
  })
  expect((await ask('PATCH', '/conversations/c/turns/1', {})).status).toBe(400)
  expect(await ask('PATCH', '/conversations/c/turns/9', { content: 'x' })).toMatchObject({ status: 404 })
  expect(await ask('DELETE', '/conversations/c/turns/2')).toMatchObject({ status: 200, body: { turns_deleted: 1 } })
  expect((await ask('DELETE', '/conversations/c/turns/2')).status).toBe(404)
  const made = { conversation_id: 'c', title: '搬家', snippet: 'Turin' }
  await ask('DELETE', '/session-summaries/c')
  expect(await ask('POST', '/session-summaries', made)).toMatchObject({ status: 201, body: { ...made, edited: true } })
  expect((await ask('POST', '/session-summaries', made)).status).toBe(409)
  expect((await ask('POST', '/session-summaries', { ...made, conversation_id: 'nobody' })).status).toBe(404)
  // Unfinished thinking may give the conversation another topic.
  await expect.poll(async () => (await ask('GET', '/jobs')).body).toMatchObject({ total: 0 })
  const state = { current_topic: 'moving', context_variables: { floors: 3 }, last_emotion: null }
  expect(await ask('PATCH', '/memory/working/c', state)).toMatchObject({ status: 200, body: state })
  expect(await ask('PATCH', '/memory/working/c', { last_emotion: 'glad' })).toMatchObject({
    body: { ...state, last_emotion: 'glad' },
  })
  expect((await ask('PATCH', '/memory/working/nobody', state)).status).toBe(404)
})

test('the command line does the same', async () => {
  const cwd = emptyFolder()
  await answer('mneme', ['store', '--conversation', 'c', '--role', 'user', '--content', 'I live in Genoa.'], { cwd })
  await answer('mneme', ['store', '--conversation', 'c', '--role', 'user', '--content', 'It is warm.'], { cwd })
  const run = async (...words: string[]) => answer('mneme', words, { cwd })
  expect(await run('conversations', 'edit-turn', 'c', '1', '--content', 'I live in Turin.')).toMatchObject({
    turn_id: 1,
    content: 'I live in Turin.',
  })
  expect(await run('conversations', 'delete-turn', 'c', '2')).toMatchObject({ turns_deleted: 1 })
  expect(await run('sessions', 'add', 'c', '--title', 'Turin')).toMatchObject({ title: 'Turin', edited: true })
  expect(
    await run('working', 'edit', 'c', '--current-topic', 'Turin', '--context-variables', '{"floors":3}'),
  ).toMatchObject({
    current_topic: 'Turin',
    context_variables: { floors: 3 },
  })
  expect(await run('working', 'delete', 'c')).toEqual({ session_id: 'c', deleted: true })
})
