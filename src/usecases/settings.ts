/** Which settings hold now? Those of the process override the database's, and these the defaults. */

import { checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { SettingsStore } from '../domain/contracts/store.ts'
import { invalid } from '../domain/errors.ts'
import { MEMORY_RETRIEVAL_LIMIT } from '../domain/limits.ts'
import {
  checkSetting,
  checkSettingName,
  SETTING_BOUNDS,
  SETTING_DEFAULTS,
  SETTING_NAMES,
  type SettingName,
  type SettingState,
  type SettingValues,
} from '../domain/settings.ts'

/** The settings given at the start of the process, and the name of their source. */
export interface SettingOverrides {
  readonly values: Partial<SettingValues>
  readonly source: string
}

/** The dependencies of knowing the settings. */
export interface SettingsDependencies {
  readonly settings: SettingsStore
  readonly overrides: SettingOverrides
  /** 000, MEMORY_RETRIEVAL_LIMIT: where `memory.rag_top_n` was not set, it says how many memories a message brings. */
  readonly retrievalLimit: number
  readonly clock: Clock
}

/** Every setting with its value and source. */
export type SettingStates = { readonly [Name in SettingName]: SettingState<SettingValues[Name]> }

/** Every setting as it holds now. */
export async function settingStates({
  settings,
  overrides,
  retrievalLimit,
}: SettingsDependencies): Promise<SettingStates> {
  const stored = await settings.all()
  const states = SETTING_NAMES.map((name): [SettingName, SettingState] => {
    const over = overrides.values[name]
    if (over !== undefined) return [name, { value: over, source: overrides.source }]
    if (stored.has(name)) return [name, { value: stored.get(name), source: 'database' }]
    if (name === 'memory.rag_top_n' && retrievalLimit !== MEMORY_RETRIEVAL_LIMIT)
      return [
        name,
        { value: Math.min(retrievalLimit, SETTING_BOUNDS[name]?.[1] ?? retrievalLimit), source: 'retrieval_limit' },
      ]
    return [name, { value: SETTING_DEFAULTS[name], source: 'default' }]
  })
  return Object.fromEntries(states) as unknown as SettingStates
}

/** The values alone. */
export async function settingValues(dependencies: SettingsDependencies): Promise<SettingValues> {
  const states = await settingStates(dependencies)
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, states[name].value])) as unknown as SettingValues
}

/** Changes settings, all or none; null takes one back to its default. Rejects with `invalid`. */
export async function changeSettings(dependencies: SettingsDependencies, changes: unknown): Promise<SettingStates> {
  const { settings, overrides, clock } = dependencies
  const values = Object.entries(checkRecord('settings', changes, SETTING_NAMES)).map(([key, value]) => {
    const name = checkSettingName(key)
    if (overrides.values[name] !== undefined)
      throw invalid(name, `is fixed by ${overrides.source}`, 'Start the process without it to change it here.')
    return [name, value === null ? null : checkSetting(name, value)] as const
  })
  await settings.set(Object.fromEntries(values), clock().getTime())
  return settingStates(dependencies)
}
