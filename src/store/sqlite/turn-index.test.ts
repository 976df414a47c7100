import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { turnIndexContract } from '../../../test/contracts/turn-index.ts'
import { systemClock } from '../../domain/clock.ts'
import { silentLogger } from '../../domain/logger.ts'
import { openSqliteStore } from './open-store.ts'

const options = { create: true, clock: systemClock, logger: silentLogger }

turnIndexContract('SQLite in a file', () =>
  openSqliteStore({ ...options, path: join(mkdtempSync(join(tmpdir(), 'mneme-')), 'memory.db') }),
)
turnIndexContract('SQLite in memory', () => openSqliteStore({ ...options, path: ':memory:' }))
