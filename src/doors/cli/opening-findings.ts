/**
 * Checks whether the configuration would stop a command that opens the database, with that command's own errors. Calls
 * no model and no vector database, and touches no file.
 */
import { MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import type { OpenOptions } from '../library/index.ts'
import { openOptions } from './context.ts'
import { inWordsOfCaller, namesOf } from './in-words-of-caller.ts'
import { resolveServerSettings } from './server-settings.ts'
import type { CallersNames } from './setting.ts'
import type { Settings } from './settings.ts'
import { type Finding, modelFindings } from './shown-settings.ts'

/** Findings about the models, the vector database, the server's settings and all others. */
export async function openingFindings(settings: Settings, environment: Environment): Promise<readonly Finding[]> {
  const names = namesOf(settings)
  const { models, vector_store } = settings
  const parts: Readonly<Record<string, () => OpenOptions>> = {
    llm: () => ({ llm: models.llm.options() }),
    embedding: () => ({ embedding: models.embedding.options() }),
    'vector store': () => ({ vectorStore: vector_store.options }),
  }
  const said = modelFindings(settings, environment)
  const looked = said.map(async (finding) => {
    const options = parts[finding.check]
    if (!finding.ok || options === undefined) return finding
    return (await failureOf(finding.check, names, async () => checked(options()))) ?? finding
  })
  const others = [
    failureOf('settings', names, () => checked(openOptions(settings))),
    failureOf('server', names, async () => resolveServerSettings({}, environment, settings.server)),
  ]
  const found = await Promise.all([...looked, ...others])
  return found.filter((finding) => finding !== null)
}

async function checked(options: OpenOptions): Promise<void> {
  const { checkOptions } = await import('../library/open-memory.ts')
  await checkOptions(options)
}

/** null: it works. */
async function failureOf(check: string, names: CallersNames, work: () => Promise<unknown>): Promise<Finding | null> {
  try {
    await work()
    return null
  } catch (error) {
    const told = inWordsOfCaller(names, error)
    if (!(told instanceof MnemeError)) throw told
    return { check, ok: false, detail: told.message, remedy: told.remedy }
  }
}
