/** Whom does the model mean? The user has many names in an answer; every other person keeps the one that was said. */
import { oneLine } from '../answers/bounded.ts'
import { shareFound } from '../answers/grounding.ts'
import { steersAssistant } from '../answers/instruction.ts'
import type { ExchangeSources } from './sources.ts'

const LONGEST_NAME = 100
const USER =
  /^(?:the )?(?:user|users|speaker|writer|author|me|myself|i|self|user's|owner)$|^(?:该|这位|本)?(?:用户|使用者)(?:本人|自己)?$|^(?:我|本人|自己)$/i

/** `user`, or the person's name as it was written; null for somebody of whom nobody spoke. */
export function personName(name: string | null | undefined, sources: ExchangeSources): string | null {
  const given = oneLine(name, LONGEST_NAME)
  if (given === '' || USER.test(given)) return 'user'
  return shareFound(given, sources.allTerms) === 0 || steersAssistant(given) ? null : given
}
