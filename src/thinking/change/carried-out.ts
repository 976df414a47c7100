/** Has a told change happened, and to what the older statement is about? A wish, a near miss and another's change end nothing. */
import { readOnce } from '../../domain/read-once.ts'
import { clausesOf } from '../facts/clauses.ts'
import { tellingTerm, wordsIn } from '../topic/common-words.ts'
import type { Overlap } from './overlap.ts'
import type { Profile } from './statement-parts.ts'

const NOT_DONE =
  /\b(?:(?:want(?:ed|s)?|tried|trying|offer(?:ed|s)?|ask(?:ed|s)?|threaten(?:ed|s)?|plan(?:ned|s)?|hop(?:ed|ing)|thought about|think(?:ing)? (?:about|of)) (?:\w{1,20} ){0,3}?(?:to|\w{2,20}ing)\b|suggest(?:ed|s)?|propos(?:ed|es)|consider(?:ed|ing|s)?|almost|nearly|might|(?<!\b(?:in|since|until|by|of|from|this|last|next|early|late|mid) )may(?= [a-z])|could|would have|should)|差点|差一点|想(?!象|到|起|念)|可能|也许|打算|考虑|建议|提议|本来要/i
const UNDONE = /\b(?:rolled (?:it |that |this )?back|reverted|undid)\b|回滚|退回去了|又(?:改|换)回/i

/** Whether all clauses that speak of the older statement tell of something that did not happen, or not yet. */
export function isNotDone({ text }: Profile, older: Profile): boolean {
  if (UNDONE.test(text)) return true
  if (!NOT_DONE.test(text) || NOT_DONE.test(older.text)) return false
  const shared = clausesOf(text).filter((clause) => speaksOf(clause, older))
  return shared.length > 0 && shared.every((clause) => NOT_DONE.test(clause))
}

function speaksOf(clause: string, { terms, topics, text }: Profile): boolean {
  const telling = wordsIn(clause).map(tellingTerm)
  return telling.some((term) => term !== null && (terms.has(term) || topics.has(term) || text.includes(term)))
}

const OTHERS =
  /(?:^|[,;.!?]\s{0,3}|\b(?:and|but|so|that|says?|lol|btw) )((?:their|his|her|the other|another|someone|somebody|some (?:other )?\w{2,20}|a (?:client|friend|colleague|customer|neighbou?r|coworker|mate|guy)|my [\w-]{2,20}['’]s?)(?= ))|(?:^|[，。！？；\s])((?:隔壁|别的|另一个|人家|他们|她们|有人|客户|别人)(?!把)[^，。！？\s]{0,4}?)/giu
const POSSESSED = /(?:\b(?:his|her|their)|['’]s) (?:[\w-]{1,20} )?([\w-]{2,30})/gi
const OWN = /\b(?:i|we|me|us|my(?! [\w-]{2,20}['’]s)|our|mine|ours)\b|[我咱]/i

/** Whose else it is, in words of a text that says nothing of its writer. */
const othersIn = readOnce('others', (text): readonly string[] =>
  OWN.test(text)
    ? []
    : Array.from(text.matchAll(OTHERS), ([, english, chinese]) => (english ?? chinese)!.toLowerCase()),
)

/** "The other team moved", "their standup", 隔壁组: somebody else's, unless the older statement is of the same. */
export function isAnothers({ text }: Profile, older: Profile, { terms }: Overlap): boolean {
  const told = older.text.toLowerCase()
  if (othersIn(text).some((words) => !told.includes(words))) return true
  if (/\b(?:his|her|their)\b|['’]s /i.test(told)) return false
  return [...text.matchAll(POSSESSED)].some(([, word]) => terms.includes(tellingTerm(word!) ?? ''))
}
