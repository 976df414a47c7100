/**
 * A sentence that says several things about the user is kept as several memories: "I'm Rosa, I live in Turin and work as a
 * luthier" is a name, a home and a job, and each can change by itself. Only clauses that speak of different things, and that
 * anybody understands without the others, are taken apart, in the user's words.
 */
import { clausesOf } from '../../cognition/facts/clauses.ts'
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { withSubject } from '../../cognition/facts/own-subject.ts'
import { plainTopics, topicsOf } from '../../cognition/facts/topics.ts'
import type { KeptPart } from '../../domain/thought.ts'

/** Whoever speaks, or what is theirs: alone, or together with others, who may have been named right before. */
const BEGINS = /^(?:i|i['’](?:m|ve|d|ll)|my)\b|^(?:我|俺)(?!们)/iu
const BEGINS_TOGETHER = /^(?:we|we['’](?:re|ve|ll|d)|our)\b|^(?:我们|咱)/iu
const JOINED = /^(?:and|but)\s+/i
/** What joins a clause to the reason, the time or the condition that stands before it. */
const TIED = /^\s*(?:so|while)\s*$/i
const TIED_NEXT =
  /^(?:so|because|since|which|who|where|when|if|then|that|as|though|although|for|until|unless|too|either)\b|^(?:所以|因为|因此|于是|然后|但|不过|如果|虽然|结果|比如|就|才|也|都|还|否则|要不)/iu
/** Something that was named before. */
const POINTS_BACK =
  /\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|there|that|this|these|those|one|ones|both|either|neither|same|too|instead)\b|[它他她]|那(?:里|边|个|家|儿|只|时)|这(?:里|边|个|家|儿|只|样)/iu

/** The parts, those that say several things taken apart; in order. `saidAt`: milliseconds since the epoch. */
export function separateClauses(parts: readonly KeptPart[], saidAt: number): readonly KeptPart[] {
  return parts.flatMap((part) => separated(part, saidAt))
}

function separated(part: KeptPart, saidAt: number): readonly KeptPart[] {
  const { text } = part
  const begins = [BEGINS, BEGINS_TOGETHER].find((words) => words.test(text))
  if (begins === undefined) return [part]
  const alone = (clause: string): string => withSubject(clause.trim().replace(JOINED, ''), text)
  const clauses = clausesOf(text, (next, before, mark) => {
    const own = alone(next)
    if (TIED.test(mark) || TIED_NEXT.test(own) || !begins.test(own) || POINTS_BACK.test(own)) return false
    const [mine, theirs] = [subjectsOf(own, saidAt), subjectsOf(before, saidAt)]
    return mine.length > 0 && theirs.length > 0 && !mine.some((subject) => theirs.includes(subject))
  }).map(alone)
  const subjects = clauses.flatMap((clause) => subjectsOf(clause, saidAt))
  // Together they name every thing once.
  if (clauses.length < 2 || new Set(subjects).size < subjects.length) return [part]
  return clauses.map((clause) => ({ ...part, text: clause }))
}

/** What a clause states of whom, or plainly speaks of. */
function subjectsOf(text: string, saidAt: number): readonly string[] {
  const facts = extractFacts(text, { who: 'user', now: saidAt })
  const named = plainTopics(topicsOf(text))
  const stated = facts.map(({ about, key }) => (about === 'user' ? key : `${about}: ${key}`))
  return [...new Set([...stated, ...named])]
}
