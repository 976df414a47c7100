/** Where does another matter begin, among the sentences that are kept together and among the clauses of one? */

import type { KeptPart } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { clausesOf } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { OWN_SUBJECT, withSubject } from '../facts/own-subject.ts'
import { PRONOUN_SUBJECT, peopleOf } from '../facts/people.ts'
import { plainTopics, topicsOf } from '../facts/topics.ts'
import { withoutLead } from '../summarizer/statement.ts'

/** Every clause is read with those before it, so a longer sentence is left whole. */
const LONGEST = 500
/** The speaker or a thing of theirs, alone or with others, who may have been named right before. */
const BEGINS = /^(?:i|i['’](?:m|ve|d|ll)|my)\b|^(?:我|俺)(?!们)/iu
const BEGINS_TOGETHER = /^(?:we|we['’](?:re|ve|ll|d)|our)\b|^(?:我们|咱)/iu
const JOINED = /^(?:and|but)\s+/i
/** Words that tie a clause to the reason, time or condition before it. */
const TIED = /^\s*(?:so|while|because)\s*$/i
const TIED_NEXT =
  /^(?:so|because|since|which|who|where|when|if|then|that|as|though|although|for|until|unless|too|either)\b|^(?:所以|因为|因此|于是|然后|但|不过|如果|虽然|结果|比如|就|才|也|都|还|否则|要不)/iu
/** A sentence that takes back a part of the one before, or draws from it. */
const GOES_ON = /^(?:but|however|so|then|plus)\b|^(?:但|不过|可是|所以|然后|因此)/i
/** Something that was named before. */
const NAMED_BEFORE =
  /\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|there|that|this|these|those|one|ones|both|either|neither|same|too|instead)\b|[它他她]|那(?:里|边|个|家|儿|只|时)|这(?:里|边|个|家|儿|只|样)/iu

/** The parts, those that say several things taken apart; in order. */
export function separateClauses(parts: readonly KeptPart[]): readonly KeptPart[] {
  return parts.flatMap((part) => separated(part))
}

function separated(part: KeptPart): readonly KeptPart[] {
  const { text } = part
  const begins = [BEGINS, BEGINS_TOGETHER].find((words) => words.test(text))
  if (begins === undefined || text.length > LONGEST || splitSentences(text).length > 1) return [part]
  const alone = (clause: string): string => withSubject(clause.trim().replace(JOINED, ''), text)
  const clauses = clausesOf(text, (next, before, mark) => {
    const own = alone(next)
    if (TIED.test(mark) || TIED_NEXT.test(own) || !begins.test(own) || NAMED_BEFORE.test(own)) return false
    const mine = attributesOf(own)
    if (mine.length === 0) return false
    const theirs = attributesOf(before)
    const isTold = theirs.length > 0 || (isOfAnother(own) && tenseAt(before, 0, 0) !== null)
    return isTold && !mine.some((one) => theirs.includes(one))
  })
  if (clauses.length < 2) return [part]
  const parts = clauses.map(alone)
  const attributes = parts.flatMap(attributesOf)
  // Together they name every thing once.
  if (new Set(attributes).size < attributes.length) return [part]
  return parts.map((clause) => ({ ...part, text: clause }))
}

/** The attributes that a clause states, with their owners; in Chinese plainly named topics count too. */
function attributesOf(text: string): readonly string[] {
  const stated = extractFacts(text, { who: 'user', now: 0 }).map(({ about, key }) =>
    about === 'user' ? key : `${about}: ${key}`,
  )
  return [...new Set([...stated, ...(hasHan(text) ? plainTopics(topicsOf(text)) : [])])]
}

/** Whether a sentence names its own subject and nothing ties it to those before it. */
export function namesSubject(sentence: string, before: string): boolean {
  const own = withoutLead(sentence)
  if (/[:：]$/.test(before) || GOES_ON.test(sentence) || TIED_NEXT.test(own) || NAMED_BEFORE.test(own)) return false
  const earlier = withoutLead(before)
  // Whom "we" means may have been said.
  if (BEGINS_TOGETHER.test(own) && (BEGINS.test(earlier) || isOfAnother(earlier))) return false
  return OWN_SUBJECT.test(own) || isOfAnother(own)
}

/** Whether a sentence is told of people with a name or a relation alone, or states something of one. */
export function isOfAnother(sentence: string): boolean {
  const own = withoutLead(sentence)
  const { subjects } = peopleOf(own)
  if (!subjects.has('user') && !subjects.has(PRONOUN_SUBJECT)) return true
  const owners = extractFacts(own, { who: 'user', now: 0 }).map(({ about }) => about)
  return owners.length > 0 && !owners.includes('user') && !owners.includes('someone')
}
