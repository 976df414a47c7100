/** Can a clause stand alone as something the user says of himself? Whether it names its subject, and with the one that was said before. */
import { peopleOf } from './people.ts'

/** A clause that can stand alone begins with its subject. */
export const OWN_SUBJECT = /^(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve)|my|our|the)\b|^(?:我|咱|俺|我们|现在|目前)/iu

/** "I live in Porto and work for a shipyard": the subject is said once, in front. */
const PRONOUN_FIRST = /^(i|we|he|she|they)(?:['’](?:m|ve|d|ll|s|re))?\s/i
const JOINED = /\b(?:and|but)\s{1,40}$/i
/** Words after "and" that are no verb. */
const NO_VERB =
  /^(?:an?|the|my|our|his|her|their|its|this|that|these|those|some|any|no|not|one|two|three|four|five|\d|in|at|on|from|near|with|for|of|by|to|as|about|also|now|then|so|who|which|where|when)\b|^\p{Lu}|^\w+(?:ing|ly)\b/u
/** 我叫林静，住在杭州: Chinese says the subject once, and the next clause begins with its verb. */
const HAN_FIRST = /^(我们?|咱们?|俺)(?!的)/u
const HAN_VERB =
  /^(?:目前|现在|今年|平时|一直|从来|刚)?(?:住|在|是|做|当|养|有|没有|用|开|学|教|读|玩|练|打|踢|弹|吃|喝|不吃|不喝|喜欢|不喜欢|爱|讨厌|对|来自|毕业|搬|换|买|入职|负责|坐|骑|戴|属|\d+岁)/u

/** A clause of the text, with the pronoun that the text begins with where the clause goes on without one. */
export function withSubject(clause: string, text: string): string {
  if (OWN_SUBJECT.test(clause)) return clause
  const before = text.slice(0, text.indexOf(clause))
  const [, pronoun] = PRONOUN_FIRST.exec(text) ?? []
  if (pronoun !== undefined && JOINED.test(before) && !NO_VERB.test(clause)) return `${pronoun} ${clause}`
  const [, own] = HAN_FIRST.exec(text) ?? []
  if (own !== undefined && /[，,；;]\s{0,40}$/u.test(before) && HAN_VERB.test(clause) && isOfUserAlone(before))
    return own + clause
  return clause
}

/** 我女朋友是护士，住在…: it goes on about her. */
function isOfUserAlone(before: string): boolean {
  const { subjects, mentioned, names } = peopleOf(before)
  return subjects.has('user') && subjects.size === 1 && mentioned.size === 0 && names.size === 0
}
