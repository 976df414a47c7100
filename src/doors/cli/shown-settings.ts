/** The settings as `mneme doctor` shows them, with their origins and findings about the models. No key is shown. */
import { MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import { SETTING_VARIABLES } from './setting-overrides.ts'
import type { Settings } from './settings.ts'
import type { ShownVectorStore } from './vector-store-settings.ts'

/** One finding of a check. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy?: string
}

/** JSON for stdout. */
export function shownSettings({
  config: _,
  editor: __,
  server: ___,
  memoryFile,
  models,
  overrides,
  vector_store,
  ...settings
}: Settings): object {
  const fixed = Object.entries(overrides).map(([name, value]) => [
    name,
    { value, source: SETTING_VARIABLES[name as keyof typeof SETTING_VARIABLES] },
  ])
  return {
    ...settings,
    ...memoryFile,
    llm: models.llm.shown,
    embedding: models.embedding.shown,
    models_dir: models.models_dir,
    vector_store: vector_store.shown,
    ...Object.fromEntries(fixed),
  }
}

/** Whether the models could be called, judging by the settings only. */
export function modelFindings({ models, vector_store }: Settings, environment: Environment): readonly Finding[] {
  const { llm, embedding } = models
  const hasKey = environment.OPENROUTER_API_KEY !== undefined || environment.OPENAI_API_KEY !== undefined
  const unused = hasKey
    ? '; a key alone switches none on: set MNEME_LLM_MODEL or MNEME_LLM_BASE_URL, or `llm` in the config file'
    : ''
  return [
    finding('llm', llm, `none, rules think${unused}`),
    finding('embedding', embedding, 'none, recall goes by words; MNEME_EMBEDDING switches one on'),
    ...vectorStoreFindings(vector_store.shown, embedding.shown.enabled.value),
  ]
}

function vectorStoreFindings({ uri }: ShownVectorStore, embeds: boolean): readonly Finding[] {
  if (uri.value === null) return []
  if (embeds) return [{ check: 'vector store', ok: true, detail: `milvus at ${uri.value}; it was not asked` }]
  return [
    {
      check: 'vector store',
      ok: false,
      detail: `milvus at ${uri.value} is configured, but no embedding model, so that nothing ever comes there`,
      remedy: 'Name an embedding model (MNEME_EMBEDDING), or leave MILVUS_URI out.',
    },
  ]
}

function finding(check: 'llm' | 'embedding', chosen: Settings['models']['llm' | 'embedding'], off: string): Finding {
  const { enabled, provider, model, base_url } = chosen.shown
  if (!enabled.value) return { check, ok: true, detail: off }
  try {
    chosen.options()
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    return { check, ok: false, detail: error.message, remedy: error.remedy }
  }
  const named = model.value ?? 'its default model'
  const place = base_url.value === null ? '' : ` at ${base_url.value}`
  const tried = provider.value === 'local' ? 'it can be loaded' : 'it was not asked'
  return { check, ok: true, detail: `${provider.value}, ${named}${place}; ${tried}` }
}
