/** Which file is the database? mem0 has several places for it; everything is in one file here, so that they must agree. */
import { invalid } from '../../domain/errors.ts'
import { partOf, settingsOf, textOf } from './provider-settings.ts'

/** The parts of a configuration that may name the file. */
export interface DatabaseParts {
  readonly vectorStore?: unknown
  readonly historyStore?: unknown
  readonly historyDbPath?: unknown
}

/** Settings of a vector store in the database file that say what is known already. */
const WITHOUT_EFFECT = ['collection_name', 'dimension', 'embedding_model_dims']

/** The file; undefined where none is named. Throws `invalid` for two files and for settings that nobody knows. */
export function databasePath({ vectorStore, historyStore, historyDbPath }: DatabaseParts): string | undefined {
  const { provider: store = 'memory', config: inStore = {} } = partOf('vectorStore', vectorStore)
  const storeName = typeof store === 'string' ? store.toLowerCase() : ''
  if (!['memory', 'mneme', 'sqlite', 'milvus'].includes(storeName))
    throw invalid(
      'vectorStore.provider',
      `${JSON.stringify(store)} cannot be used here`,
      'Leave vectorStore out, or use "memory": vectors are kept in the database file. Or use "milvus".',
    )
  const { provider: history = 'sqlite', config: inHistory = {} } = partOf('historyStore', historyStore)
  if (typeof history !== 'string' || !['sqlite', 'memory'].includes(history.toLowerCase()))
    throw invalid('historyStore.provider', `${JSON.stringify(history)} cannot be used here`, 'Use "sqlite".')
  const names = {
    // What else a Milvus is told is read with the rest of it.
    'vectorStore.config.dbPath':
      storeName === 'milvus'
        ? (inStore.dbPath ?? inStore.db_path)
        : settingsOf('vectorStore.config', inStore, ['db_path'], WITHOUT_EFFECT).db_path,
    historyDbPath,
    'historyStore.config.historyDbPath': settingsOf('historyStore.config', inHistory, ['history_db_path'], [])
      .history_db_path,
  }
  let path: string | undefined
  for (const [name, value] of Object.entries(names)) {
    if (value === undefined || value === null) continue
    const named = textOf(name, value, 'Pass the name of a file.')
    if (path !== undefined && path !== named)
      throw invalid(name, `names a second file besides ${path}`, 'Name one: everything is in one database.')
    path = named
  }
  return path
}
