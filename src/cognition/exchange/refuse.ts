/** May this text of a model become a memory of this user? It must come from the exchange, in its language, and steer nobody. */
import { splitSentences } from '../../text/sentences.ts'
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { ordersAssistant, steersAssistant } from '../answers/instruction.ts'
import { holdsUnsaidDetail } from '../answers/unsaid-details.ts'
import { inSameScript } from '../answers/written-script.ts'
import type { ExchangeSources } from './sources.ts'

/** Why a text is refused. */
export type TextRefusal =
  | 'steers the assistant'
  | "is not in the user's language"
  | 'repeats what was already remembered'
  | 'was not said'
  | 'holds a detail that nobody said'

/** From this share on a text says what an injected memory says. */
const REPEATED_SHARE = 0.7
/**
 * Below this share of its telling words a record does not come from the exchange; models retell in words of their own.
 * Of 1,350 unrelated pairs of messages 3.2 % (English) and 0.4 % (Chinese) reach it (extraction-dev, labels unused).
 */
const SAID_SHARE = 0.1
const OTHERS_SHARE = 0.3
/** From this share on an order is the user's own wish. */
const OWN_ORDER_SHARE = 0.7
/** So many telling words and none of them said: the sentence is made up. */
const TELLING_SENTENCE = 4

/** The reason to refuse a sentence; null when there is none. */
export function refuseText(text: string, sources: ExchangeSources): TextRefusal | null {
  if (steers(text, sources)) return 'steers the assistant'
  if (!inSameScript(sources.userText, text)) return "is not in the user's language"
  if (repeatsInjected(text, sources)) return 'repeats what was already remembered'
  const said = shareFound(text, sources.allTerms)
  if (said !== null && said < SAID_SHARE) return 'was not said'
  return holdsUnsaidDetail(text, sources.details) ? 'holds a detail that nobody said' : null
}

/** true for a text that orders an assistant about, unless the user's own words give that order. */
export function steers(text: string, { userTerms }: ExchangeSources): boolean {
  if (steersAssistant(text)) return true
  return ordersAssistant(text) && (shareFound(text, userTerms) ?? 0) < OWN_ORDER_SHARE
}

/**
 * The text without sentences none of whose words were said, or with a number or name that was not; a sentence of few
 * words, or of a worked-out date, stays, and so does a text that has no other sentence.
 */
export function saidSentences(text: string, sources: ExchangeSources): string {
  const sentences = splitSentences(text)
  const said = sentences.filter((sentence) => {
    const words = [...tellingTerms(sentence)].filter((term) => !/^[\d.:-]+$/.test(term))
    if (holdsUnsaidDetail(sentence, sources.details)) return false
    return words.length < TELLING_SENTENCE || words.some((word) => sources.allTerms.has(word))
  })
  if (said.length === sentences.length || said.length === 0) return text
  return said.join(/\p{Script=Han}/u.test(text) ? '' : ' ')
}

/** true when what was said of this was mostly said by others: the assistant, a tool, a pasted page. */
export function saidByOthers(text: string, sources: ExchangeSources): boolean {
  const all = shareFound(text, sources.allTerms) ?? 0
  return all >= OTHERS_SHARE && (shareFound(text, sources.userTerms) ?? 0) < all / 2
}

/** true when a memory that was put into the context says it, and the user does not say more of it. */
export function repeatsInjected(text: string, sources: ExchangeSources): boolean {
  if (sources.injected.length === 0) return false
  const own = shareFound(text, sources.userTerms) ?? 0
  return sources.injected.some((terms) => {
    const share = shareFound(text, terms) ?? 0
    return share >= REPEATED_SHARE && share > own
  })
}
