/** The settings that can change while Mneme runs (001): names, meaning, bounds and defaults. */
import { checkBoolean, checkInteger } from './checks.ts'
import { invalid } from './errors.ts'

export interface SettingValues {
  /** Memories that are put into a context for one message. */
  readonly 'memory.rag_top_n': number
  /** Most tokens of turns and memories that are put into a context, unless the call sets its own budget. */
  readonly 'memory.evidence_tokens': number
  /** true: a model may search memories itself, with the tool `search_memories`. */
  readonly 'memory.enable_agentic_search': boolean
  /** true: the profile is put into the context. */
  readonly 'memory.enable_user_profile': boolean
  /** Longest text, in characters, of a memory that thinking writes. */
  readonly 'memory.atomic_content_max_length': number
  /** Summaries of other conversations that are put into a context. */
  readonly 'memory.session_summary_limit': number
  /** Messages of the rolling window; two more, the system message among them, are tolerated. */
  readonly context_limit: number
}
export type SettingName = keyof SettingValues

export const SETTING_DEFAULTS: SettingValues = {
  'memory.rag_top_n': 5,
  'memory.evidence_tokens': 2000,
  'memory.enable_agentic_search': true,
  'memory.enable_user_profile': true,
  'memory.atomic_content_max_length': 1000,
  'memory.session_summary_limit': 5,
  context_limit: 20,
}
export const SETTING_NAMES = Object.keys(SETTING_DEFAULTS) as readonly SettingName[]

type Bounds = readonly [least: number, most: number]
type NumberSetting = { [Name in SettingName]: SettingValues[Name] extends number ? Name : never }[SettingName]

/** Every number has bounds; a setting without them is a switch. */
export const SETTING_BOUNDS: Record<NumberSetting, Bounds> & Partial<Record<SettingName, Bounds>> = {
  'memory.rag_top_n': [0, 100],
  'memory.evidence_tokens': [0, 1_000_000],
  'memory.atomic_content_max_length': [50, 100_000],
  'memory.session_summary_limit': [0, 100],
  context_limit: [0, 10_000],
}

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
  const bounds = SETTING_BOUNDS[name]
  return bounds === undefined ? checkBoolean(name, value) : checkInteger(name, value, bounds[0], bounds[1])
}
