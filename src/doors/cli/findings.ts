/**
 * What `mneme doctor` shows of the options, without keys and passwords, and what of them would stop a command, with that
 * command's own errors. Calls no model and no vector database, and touches no file.
 */
import { MnemeError } from '../../domain/errors.ts'
import type { SettingName } from '../../domain/settings.ts'
import { OPTIONS, settingVariable } from '../config/options.ts'
import type { OpenOptions } from '../library/index.ts'
import { openOptions } from './context.ts'
import { type ChosenModel, chooseEmbedding, chooseLlm, effectiveSettings, vectorStoreOptions } from './models.ts'
import { inWordsOfCaller, resolveServer, type Setting, type Settings } from './settings.ts'

/** One finding of a check. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy?: string
}

/** The options with their origins, as JSON. */
export function shownSettings(settings: Settings): object {
  const plain = Object.entries(OPTIONS).flatMap(([name]) => {
    const [group, key] = name.split('.')
    if (key !== undefined && group !== 'memory_file') return []
    const shown = key === undefined || key === 'path' ? group : `memory_${key}`
    return [[shown, settings[name as 'db']]]
  })
  const fixed = Object.entries(settings.overrides).map(([name, value]) => [
    name,
    { value, source: settingVariable(name as SettingName) },
  ])
  return {
    ...Object.fromEntries(plain),
    llm: shownModel(chooseLlm(settings)),
    embedding: shownModel(chooseEmbedding(settings)),
    models_dir: settings['embedding.models_dir'],
    vector_store: {
      uri: shownAddress(settings['vector_store.uri']),
      token: shownSecret(settings['vector_store.token']),
      collection: settings['vector_store.collection'],
      required: settings['vector_store.required'],
    },
    ...Object.fromEntries(fixed),
  }
}

function shownModel({ enabled, provider, model, address, key }: ChosenModel<unknown>): object {
  return { enabled, provider, model, base_url: shownAddress(address), api_key: shownSecret(key) }
}

function shownSecret({ value, source }: Setting<string | null>): Setting<string> {
  return { value: value === null ? 'not set' : 'set', source }
}

/** The address without user, password and parameters, which may hold a key. */
function shownAddress({ value, source }: Setting<string | null>): Setting<string | null> {
  return { value: value === null ? null : bareAddress(value), source }
}

function bareAddress(value: string): string {
  const address = value.includes('://') ? value : `http://${value}`
  if (!URL.canParse(address)) return 'not an address'
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Findings about the models, the vector database, the server's options and all others. */
export async function openingFindings(settings: Settings): Promise<readonly Finding[]> {
  const { OPENROUTER_API_KEY, OPENAI_API_KEY } = settings.environment
  const unused =
    (OPENROUTER_API_KEY ?? OPENAI_API_KEY) === undefined
      ? ''
      : '; a key alone switches none on: set MNEME_LLM_MODEL or MNEME_LLM_BASE_URL, or `llm` in the config file'
  const [llm, embedding] = [chooseLlm(settings), chooseEmbedding(settings)]
  const off = 'none, recall goes by words; MNEME_EMBEDDING switches one on'
  const found = await Promise.all([
    failureOf(settings, 'llm', () => checked({ llm: llm.options() }), aboutModel(llm, `none, rules think${unused}`)),
    failureOf(settings, 'embedding', () => checked({ embedding: embedding.options() }), aboutModel(embedding, off)),
    vectorStoreFinding(settings, embedding.enabled.value),
    failureOf(settings, 'settings', () => checked(openOptions(settings))),
    failureOf(settings, 'server', async () => resolveServer({}, settings)),
  ])
  return found.filter((finding) => finding !== null)
}

function aboutModel({ enabled, provider, model, address }: ChosenModel<unknown>, off: string): string {
  if (!enabled.value) return off
  const place = address.value === null ? '' : ` at ${bareAddress(address.value)}`
  const tried = provider.value === 'local' ? 'it can be loaded' : 'it was not asked'
  return `${provider.value}, ${model.value ?? 'its default model'}${place}; ${tried}`
}

async function vectorStoreFinding(settings: Settings, embeds: boolean): Promise<Finding | null> {
  const { value } = settings['vector_store.uri']
  if (value === null) return null
  const check = 'vector store'
  const place = `milvus at ${bareAddress(value)}`
  if (embeds)
    return failureOf(
      settings,
      check,
      () => checked({ vectorStore: vectorStoreOptions(settings) }),
      `${place}; it was not asked`,
    )
  return {
    check,
    ok: false,
    detail: `${place} is configured, but no embedding model, so that nothing ever comes there`,
    remedy: 'Name an embedding model (MNEME_EMBEDDING), or leave MILVUS_URI out.',
  }
}

async function checked(options: OpenOptions): Promise<void> {
  const { checkOptions } = await import('../library/open-memory.ts')
  await checkOptions(options)
}

/** What stops the work; where nothing does, `otherwise`, or null. */
async function failureOf(
  settings: Settings,
  check: string,
  work: () => Promise<unknown>,
  otherwise?: string,
): Promise<Finding | null> {
  try {
    await work()
    return otherwise === undefined ? null : { check, ok: true, detail: otherwise }
  } catch (error) {
    const told = inWordsOfCaller(effectiveSettings(settings), settings.config, error)
    if (!(told instanceof MnemeError)) throw told
    return { check, ok: false, detail: told.message, remedy: told.remedy }
  }
}
