/** Recall on bad days: sources gone, files and writers of older programs, questions that ask nothing. */
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { migrate } from '../../src/store/sqlite/file/open-database.ts'
import { freshDatabase } from '../support/folder.ts'

const BEES = 'My sister Ines keeps bees in Tavira.'
const WALNUTS = 'I am allergic to walnuts.'
const open = (path = ':memory:') => openMemory({ path, userId: 'one', background: false })
const found = async (memory: OpenMemory, question: string) =>
  (await memory.recall(question, {})).results.map(({ kind, text }) => `${kind}: ${text}`)

test('a memory whose conversation was deleted answers alone, and one whose turn was taken back is gone', async () => {
  await using memory = await open()
  await memory.conversations.store({
    conversationId: 'c',
    turns: [BEES, 'How nice.', WALNUTS].map((content, at) => ({ role: at === 1 ? 'assistant' : 'user', content })),
  })
  await memory.maintenance.think({})
  await memory.idle()
  await memory.conversations.deleteTurn({ conversationId: 'c', turnId: 1 })
  expect((await found(memory, 'Where does Ines keep bees?')).join()).not.toContain('Tavira')
  await memory.conversations.delete({ conversationId: 'c', keepMemories: true })
  expect(await found(memory, 'What am I allergic to?')).toEqual([`memory: ${WALNUTS}`])
  const { messages } = await memory.context.build('What am I allergic to?', {})
  expect(messages.map(({ content }) => content).join('\n')).toContain(WALNUTS)
})

/** A file as a program before this index left it: its lists, and nothing of ours. */
function olderFile(path: string, texts: number): void {
  const old = new Connection(path)
  migrate(old, 13)
  old.write(() => {
    old.run(`INSERT INTO users (user_id) VALUES ('one')`)
    old.run(
      `INSERT INTO conversations (id, public_id, project_root, created_at, last_active, conversation_no, user_no, turn_count,
         last_turn) VALUES ('c', 'c', '', ?1, ?1, 1, 1, ?2, ?2)`,
      '2026-03-01T09:00:00.000Z',
      texts,
    )
    for (let no = 1; no <= texts; no += 1) {
      old.run(
        `INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number) VALUES ('c', 'user', ?, ?, 1, ?)`,
        `The lighthouse keeper wrote line ${no} 灯塔.`,
        '2026-03-01T09:00:00.000Z',
        no,
      )
      old.run(
        `INSERT INTO memories (row, user_no, id, memory_type, text, category, occurred_at, created_at, updated_at, confidence,
           source, importance, valid_from, term_count) VALUES (?, 1, ?, 'semantic', ?, 'fact', ?4, ?4, ?4, 1, 'user_stated', 1, ?4, 5)`,
        (1n << 32n) + BigInt(no),
        `m${no}`,
        `Saw heron number ${no} 苍鹭`,
        '2026-03-02T09:00:00.000Z',
      )
    }
  })
  old.close()
}

test('a file of an older program answers while its index is made, and the same when it is', async () => {
  const path = freshDatabase()
  olderFile(path, 2500)
  await using memory = await open(path)
  const ask = async () => [
    (await memory.conversations.recall('What was line 1177 of the lighthouse keeper?', { limit: 1 })).results[0]
      ?.turnId,
    (await found(memory, 'heron number 1177'))[0],
    (await memory.search('2001 苍鹭', { limit: 1 })).results[0]?.text,
  ]
  const meanwhile = await ask()
  expect(meanwhile).toEqual([1177, expect.anything(), 'Saw heron number 2001 苍鹭'])
  await memory.idle()
  expect(await ask()).toEqual([1177, 'memory: Saw heron number 1177 苍鹭', 'Saw heron number 2001 苍鹭'])
})

test('an older program beside this one: each finds what the other wrote and misses what it removed', async () => {
  const path = freshDatabase()
  await using memory = await open(path)
  await memory.conversations.store({ conversationId: 'c', turns: [{ role: 'user', content: BEES }] })
  const { results } = await memory.add(WALNUTS, { infer: false })
  expect(await found(memory, 'Where does Ines keep bees?')).toEqual([`turn: ${BEES}`])
  const old = new Connection(path)
  const read = (sql: string) => old.all(sql).map(({ text }) => text)
  expect(read('SELECT content AS text FROM turns')).toEqual([BEES])
  expect(read('SELECT text FROM memories')).toEqual([WALNUTS])
  old.write(() => {
    old.run(`INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number)
      SELECT conversation_id, role, 'The ferry to Olhao leaves at seven.', created_at, user_no, 2 FROM turns`)
    old.run('UPDATE conversations SET turn_count = 2, last_turn = 2')
    old.run(`UPDATE memories SET text = 'Allergic to hazelnuts now.'`)
  })
  expect(await found(memory, 'When does the ferry to Olhao leave?')).toContain(
    'turn: The ferry to Olhao leaves at seven.',
  )
  expect(await found(memory, 'Am I allergic to hazelnuts?')).toContain('memory: Allergic to hazelnuts now.')
  expect((await memory.get(results[0]!.id!, {})).text).toBe('Allergic to hazelnuts now.')
  old.write(() => old.run('DELETE FROM memories'))
  old.close()
  expect((await found(memory, 'Am I allergic to hazelnuts?')).join()).not.toContain('hazelnuts')
})

const MEGABYTE = 1024 * 1024

test.each([
  ['one emoji', '🐝'],
  ['digits alone', '48151623'],
  ['a megabyte of one word', 'x'.repeat(MEGABYTE)],
  ['a megabyte of one character', '蜜'.repeat(MEGABYTE / 4)],
  ['a megabyte of spaces and marks', ' ?!'.repeat(MEGABYTE / 3)],
])('%s finds nothing that was not said, and says so without an error', async (_, question) => {
  await using memory = await open()
  await memory.conversations.store({ conversationId: 'c', turns: [{ role: 'user', content: BEES }] })
  expect(await found(memory, question)).toEqual([])
  const { layers } = await memory.context.build(question, { tokenBudget: 2_000_000 })
  expect(layers[3]).toMatchObject({ text: '', tokens: 0 })
})

test('a question of a megabyte is answered by its beginning; digits that were said are found', async () => {
  await using memory = await open()
  const ferry = 'The ferry number is 48151623.'
  await memory.conversations.store({
    conversationId: 'c',
    turns: [BEES, ferry].map((content) => ({ role: 'user', content })),
  })
  expect((await found(memory, `Where does Ines keep bees? ${'lorem '.repeat(170_000)}`)).join()).toContain(BEES)
  expect(await found(memory, '48151623')).toContain(`turn: ${ferry}`)
})

test('a budget below the instructions is refused with what it takes; a user with nothing gets an empty layer', async () => {
  await using memory = await open()
  await expect(memory.context.build('Where are my bees?', { tokenBudget: 10 })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^tokenBudget: is 10, but the instructions and the message alone take \d+ tokens/),
  })
  expect((await memory.recall('Where are my bees?', {})).results).toEqual([])
  const { layers } = await memory.context.build('Where are my bees?', {})
  expect(layers[3]!.text).toBe('')
  await memory.add(WALNUTS, { infer: false })
  expect(await found(memory, 'What am I allergic to?')).toEqual([`memory: ${WALNUTS}`])
})
