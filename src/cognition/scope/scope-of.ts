/**
 * Does what is said in a project hold in that project, or is it about the person and holds everywhere? Who they are, how
 * they live, what they like and how they want to be answered is theirs; versions, ports, tools, rules and decisions are the
 * project's, and so is whatever says nothing plain about the person.
 */
import type { Memory } from '../../domain/memory.ts'
import { slotNamed, topicsOf } from '../facts/topics.ts'
import { speaksOfSystems } from '../notes/technical.ts'

/** Attributes of a project; all other slots are of a person. */
const OF_PROJECT = new Set(
  `backend frontend programming_language database orm cache queue search_engine hosting deploy_tool ci repository branch
  package_manager build_tool test_framework formatter code_style monitoring auth port api_key version framework
  payment_provider mail_service cdn docs_tool state_management logging api_style environment feature_flags message_format
  scripts backup release_day review licence_of_code domain dns server_address region secrets registry container
  infrastructure_code web_server alerting tracing error_tracking analytics bi_tool warehouse etl dataset model vector_store
  object_storage sms_provider cms rate_limit timeout retention rotation coverage mobile_stack game_engine`.split(/\s+/),
)
/** Attributes of either: what they are of is told by the words around them. */
const OF_EITHER = new Set(
  `project side_project blog website client business team team_size colleague boss meeting deadline on_call goal schedule
  task_tool chat_tool design_tool crm help_desk survey_tool invoicing vpn ai_assistant theme font timezone temperature
  dictionary email appointment review home`.split(/\s+/),
)
const REPLY_STYLE = 'reply_style'
/** The person who writes, in the person's words or those of a model. */
const PERSON = /\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|we|our|us|the user|user['’]s)\b|^user\b|[我咱俺]|用户(?!名|表|数)/i
/** Their taste: it goes with them from project to project. */
const OWN_TASTE =
  /\b(?:i|user)(?:['’]d)? (?:\w+ )?(?:prefers?|likes?|loves?|hates?|dislikes?|enjoys?|can['’]?t stand)\b|\bmy favou?rite\b|(?:我|用户)(?:个人|比较|更|最|很|特别|一直)?(?:喜欢|偏爱|偏好|讨厌|习惯用|爱用|不爱)/i
/** What the user would like done is no taste. */
const WISH = /\bi(?:['’]d| would) (?:\w+ )?like (?:to|you|it|the|a)\b/i

/** The project in which a memory holds that was said in `project`; null: everywhere. */
export function scopeOf({ text, key }: Pick<Memory, 'text' | 'key'>, project: string | null): string | null {
  return project === null || isAboutPerson(text, key) ? null : project
}

function isAboutPerson(text: string, key: string | null): boolean {
  const topics = [...topicsOf(text)].filter(([, weight]) => weight >= 1).map(([name]) => name)
  if (key === REPLY_STYLE || topics.includes(REPLY_STYLE)) return true
  if (OWN_TASTE.test(text) && !WISH.test(text)) return true
  if (key !== null && OF_PROJECT.has(key)) return false
  if (key !== null && slotNamed(key) !== undefined && !OF_EITHER.has(key)) return true
  if (topics.some((name) => OF_PROJECT.has(name)) || speaksOfSystems(text)) return false
  const ofPerson = [...topics, ...(key === null ? [] : [key])].some(
    (name) => slotNamed(name) !== undefined && !OF_EITHER.has(name),
  )
  return PERSON.test(text) && (ofPerson || topics.includes('home') || key === 'home')
}
