/** Opens a working memory: the one place where the engine meets its backends. */
import { openSqliteStore } from '../adapters/sqlite/open-store.ts'
import { createEngine, type Engine } from './engine.ts'
import { type OpenOptions, resolveOptions } from './options.ts'

export type { OpenOptions } from './options.ts'

/** Opens or creates the database and everything over it. Rejects with MnemeError when an option or the file is bad. */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  const resolved = resolveOptions(options)
  const { path, create, clock, logger } = resolved
  return createEngine(await openSqliteStore({ path, create, clock, logger }), resolved)
}
