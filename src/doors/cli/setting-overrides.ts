/** The settings of specification 001 that the environment fixes; they override those in the database. */
import { invalid, MnemeError } from '../../domain/errors.ts'
import { checkSetting, type SettingName } from '../../domain/settings.ts'
import type { Environment } from '../config/environment.ts'
import { wholeNumber } from './flag-values.ts'

/** The variable of each setting. */
export const SETTING_VARIABLES = {
  'memory.rag_top_n': 'MEMORY_RAG_TOP_N',
  'memory.evidence_tokens': 'MEMORY_EVIDENCE_TOKENS',
  'memory.enable_agentic_search': 'MEMORY_ENABLE_AGENTIC_SEARCH',
  'memory.enable_user_profile': 'MEMORY_ENABLE_USER_PROFILE',
  'memory.atomic_content_max_length': 'MEMORY_ATOMIC_CONTENT_MAX_LENGTH',
  'memory.session_summary_limit': 'MEMORY_SESSION_SUMMARY_LIMIT',
  context_limit: 'MNEME_CONTEXT_LIMIT',
} as const satisfies Record<SettingName, keyof Environment>

const SWITCHES: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false }

/** The values by name of the setting; throws `invalid` naming the variable. */
export function settingOverrides(environment: Environment): Readonly<Record<string, number | boolean>> {
  const overrides: Record<string, number | boolean> = {}
  for (const [name, variable] of Object.entries(SETTING_VARIABLES)) {
    const text = environment[variable]
    if (text !== undefined) overrides[name] = settingValue(name as SettingName, variable, text)
  }
  return overrides
}

/** A text as the value of a setting; `field` is what to call it when it does not fit. */
export function settingValue(name: SettingName, field: string, text: string): number | boolean {
  const isSwitch = name.startsWith('memory.enable_')
  const value = isSwitch ? SWITCHES[text.toLowerCase()] : wholeNumber(field, text)
  if (value === undefined) throw invalid(field, `${JSON.stringify(text)} is no switch`, 'Use true or false.')
  try {
    return checkSetting(name, value)
  } catch (error) {
    if (!(error instanceof MnemeError)) throw error
    throw new MnemeError(error.code, error.message.replace(name, field), { field, remedy: error.remedy })
  }
}
