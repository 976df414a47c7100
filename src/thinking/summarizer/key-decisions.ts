/**
 * What did the people of these turns decide? Only their own words count, not tools' or quoted mails'; the assistant's
 * count for common decisions (我们决定), and for proposals ("let's") that the user accepts.
 */
import type { Turn } from '../../domain/turn.ts'
import { findDecisions } from '../../language/decisions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { utf8Length } from '../../language/utf8.ts'
import { rarityOf, tellingWords } from '../topic/common-words.ts'
import { KINDS } from '../write-decision/kinds.ts'
import { judge } from '../write-decision/linear-model.ts'
import { speaksForUser } from './prose.ts'
import { statementOf } from './statement.ts'

/** Most decisions that a summary lists. */
export const KEY_DECISIONS = 5
/** Longest decision in UTF-8 bytes. */
const DECISION_BYTES = 120
/** Longer words between quotation marks are somebody else's. */
const QUOTED = /["“「『][^"”」』\n]{12,2000}["”」』]/g
/** Words at the end of a spoken sentence that say nothing. */
const TRAILING = /[\s.。;；,，!！]{0,9}(?:吧|啦|哈|哦|呗|了哈|then|please)?[\s.。;；,，!！]{0,9}$/i
/** A word that only announces a decision; the list says that already. */
const ANNOUNCEMENT = /^(?:(?:agreed|decided|decision|ok(?:ay)?|done|conclusion|决定|结论|同意|好的?)\s*[:：,，]\s*)+/i
/** "I'll keep it short": it settles nothing that a reader could name. */
const UNNAMED =
  /^(?:\S+ ){1,4}it is\b|^(?:then )?(?:i|we)(?:['’]ll| will|['’]ve| have)? \w+ (?:it|that|this|them|those|these)(?: \w+)?$/i
/** Verbs that settle a question of work as well as they tell of somebody's day: "we dropped Redis", "I dropped my phone". */
const TOLD =
  /^(?:i|we|they|he|she)(?:['’]ve| have| had)? (?:all |both |finally |also |just |then )?(?:moved to|fixed|solved|resolved|dropped|replaced|picked|adopted|went with)\b/i
/** Probability that the decider must leave it to be settled, set up or solved. */
const SETTLED_SHARE = 0.3
/** "We'll keep doing our best" names nothing that was decided. */
const LEAST_TOLD = 1
/** The least share for Chinese, where plans are decided with the same words. */
const LEAST_SHARE = 0.1
const SETTLED: ReadonlySet<string> = new Set(['decision', 'config', 'problem_solution'])
const SETTLED_OR_PLANNED: ReadonlySet<string> = new Set([...SETTLED, 'plan'])
const HAN = /\p{Script=Han}/u
const CONSENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|great|perfect|good|cool|nice|agreed|sounds good|thanks?|deal|fine|do it|go ahead|let['’]s|makes sense|好|行|可以|同意|嗯|没问题|谢谢|就这样|对|是的|赞成)/i
const TOGETHER = /\b(?:we|let['’]?s)\b|我们|咱们/i
const SETTLES_TOGETHER =
  /\bwe(?:['’]ve| have)? (?:decided|agreed|settled)\b|(?:我们|咱们).{0,6}(?:决定|约定|同意|商定)/i

/** The decisions in these words of a turn. `next` is the turn that follows, if it is known. */
export function decisionsIn(words: string, turn: Turn, next: Turn | undefined): readonly string[] {
  if (turn.role === 'tool' || turn.role === 'system' || !speaksForUser(turn.content)) return []
  const said = words.replace(QUOTED, '')
  const decisions = findDecisions(said)
    .map((decision) => withSubject(decision, said))
    .filter((decision) => !UNNAMED.test(decision) && toldBy(decision) >= LEAST_TOLD)
  const settled = splitSentences(said).filter((sentence) => SETTLES_TOGETHER.test(sentence))
  const isSettled = (decision: string): boolean => settled.some((sentence) => sentence.includes(decision))
  if (turn.role === 'user' || turn.speaker !== null)
    return decisions.filter((decision) => isSettled(decision) || !isOwnNews(decision))
  const consented = next?.role === 'user' && CONSENT.test(next.content.slice(0, 200).trimStart())
  if (!consented) return decisions.filter(isSettled)
  const together = splitSentences(said).filter((sentence) => TOGETHER.test(sentence))
  return decisions.filter((decision) => together.some((sentence) => sentence.includes(decision)))
}

function toldBy(decision: string): number {
  return tellingWords(decision).reduce((sum, word) => sum + rarityOf(word), 0)
}

/** "Emily agreed to …": a decision that begins with its verb keeps the name in front of it. */
function withSubject(decision: string, said: string): string {
  const at = said.indexOf(decision)
  const name =
    at > 0 && /^\p{Ll}/u.test(decision)
      ? /(?<![\p{L}\p{N}])\p{Lu}[\p{L}]{1,30} $/u.exec(said.slice(Math.max(0, at - 33), at))
      : null
  return (name?.[0] ?? '') + decision
}

/** "I moved to Turin", 手机换成静音了: told with the words of a decision, but the decider holds it for something else. */
function isOwnNews(decision: string): boolean {
  const chinese = HAN.test(decision)
  if (!chinese && !TOLD.test(decision)) return false
  const { kinds } = judge(decision)
  const share = (reasons: ReadonlySet<string>): number =>
    KINDS.reduce((sum, { reason }, at) => sum + (reasons.has(reason) ? kinds[at]! : 0), 0)
  return chinese ? share(SETTLED_OR_PLANNED) < LEAST_SHARE : share(SETTLED) < SETTLED_SHARE
}

/** The decisions, in the order they were made, without repeats: the fuller words win. Each has at most 120 UTF-8 bytes. */
export function distinctDecisions(found: readonly string[]): readonly string[] {
  const kept: { text: string; readonly key: string }[] = []
  for (let at = found.length - 1; at >= 0; at--) {
    const text = found[at]!.replace(/\s+/g, ' ').trim().replace(ANNOUNCEMENT, '').replace(TRAILING, '')
    const key = text.toLowerCase()
    if (text === '' || kept.some((other) => other.key.includes(key))) continue
    const shorter = kept.findIndex((other) => key.includes(other.key))
    if (shorter === -1) kept.push({ text, key })
    else kept[shorter] = { text, key }
  }
  return kept.reverse().flatMap(({ text }) => inFewBytes(text))
}

function inFewBytes(text: string): readonly string[] {
  if (utf8Length(text) <= DECISION_BYTES) return [text]
  const shorter = statementOf(text, (piece) => utf8Length(piece) <= DECISION_BYTES)
  return shorter === null ? [] : [shorter.replace(TRAILING, '')]
}
