/** The settings that can change while Mneme runs (001): names, meaning, bounds and defaults. */
import { check } from './checks.ts'
import { invalid } from './errors.ts'

export interface SettingRow {
  readonly byDefault: number | boolean
  /** The least and the greatest value of a number; a switch has none. */
  readonly bounds?: readonly [least: number, most: number]
  readonly help: string
}

/** Each setting with its default, its bounds and its meaning in the docs. */
export const SETTINGS = {
  'memory.rag_top_n': { byDefault: 5, bounds: [0, 100], help: 'memories in a context' },
  'memory.evidence_tokens': {
    byDefault: 2000,
    bounds: [0, 1_000_000],
    help: 'tokens of turns and memories that are recalled for a message; a call that names a budget has its own',
  },
  'memory.enable_agentic_search': {
    byDefault: true,
    help: 'a model may search by itself, with the tool `search_memories`',
  },
  'memory.enable_user_profile': { byDefault: true, help: 'the profile is in the context' },
  'memory.atomic_content_max_length': {
    byDefault: 1000,
    bounds: [50, 100_000],
    help: 'longest memory that thinking writes, characters',
  },
  'memory.session_summary_limit': {
    byDefault: 5,
    bounds: [0, 100],
    help: 'other conversations that a context tells of',
  },
  context_limit: {
    byDefault: 20,
    bounds: [0, 10_000],
    help: 'messages of the rolling window; two more, the system message among them, are tolerated',
  },
} as const satisfies Readonly<Record<string, SettingRow>>

/** The value of each setting. */
export type SettingValues = {
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['byDefault'] extends boolean ? boolean : number
}
export type SettingName = keyof SettingValues
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

/** A setting's value and where it comes from: `default`, `database`, or what overrides the database. */
export interface SettingState<T = unknown> {
  readonly value: T
  readonly source: string
}

/** The checked name of a setting; throws `invalid` listing the known ones. */
export function checkSettingName(name: string): SettingName {
  if ((SETTING_NAMES as readonly string[]).includes(name)) return name as SettingName
  throw invalid(name, 'is no setting', `Use one of: ${SETTING_NAMES.join(', ')}.`)
}

/** A value that fits the setting; throws `invalid` naming it. */
export function checkSetting(name: SettingName, value: unknown): number | boolean {
  const { bounds }: SettingRow = SETTINGS[name]
  return bounds === undefined ? check.boolean(name, value) : check.integer(name, value, bounds[0], bounds[1])
}
