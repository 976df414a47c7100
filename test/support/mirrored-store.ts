/** A store of a test whose vectors go to a mirror, and the records that it sends. */
import { onTestFinished } from 'vitest'
import type { VectorRecord } from '../../src/domain/contracts/vector-index.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { hashedVector } from './embedding-server.ts'

/** Numbers of a vector. */
export const DIMENSION = 8

/** The record of one memory; `said` makes it another vector. */
export const record = (at: number, said = 'note'): VectorRecord => ({
  id: `m${at}`,
  vector: hashedVector(`${said} ${at}`, DIMENSION),
  kind: 'semantic',
  conversationId: null,
  who: null,
  time: 1_800_000_000_000 + at,
})

/** Opens a store with a model of this dimension; it is closed with the test. */
export async function openStore(path: string) {
  const store = await openSqliteStore({ path, create: true, clock: () => new Date(), logger: silentLogger })
  onTestFinished(() => store.close())
  await store.vectors.begin({ model: 'test/bag', dimension: DIMENSION })
  return store
}
