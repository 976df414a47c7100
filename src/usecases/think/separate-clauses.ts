/**
 * A sentence with several statements about the user becomes several memories, as each can change ("I'm Rosa, I live in
 * Turin"). Only clauses with different attributes that stand alone are taken apart.
 */

import type { KeptPart } from '../../domain/thought.ts'
import { splitSentences } from '../../language/sentences.ts'
import { clausesOf } from '../../thinking/facts/clauses.ts'
import { extractFacts } from '../../thinking/facts/extract-facts.ts'
import { withSubject } from '../../thinking/facts/own-subject.ts'
import { plainTopics, topicsOf } from '../../thinking/facts/topics.ts'

/** Every clause is read with those before it, so a longer sentence is left whole. */
const LONGEST = 500
/** The speaker or a thing of theirs, alone or with others, who may have been named right before. */
const BEGINS = /^(?:i|i['’](?:m|ve|d|ll)|my)\b|^(?:我|俺)(?!们)/iu
const BEGINS_TOGETHER = /^(?:we|we['’](?:re|ve|ll|d)|our)\b|^(?:我们|咱)/iu
const JOINED = /^(?:and|but)\s+/i
/** Words that tie a clause to the reason, time or condition before it. */
const TIED = /^\s*(?:so|while)\s*$/i
const TIED_NEXT =
  /^(?:so|because|since|which|who|where|when|if|then|that|as|though|although|for|until|unless|too|either)\b|^(?:所以|因为|因此|于是|然后|但|不过|如果|虽然|结果|比如|就|才|也|都|还|否则|要不)/iu
/** Something that was named before. */
const POINTS_BACK =
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
    if (TIED.test(mark) || TIED_NEXT.test(own) || !begins.test(own) || POINTS_BACK.test(own)) return false
    const [mine, theirs] = [attributesOf(own), attributesOf(before)]
    return mine.length > 0 && theirs.length > 0 && !mine.some((one) => theirs.includes(one))
  }).map(alone)
  const attributes = clauses.flatMap(attributesOf)
  // Together they name every thing once.
  if (clauses.length < 2 || new Set(attributes).size < attributes.length) return [part]
  return clauses.map((clause) => ({ ...part, text: clause }))
}

/**
 * The attributes that a clause states, with their owners; a clause without any has no verb, or another subject. In
 * Chinese, where the verb names the topic, plainly named topics count too.
 */
function attributesOf(text: string): readonly string[] {
  const stated = extractFacts(text, { who: 'user', now: 0 }).map(({ about, key }) =>
    about === 'user' ? key : `${about}: ${key}`,
  )
  return [...new Set([...stated, ...(/\p{Script=Han}/u.test(text) ? plainTopics(topicsOf(text)) : [])])]
}
