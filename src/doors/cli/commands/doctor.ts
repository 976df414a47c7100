/** `mneme doctor`: what is in use, where settings came from, what is wrong and what to do. It changes nothing. */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StoreInspection } from '../../../domain/contracts/store.ts'
import { type ErrorCode, MnemeError } from '../../../domain/errors.ts'
import { isEmptied, writeRefusal } from '../../../domain/plain-file.ts'
import type { SettingName } from '../../../domain/settings.ts'
import { packageVersion } from '../../../language/package-file.ts'
import { OPTION_NAMES, type OptionName, settingVariable } from '../../config/options.ts'
import type { OpenOptions } from '../../library/index.ts'
import { type CommandDefinition, openOptions } from '../command-context.ts'
import { EXIT_FAILED } from '../report-error.ts'
import {
  inWordsOfCaller,
  modelOf,
  modelSwitch,
  resolveServer,
  type Setting,
  type Settings,
  vectorStoreOptions,
} from '../resolve-options.ts'

export const doctor: CommandDefinition = {
  run: async (context) => {
    const { config, db } = context.settings
    const path = db.value
    const { findings: found, schemaVersion } = await lookAtDatabase(path)
    const findings = [...found, ...(await openingFindings(context.settings))]
    const ok = findings.every((finding) => finding.ok)
    const bytes = existsSync(path) ? statSync(path).size : null
    await context.print({
      ok,
      mneme: packageVersion(),
      node: process.versions.node,
      sqlite: process.versions.sqlite,
      database: { path, exists: existsSync(path), bytes, schema_version: schemaVersion },
      backups: backupsOf(path),
      config: { value: config.value, source: config.source },
      settings: shownSettings(context.settings),
      findings,
    })
    return ok ? 0 : EXIT_FAILED
  },
}

async function lookAtDatabase(path: string) {
  const ofDatabase = (finding: Omit<Finding, 'check'>) => {
    return { findings: [{ check: 'database', ...finding }], schemaVersion: null }
  }
  if (path === ':memory:') return ofDatabase({ ok: true, detail: 'a database of one process, gone with it' })
  if (!existsSync(path) && !isEmptied(path)) return ofDatabase(howCreated(path))
  try {
    const { inspectStore } = await import('../../../usecases/open.ts')
    const seen = await inspectStore(path)
    const found = seen.findings.map((finding) => withRemedy(finding, path))
    const findings = [...aboutDisk(path), ...aboutVersions(seen), ...found, ...aboutOutbox(seen)]
    return { findings, schemaVersion: seen.schemaVersion }
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    const remedy = remedyFor(error.code, path) ?? error.remedy
    return ofDatabase({ ok: false, detail: error.message, remedy })
  }
}

function howCreated(path: string): Omit<Finding, 'check'> {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const remedy = 'Name a file in a folder that can be written with --db or MNEME_DB.'
  const detail = `${path} does not exist yet and cannot be created: ${folder}`
  if (!statSync(folder).isDirectory()) return { ok: false, detail: `${detail} is no folder`, remedy }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    return { ok: false, detail: `${path} is a link that leads to nothing`, remedy: 'Remove it, or name another file.' }
  const refused = writeRefusal(join(folder, basename(path)))
  if (refused !== null) return { ok: false, detail: refused.message, remedy: refused.remedy }
  return { ok: true, detail: `${path} does not exist yet; memory_init or the first memory_store creates it` }
}

/** A look needs no right to write, which every other command does. */
function aboutDisk(path: string): readonly Finding[] {
  const refused = writeRefusal(path)
  return refused === null ? [] : [{ check: 'disk', ok: false, detail: refused.message, remedy: refused.remedy }]
}

/** Old versions are no fault: the next opening migrates them. */
function aboutVersions({ schemaVersion, newestSchema, termsCurrent }: StoreInspection): readonly Finding[] {
  const detail =
    schemaVersion === 0
      ? 'an empty file; the next command that opens it makes it a database'
      : schemaVersion < newestSchema
        ? `older schema ${schemaVersion}; it will be brought to ${newestSchema}, with a backup beside the file, at the next opening`
        : `opens, with schema version ${schemaVersion}`
  const terms = {
    check: 'index terms',
    ok: true,
    detail: 'cut by older rules; the indexes will be built anew at the next opening',
  }
  return [{ check: 'database', ok: true, detail }, ...(termsCurrent ? [] : [terms])]
}

/** Waiting changes are no fault: the next process with the vector database sends them. */
function aboutOutbox({ outbox: { target, waiting, oldestAt, toFill } }: StoreInspection): readonly Finding[] {
  if (target === null) return []
  const since = oldestAt === null ? '' : `, the oldest since ${new Date(oldestAt).toISOString()}`
  const behind =
    waiting + toFill === 0 ? 'was told of every change' : `${waiting + toFill} changes wait to be sent${since}`
  return [{ check: 'outbox', ok: true, detail: `${target}: ${behind}` }]
}

function withRemedy(finding: Finding, path: string): Finding {
  if (finding.ok) return finding
  const repair = remedyFor('database_damaged', path) ?? ''
  const remedy =
    finding.check === 'file'
      ? repair
      : finding.check === 'log'
        ? `Put ${path}-wal back beside it before anything opens it; if it is lost, \`mneme repair --db ${path}\` accepts what is there.`
        : finding.check === 'words'
          ? `${repair} What is found again then could not be mended: edit or delete it.`
          : 'Run `mneme reindex` with the same --db and look again; export what matters before, if it is precious.'
  return { ...finding, remedy }
}

/** Step-by-step instructions where the error's short remedy is not enough. */
function remedyFor(code: ErrorCode, path: string): string | undefined {
  if (code === 'database_damaged') {
    const backups = backupsOf(path)
    const saved = `Stop what uses ${path}, then \`mneme repair --db ${path}\`: it keeps the damaged file aside and makes a new one from all that can still be read.`
    return backups.length === 0
      ? saved
      : `${saved} Then a copy of ${backups.at(-1)} may take its place: beside an old log it is damaged.`
  }
  if (code === 'database_newer')
    return 'Install the version of Mneme that wrote it, or a newer one; this one leaves the file as it is.'
  if (code === 'not_a_database')
    return `Name another file with --db or MNEME_DB, or move ${path} away; it was left as it is.`
  return undefined
}

function backupsOf(path: string): readonly string[] {
  const folder = dirname(path)
  if (path === ':memory:' || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(path)}.before-`) && name.endsWith('.bak'))
    .sort()
    .map((name) => join(folder, name))
}

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy?: string
}

/** Every option as the config file groups it, with its value and source; the server's where they can be read. */
export function shownSettings(settings: Settings): object {
  const shown = new Map<string, object>([
    ['llm', { enabled: modelSwitch(settings, 'llm') }],
    ['embedding', { enabled: modelSwitch(settings, 'embedding') }],
  ])
  const all: Readonly<Partial<Record<OptionName, Setting<unknown>>>> = { ...settings, ...serverOptions(settings) }
  for (const name of OPTION_NAMES) {
    const [group = '', key] = name.split('.')
    const option = all[name]
    if (option === undefined) continue
    const setting = { value: shownValue(name, option.value), source: option.source }
    shown.set(group, key === undefined ? setting : { ...shown.get(group), [key]: setting })
  }
  for (const [name, value] of Object.entries(settings.overrides))
    shown.set(name, { value, source: settingVariable(name as SettingName) })
  return Object.fromEntries(shown)
}

function serverOptions(settings: Settings) {
  try {
    return resolveServer({}, settings)
  } catch {
    // A wrong option there is a finding.
    return {}
  }
}

/** Keys only as set, and addresses without user, password and parameters, which may hold a key. */
function shownValue(name: OptionName, value: unknown): unknown {
  if (/_key$|\.token$/.test(name)) return value === null ? 'not set' : 'set'
  return /\.(?:base_url|uri)$/.test(name) && typeof value === 'string' ? bareAddress(value) : value
}

function bareAddress(value: string): string {
  const address = value.includes('://') ? value : `http://${value}`
  if (!URL.canParse(address)) return 'not an address'
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Options that would stop a command, with its own errors. Calls no model and no vector database. */
async function openingFindings(settings: Settings): Promise<readonly Finding[]> {
  const { OPENROUTER_API_KEY, OPENAI_API_KEY } = settings.environment
  const unused =
    (OPENROUTER_API_KEY ?? OPENAI_API_KEY) === undefined
      ? ''
      : '; a key alone switches none on: set MNEME_LLM_MODEL or MNEME_LLM_BASE_URL, or `llm` in the config file'
  const ofModel = (part: 'llm' | 'embedding', off: string) => {
    const about = modelSwitch(settings, part).value ? aboutModel(settings, part) : off
    return failureOf(settings, part, () => checked({ [part]: modelOf(settings, part) }), about)
  }
  const found = await Promise.all([
    ofModel('llm', `none, rules think${unused}`),
    ofModel('embedding', 'none, recall goes by words; MNEME_EMBEDDING switches one on'),
    vectorStoreFinding(settings),
    failureOf(settings, 'settings', () => checked(openOptions(settings))),
    failureOf(settings, 'server', async () => resolveServer({}, settings)),
  ])
  return found.filter((finding) => finding !== null)
}

function aboutModel(settings: Settings, part: 'llm' | 'embedding'): string {
  const provider = settings[`${part}.provider`].value
  const { value: address } = settings[`${part}.base_url`]
  const place = address === null || provider === 'local' ? '' : ` at ${bareAddress(address)}`
  const tried = provider === 'local' ? 'it can be loaded' : 'it was not asked'
  return `${provider}, ${settings[`${part}.model`].value ?? 'its default model'}${place}; ${tried}`
}

async function vectorStoreFinding(settings: Settings): Promise<Finding | null> {
  const { value } = settings['vector_store.uri']
  if (value === null) return null
  const check = 'vector store'
  const place = `milvus at ${bareAddress(value)}`
  const store = { vectorStore: vectorStoreOptions(settings) }
  if (modelSwitch(settings, 'embedding').value)
    return failureOf(settings, check, () => checked(store), `${place}; it was not asked`)
  const detail = `${place} is configured, but no embedding model, so that nothing ever comes there`
  const remedy = 'Name an embedding model (MNEME_EMBEDDING), or leave MILVUS_URI out.'
  return { check, ok: false, detail, remedy }
}

async function checked(options: OpenOptions): Promise<void> {
  const { checkOptions } = await import('../../library/open-memory.ts')
  await checkOptions(options)
}

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
    const told = inWordsOfCaller(settings, error)
    if (!(told instanceof MnemeError)) throw told
    return { check, ok: false, detail: told.message, remedy: told.remedy }
  }
}
