/** May this value become a fact, and is it the user's own statement? A value was said, or the user's words vouch for it. */
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { holdsUnsaidDetail } from '../answers/unsaid-details.ts'
import { inSameScript } from '../answers/written-script.ts'
import { repeatsInjected, steers, type TextRefusal } from './refuse.ts'
import type { ExchangeSources } from './sources.ts'

/** Below this share of its words a value was not said as it stands. */
const SAID_SHARE = 0.3
/** From this share on a sentence that the model copied is the user's. */
const COPIED_SHARE = 0.7
/** Yes and no, and numbers that were said, can be a value in other words; they cannot smuggle anything in. */
const TELLS_NOTHING = /^(?:[\d\s.,:%+-]+|true|false|yes|no|none|是|否|有|无|没有)$/i

/** `stated`: in the user's own words. `heard`: in anybody's words. `concluded`: from words of the user that vouch for it. */
export type ValueOrigin = 'stated' | 'heard' | 'concluded'

/** Where the value comes from, or why it is refused. `copied` is the sentence that the model gives for it. */
export function judgeValue(
  value: string,
  copied: string,
  sources: ExchangeSources,
): { readonly origin: ValueOrigin } | { readonly refusal: TextRefusal } {
  if (steers(value, sources) || steers(copied, sources)) return { refusal: 'steers the assistant' }
  if (repeatsInjected(value, sources)) return { refusal: 'repeats what was already remembered' }
  if (holdsUnsaidDetail(value, sources.details)) return { refusal: 'holds a detail that nobody said' }
  if (isSaid(value, sources.userTerms, sources.userText))
    return { origin: isCompletedByOthers(value, sources) ? 'heard' : 'stated' }
  if (isSaid(value, sources.allTerms, sources.allText)) return { origin: 'heard' }
  if (TELLS_NOTHING.test(value)) return { origin: 'concluded' }
  // "I do not eat meat" → vegetarian: no word of the value was said, and yet it is what was said.
  const vouched = (shareFound(copied, sources.userTerms) ?? 0) >= COPIED_SHARE
  if (vouched && inSameScript(sources.userText, value)) return { origin: 'concluded' }
  return { refusal: 'was not said' }
}

/** One shared word makes no statement: what the user did not say of it, somebody else did. */
function isCompletedByOthers(value: string, { userTerms, allTerms }: ExchangeSources): boolean {
  return [...tellingTerms(value)].some((term) => !userTerms.has(term) && allTerms.has(term))
}

function isSaid(value: string, terms: ReadonlySet<string>, text: string): boolean {
  const share = shareFound(value, terms)
  return share === null ? holdsWord(text.toLowerCase(), value.toLowerCase()) : share >= SAID_SHARE
}

/** `C` is not in "since"; 茶 is in 喝茶. */
function holdsWord(text: string, word: string): boolean {
  const spaced = (character: string | undefined): boolean => /[\p{Script=Latin}\p{N}]/u.test(character ?? '')
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const joined = (spaced(text[at - 1]) && spaced(word[0])) || (spaced(text[end]) && spaced(word.at(-1)))
    if (!joined) return true
  }
  return false
}
