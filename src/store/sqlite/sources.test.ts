import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { openMemory } from '../../doors/library/index.ts'
import { Connection } from './file/connection.ts'
import { migrate } from './file/open-database.ts'

const AT = '2026-01-05T08:00:00.000Z'

/** A file as the program before the table of sources wrote it. */
function fileFromBefore(): string {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 16)
  old.exec(`INSERT INTO users (user_id) VALUES ('kim');
    INSERT INTO conversations (id, project_root, created_at, last_active, turn_count, conversation_no, user_no, public_id, last_turn, thought_to)
      VALUES ('chat', '', '${AT}', '${AT}', 2, 1, 1, 'chat', 2, 2);`)
  const say = (turn: number, content: string) =>
    old.run(
      `INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number) VALUES ('chat', 'user', ?, ?, 1, ?)`,
      content,
      AT,
      turn,
    )
  say(1, 'I live in Lisbon and I work as a nurse.')
  say(2, 'I moved to Berlin.')
  const remember = (place: number, id: string, text: string, said: Record<string, unknown> = {}) =>
    old.run(
      `INSERT INTO memories (row, user_no, id, memory_type, text, category, conversation_id, who, occurred_at, created_at,
         updated_at, confidence, source, importance, valid_from, valid_to, superseded_by, source_turn_ids, metadata, document)
       VALUES (?1, 1, ?2, 'semantic', ?3, 'fact', 'chat', 'user', ?4, ?4, ?4, 0.9, 'user_stated', 1, ?4, ?5, ?6, ?7, ?8, ?9)`,
      (1n << 32n) + BigInt(place),
      id,
      text,
      AT,
      said.superseded === undefined ? null : AT,
      (said.superseded as string | undefined) ?? null,
      JSON.stringify(said.turns ?? [1]),
      said.metadata === undefined ? null : JSON.stringify(said.metadata),
      place,
    )
  remember(1, 'both', 'I live in Lisbon and I work as a nurse.', { superseded: 'moved' })
  remember(2, 'rest', 'I work as a nurse.', { metadata: { derived_from: 'both' } })
  remember(3, 'moved', 'I moved to Berlin.', { turns: [2] })
  const lines = [
    { section: 'background', text: 'I work as a nurse.', at: 1, origins: [{ conversationId: 'chat', turnIds: [1] }] },
    { section: 'background', text: 'I moved to Berlin.', at: 1, origins: [{ conversationId: 'chat', turnIds: [2] }] },
    { section: 'background', text: 'I keep bees.', at: 1, origins: [{ conversationId: 'chat', turnIds: [2] }] },
    { section: 'background', text: 'I sing bass.', at: 1 },
  ]
  old.run(
    'INSERT INTO profiles (user_no, document, machine_lines, updated_at) VALUES (1, ?, ?, ?)',
    `## Background\n${lines.map(({ text }) => `- ${text}`).join('\n')}`,
    JSON.stringify(lines),
    AT,
  )
  old.close()
  return path
}

async function open() {
  const memory = await openMemory({ path: fileFromBefore(), userId: 'kim' })
  onTestFinished(() => memory.close())
  return { memory, lines: async () => (await memory.profile.get()).text.match(/(?<=- ).*/g) }
}

test('lines from before point to the memories whose words they say, else to their turns; those of no known source stay', async () => {
  const { memory, lines } = await open()
  await memory.delete('rest')
  expect(await lines()).toEqual(['I moved to Berlin.', 'I keep bees.', 'I sing bass.'])
  await memory.delete('both')
  await memory.maintenance.undo({ conversationId: 'chat', turnId: 2 })
  expect(await lines()).toEqual(['I sing bass.'])
})

test('a memory from before holds again when what had ended it is undone', async () => {
  const { memory, lines } = await open()
  await memory.maintenance.undo({ conversationId: 'chat', turnId: 2 })
  const { items } = await memory.getAll({ includePast: true })
  expect(items.map(({ id, validTo }) => [id, validTo]).toSorted()).toEqual([
    ['both', null],
    ['rest', null],
  ])
  expect((await lines())?.join()).toMatch(/bass.*Lisbon/)
})
