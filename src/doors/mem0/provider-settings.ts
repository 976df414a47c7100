/** What a part of mem0's configuration says: a provider, and settings by name in either spelling. */
import { checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { camelName, snakeName } from '../operations/names.ts'

/** Settings by name; none of those that `settingsOf` returns is undefined or null. */
export type Settings = Readonly<Record<string, unknown>>

/** The two names of a part (`llm`); throws `invalid` where it is no object, or has others. */
export function partOf(field: string, given: unknown): { readonly provider?: unknown; readonly config?: Settings } {
  if (given === undefined || given === null) return {}
  const { provider, config } = checkRecord(field, given, ['provider', 'config'])
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(config === undefined ? {} : { config: checkRecord(`${field}.config`, config) }),
  }
}

/**
 * The settings by name in snake_case, as mem0 takes them either way; those without effect are passed over. Throws
 * `invalid` for one that is not known here, and for one that says two things in two spellings.
 */
export function settingsOf(
  field: string,
  config: Settings,
  known: readonly string[],
  withoutEffect: readonly string[],
): Settings {
  const settings: Record<string, unknown> = {}
  for (const [written, value] of Object.entries(config)) {
    const name = snakeName(written.replace('baseURL', 'baseUrl').replace('BaseURL', 'BaseUrl'))
    if (value === undefined || value === null || withoutEffect.includes(name)) continue
    if (!known.includes(name))
      throw invalid(`${field}.${written}`, 'is not known here', `Use: ${known.map(settingName).join(', ')}.`)
    if (settings[name] !== undefined && settings[name] !== value)
      throw invalid(`${field}.${written}`, 'is given twice, differently', 'Give it once.')
    settings[name] = value
  }
  return settings
}

/** The name of a setting as mem0's TypeScript documentation writes it. */
export function settingName(name: string): string {
  return camelName(name).replace(/[bB]aseUrl$/, (base) => base.replace('Url', 'URL'))
}

/** A setting that is text; throws `invalid` for what is none, or is empty. */
export function textOf(field: string, value: unknown, remedy = 'Pass a string.'): string {
  if (typeof value !== 'string') throw invalid(field, 'must be text', remedy)
  if (value.trim() === '') throw invalid(field, 'is empty', remedy)
  return value
}
