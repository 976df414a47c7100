/**
 * Which statement or attribute does an order to forget mean ("Forget that I live in Lyon", 忘掉我的手机号)? "Forget it" alone
 * means nothing.
 */
import { plainTopics } from '../facts/topics.ts'
import { overlapOf } from './overlap.ts'
import { profileOf, type Statement } from './statement.ts'

const ENGLISH =
  /(?:^|[.!?;,]\s{0,40}|\b(?:please|just|then|now|you can|could you|can you)\s{1,40})(?:forget|erase|delete|drop|scrap)\s{1,40}(?:(?:that|the fact that|what i (?:said|told you|wrote)(?: about)?|(?:everything|anything|all) (?:i (?:said|told you) )?about|about)\s{1,40})?(?<what>(?!(?:it|this|that|everything|anything|all)\b[\s.!]{0,40}$)[^.!?\n]{3,})/i
/** 我怕忘了细节 orders nothing: an order opens its clause, or stands behind 请. */
const CHINESE = [
  /(?:^|[，。！？；：,!?;:\s请你您就快]|帮我|麻烦)(?:把|将)(?<what>[^，。！？\n]{2,40}?)(?:给|都|全)?(?:忘掉|忘了|忘记|删掉|删除|抹掉)/u,
  /(?:^|[，。！？；：,!?;:\s请你您快]|帮我|麻烦)(?:忘掉|忘了|忘记|删掉|删除|抹掉)(?:吧)?[：:，,]?\s{0,40}(?:(?:我|刚才|前面|之前|上次)?说(?:过)?的?(?:关于)?)?(?<what>(?!(?:它|这个?|这些|那个?|这件事|那件事|刚才的?|前面的?)(?:吧|了)?[\s。！!]{0,40}$)[^。！？\n]{2,})/u,
]
/** "My phone number", 我的手机号: an attribute with any value. */
const ATTRIBUTE = /^(?:my|our|the)\s+[\w'’ -]{1,80}$|^(?:我|我们|咱们?)的?[^，。是在住叫喝吃用]{1,8}$/iu
/** Share of the words of the order that a memory must hold. */
const SAID = 0.7

/** The thing to be forgotten, in the words of the order; null when it does not say. */
export function toForget(text: string): string | null {
  for (const pattern of [ENGLISH, ...CHINESE]) {
    const what = pattern.exec(text.trim())?.groups?.what?.trim()
    if (what !== undefined && /[\p{L}\p{N}]/u.test(what)) return what
  }
  return null
}

/** true when the memory makes the statement that the order names. */
export function isForgotten(order: Statement, memory: Statement): boolean {
  const wish = profileOf(order)
  const said = profileOf(memory)
  const overlap = overlapOf(wish, said)
  const topics = plainTopics(wish.topics)
  const sameSubject = [...wish.people.subjects].some((subject) => said.people.subjects.has(subject))
  if (wish.terms.size + topics.length === 0 || !sameSubject) return false
  if (ATTRIBUTE.test(order.text)) return topics.some((topic) => said.stated.has(topic))
  const sameFact = wish.facts.some(({ key, value }) =>
    said.facts.some((fact) => fact.key === key && fact.value.toLowerCase() === value.toLowerCase()),
  )
  if (sameFact) return true
  return wish.terms.size > 0 && overlap.terms.length / wish.terms.size >= SAID
}
