/** Under which of the five headings of specification 004 does a memory stand? */

import type { Category, Memory } from '../../domain/memory.ts'
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { findSecrets } from '../../text/secrets/find-secrets.ts'
import { decideByRules } from '../write-decision/rules.ts'
import { isSolvedProblem, maySettle } from './by-decider.ts'
import { saysDecided } from './kinds.ts'
import { isConfiguration, speaksOfSetUp } from './technical.ts'

const OF_REASON: Partial<Record<DecisionReason, MemoryFileSection>> = {
  config: 'configuration',
  decision: 'decisions',
  identity: 'user',
  preference: 'preferences',
  habit: 'preferences',
  style_wish: 'preferences',
}
/** Attributes of the person; see cognition/facts/slots-life.ts. */
const USER = new Set(
  `name age birthday home hometown nationality phone_number email employer job office boss colleague school university
  partner child sibling parent pet allergy illness medication doctor dentist blood_type spoken_language religion
  national_id passport_number emergency_contact`.split(/\s+/),
)
const PLAIN = new Set(
  'name age birthday home hometown phone_number email employer school university allergy'.split(' '),
)
const PROBLEM =
  /\b(?:errors?|bugs?|crash\w{0,40}|fail\w{0,40}|broken|leak\w{0,40}|exception|timed? ?out|hangs?|OOM\w{0,40}|panics?|segfaults?|refused|denied|unreachable|outage|flaky|freez\w{1,40}|stuck|(?:is|are|was|been|went|goes) red|problem|issue|bounc(?:e[sd]?|ing)|typo|corrupt\w{0,40}|garbled|disconnect\w{0,40}|won['’]t (?:start|load|boot|connect|open|print|charge|turn on)|(?:not|stopped) (?:loading|working|responding|connecting|printing|charging|syncing))\b|报错|错误|异常|崩溃|失败|卡住|泄漏|超时|死锁|问题/i
const SOLUTION =
  /\b(?:fix(?:ed|es)?|solv\w{1,40}|resolv\w{1,40}|work(?:ed)? around|the trick|helped|corrected|reinstall\w{1,40}|restart(?:ed|ing)|(?:it|they) (?:work|arrive|load|print|connect|sync)s? (?:now|again)|by (?:adding|setting|removing|upgrading|using))\b|解决|修复|修好|搞定|改成|改为|改了|升级|重启|(?:设[成为]|调[成大小到]|加了?|换了?|关了?|开了?)[^，。]{0,40}(?:就|才)?(?:好|行|过|可以|正常|不报错)了|就(?:好|行|过|正常|不报错)了/i

/** "Fixed: …", 修复：…: what follows was wrong, and is so no more. */
const FIXED =
  /^(?:bug ?)?(?:fix(?:ed|es)?|solved|resolved)(?:\([^)]{1,40}\))?:\s+\S+\s+\S|^(?:已经?|刚刚?)?(?:修复|修好|解决)了?[:：]\s*\S{4}/i

/** Whether the sentence begins with the word that it was fixed, as notes of work do. */
export function isFixed(sentence: string): boolean {
  return FIXED.test(sentence)
}

/** The section of a memory. */
export function sectionOf({ text, category, key }: Pick<Memory, 'text' | 'category' | 'key'>): MemoryFileSection {
  if (findSecrets(text).length > 0) return 'configuration'
  if (isFixed(text) || tellsOfSolution(text) || isSolvedProblem(text)) return 'problems'
  if (category !== 'fact') return 'preferences'
  if (key !== null && USER.has(key)) return 'user'
  const { store, reason } = decideByRules({ content: text })
  const decided = store ? OF_REASON[reason] : undefined
  const isMeant =
    decided === 'configuration'
      ? speaksOfSetUp({ text, key })
      : decided !== 'decisions' || saysDecided(text) || maySettle(text)
  if (decided !== undefined && isMeant) return decided
  if (isConfiguration(key)) return 'configuration'
  return findDecisions(text).length > 0 ? 'decisions' : 'user'
}

/** Whether it names a problem and what solved it. */
export function tellsOfSolution(text: string): boolean {
  return PROBLEM.test(text) && SOLUTION.test(text)
}

/** Whether it names a problem. */
export function tellsOfProblem(text: string): boolean {
  return PROBLEM.test(text)
}

/** Whether it tells what solved something. */
export function tellsOfRemedy(text: string): boolean {
  return SOLUTION.test(text)
}

/** Whether the key of a fact is an attribute of the person. */
export function isUserAttribute(key: string | null): boolean {
  return key !== null && USER.has(key)
}

/** Whether it is one that English sentences rarely state by mistake. */
export function isPlainAttribute(key: string): boolean {
  return PLAIN.has(key)
}

/** What a line that a person wrote under a heading is. */
export function categoryOf(section: MemoryFileSection | null): Category {
  return section === 'preferences' ? 'preference' : 'fact'
}
