import { beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { silentLogger } from '../../domain/logger.ts'
import { Connection } from '../../store/sqlite/file/connection.ts'
import { migrate } from '../../store/sqlite/file/open-database.ts'
import { openSqliteStore } from '../../store/sqlite/open-store.ts'
import { projectOf } from './filter.ts'

const AT = '2026-03-02T09:00:00.000Z'
let store: Store

beforeEach(async () => {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 15)
  old.exec(`INSERT INTO users (user_id) VALUES ('anna'), ('bert');
    INSERT INTO counters (name, value) VALUES ('conversation_no', 2);
    INSERT INTO conversations (id, project_root, created_at, last_active, turn_count, conversation_no, user_no, public_id,
      last_turn) VALUES ('s', '/shop', '${AT}', '${AT}', 1, 1, 1, 's', 1), ('n', '', '${AT}', '${AT}', 1, 2, 1, 'n', 1)`)
  for (const [at, [id, text, conversation]] of [
    ['port', 'The shop listens on port 4010.', 's'],
    ['nuts', "I'm allergic to peanuts.", 's'],
    ['talk', 'The library closes at six.', 'n'],
    ['added', 'The database is SQLite.', null],
  ].entries())
    old.run(
      `INSERT INTO memories (row, user_no, id, memory_type, text, category, conversation_id, occurred_at, created_at,
         updated_at, confidence, source, importance, valid_from)
       VALUES (?, 1, ?, 'semantic', ?, 'fact', ?, ?5, ?5, ?5, 1, 'user_stated', 1, ?5)`,
      (1n << 32n) + BigInt(at + 1),
      id!,
      text!,
      conversation!,
      AT,
    )
  old.close()
  store = await openSqliteStore({ path, create: true, clock: () => new Date(AT), logger: silentLogger })
  return () => store.close()
})

test('memories from before there were projects hold everywhere, unless an edit names a project', async () => {
  const list = async (projectRoot: string) =>
    (await store.memories.list('anna', { limit: 10, offset: 0, filter: { projectRoot } })).items
      .map(({ id }) => id)
      .sort()
  expect(await list('/blog')).toEqual(['added', 'nuts', 'port', 'talk'])
  await store.memories.update('anna', 'nuts', { importance: 2 }, Date.parse(AT))
  await store.memories.update('anna', 'port', { projectRoot: '/shop' }, Date.parse(AT))
  expect(await list('/blog')).toEqual(['added', 'nuts', 'talk'])
  expect(await list('/shop')).toEqual(['added', 'nuts', 'port', 'talk'])
})

test('a project is the longest known root that contains the path', async () => {
  await store.log.append('anna', [{ conversationId: 'p', projectRoot: '/shop/pay', turns: [] }], Date.parse(AT))
  for (const [path, project] of [
    ['/shop', '/shop'],
    ['/shop/src/cart', '/shop'],
    ['/shop/pay/card', '/shop/pay'],
    ['/shopping', '/shopping'],
    ['/blog/posts', '/blog/posts'],
  ] as const)
    expect(await projectOf(store.log, 'anna', path)).toBe(project)
  expect(await projectOf(store.log, 'bert', '/shop/src')).toBe('/shop/src')
  expect(await projectOf(store.log, 'anna', null)).toBeNull()
})
