import { expect, test } from 'vitest'
import { collectedTurnsContract } from '../../../../test/contracts/collected-turns.ts'
import { newTurn } from '../../../../test/contracts/turn-index.ts'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { Connection } from '../file/connection.ts'
import { migrate, openDatabase } from '../file/open-database.ts'
import { sqliteConversationLog } from './conversation-log.ts'

collectedTurnsContract('SQLite', async () => {
  const connection = openDatabase(':memory:', { create: true })
  return { log: sqliteConversationLog(connection), close: async () => connection.close() }
})

test('turns of a file from before there was the mark have none, and can be collected', async () => {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 9)
  old.exec(`INSERT INTO users (user_id) VALUES ('anna');
    INSERT INTO conversations (id, project_root, created_at, last_active, turn_count, conversation_no, user_no, public_id,
      last_turn) VALUES ('soup', '', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z', 1, 1, 1, 'soup', 1);
    INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number)
      VALUES ('soup', 'user', '汤里放盐吗？', '2026-03-02T09:00:00.000Z', 1, 1)`)
  old.close()
  const connection = openDatabase(path, { create: true })
  const log = sqliteConversationLog(connection)
  expect(await log.turns('anna', 'soup', {})).toMatchObject([{ turnId: 1, isCollected: false }])
  const reference = { conversationId: 'soup', turnId: 1 }
  expect(await log.collect('anna', reference, true)).toMatchObject({ content: '汤里放盐吗？', isCollected: true })
  await log.append('anna', [{ conversationId: 'soup', projectRoot: '', turns: [newTurn('A pinch.')] }], 0)
  expect(await log.turns('anna', 'soup', {})).toMatchObject([{ isCollected: true }, { isCollected: false }])
  connection.close()
})
