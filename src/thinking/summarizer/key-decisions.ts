/**
 * What did the people of these turns decide? Only their own words count, not tools' or quoted mails'; the assistant's
 * count for common decisions (我们决定), and for proposals ("let's") that the user accepts.
 */
import type { Turn } from '../../domain/turn.ts'
import { findDecisions } from '../../language/decisions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { utf8Length } from '../../language/utf8.ts'
import { rarityOf, tellingWords } from '../topic/common-words.ts'
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
/** "We'll keep doing our best" names nothing that was decided. */
const LEAST_TOLD = 1
const CONSENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|great|perfect|good|cool|nice|agreed|sounds good|thanks?|deal|fine|do it|go ahead|let['’]s|makes sense|好|行|可以|同意|嗯|没问题|谢谢|就这样|对|是的|赞成)/i
const TOGETHER = /\b(?:we|let['’]?s)\b|我们|咱们/i
const SETTLES_TOGETHER =
  /\bwe(?:['’]ve| have)? (?:decided|agreed|settled)\b|(?:我们|咱们).{0,6}(?:决定|约定|同意|商定)/i

/** The decisions in these words of a turn. `next` is the turn that follows, if it is known. */
export function decisionsIn(words: string, turn: Turn, next: Turn | undefined): readonly string[] {
  if (turn.role === 'tool' || turn.role === 'system' || !speaksForUser(turn.content)) return []
  const said = words.replace(QUOTED, '')
  const decisions = findDecisions(said).filter((decision) => toldBy(decision) >= LEAST_TOLD)
  const settled = splitSentences(said).filter((sentence) => SETTLES_TOGETHER.test(sentence))
  const isSettled = (decision: string): boolean => settled.some((sentence) => sentence.includes(decision))
  if (turn.role === 'user' || turn.speaker !== null) return decisions
  const consented = next?.role === 'user' && CONSENT.test(next.content.slice(0, 200).trimStart())
  if (!consented) return decisions.filter(isSettled)
  const together = splitSentences(said).filter((sentence) => TOGETHER.test(sentence))
  return decisions.filter((decision) => together.some((sentence) => sentence.includes(decision)))
}

function toldBy(decision: string): number {
  return tellingWords(decision).reduce((sum, word) => sum + rarityOf(word), 0)
}

/** The decisions, in the order they were made, without repeats: the fuller words win. Each has at most 120 UTF-8 bytes. */
export function distinctDecisions(found: readonly string[]): readonly string[] {
  const kept: { text: string; readonly key: string }[] = []
  for (let at = found.length - 1; at >= 0; at--) {
    const text = found[at]!.replace(/\s+/g, ' ').trim().replace(TRAILING, '')
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
