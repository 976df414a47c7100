/**
 * The write decider was trained on messages to assistants and knows more words than the rules here, but takes small talk
 * among people for news. So its word counts only where the sentence also names something hard: a product, a number, a
 * way in which answers are to be written, a problem together with what ended it.
 */
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { decideByRules } from '../write-decision/rules.ts'
import { saysDecided } from './kinds.ts'

/** What an assistant does: "sign them as …", 落款用…. */
const DEED =
  /\b(?:writ(?:e|ing)|answer|repl(?:y|ies)|respond|explain|translat\w+|draft|sign|address|call me|format|summari[sz]e|spell\w*|quote|cite)\b|翻译|写|回答|回复|解释|总结|落款|称呼|叫我|格式|署名/i
/** What the user does, and does not ask for. */
const OWN_DEED = /^(?:i|we|my|our)\b|^(?:我|我们|咱们)(?!希望|想要?你)/i
/** A name in Latin letters or a number within the sentence; among Chinese every Latin word is a name. */
const NAME_WITHIN =
  /(?<=[\p{Ll}\d,)]\s(?:\S+\s)?)\p{Lu}[\p{L}\d]*(?:[.-][\p{L}\d]+)*|\p{Script=Han}\s?[A-Za-z][\w.+-]{1,}|\b[\w-]+\.[a-z]{2,}\b|\b\d+(?:\.\d+)+\b/u
/** What is set up is the subject, or those who set it up. */
const SET_UP =
  /^(?:(?:the|our|we|my (?:company|team|clinic|shop|site|server|laptop|computer|phone))\b|我们|咱们|公司|团队|项目|线上|测试|生产|预发|数据库|接口|服务|\p{Script=Han}{2,8}(?:统一|都|全部)?(?:用|放在|存在|换成|改用|部署在))/iu
/** What ended a problem, in words that elsewhere say nothing: 恢复正常. */
const ENDED =
  /\b(?:solv\w+|fix(?:ed|es)|resolv\w+|cured|did the trick|works? (?:again|now|fine)|(?:was|were) the (?:cause|culprit)|turned out)\b|解决|修复|修好|搞定|恢复(?:正常|了)|(?:就|才)(?:好|行|过|正常|没事|不报错)了|原来是|查出来|后来发现/i

/** Under which heading the sentence belongs, as far as the decider may say so; null: it may not. */
export function sectionByDecider(sentence: string): MemoryFileSection | null {
  const isNamed = NAME_WITHIN.test(sentence)
  const isSetUp = isNamed && SET_UP.test(sentence)
  const isDecided = saysDecided(sentence) || (isNamed && findDecisions(sentence).length > 0)
  const isDeed = DEED.test(sentence) && !OWN_DEED.test(sentence)
  // Most sentences have nothing hard, and need not be decided about.
  if (!isSetUp && !isDecided && !isDeed) return null
  const { store, reason } = decideByRules({ content: sentence })
  if (!store) return null
  if (reason === 'config') return isSetUp ? 'configuration' : null
  if (reason === 'decision') return isDecided ? 'decisions' : null
  return reason === 'style_wish' && isDeed ? 'preferences' : null
}

/** So sure is the decider that of 2,700 messages of small talk among friends hardly one passes for something else. */
const SURE = 0.99
const SURELY: Partial<Record<DecisionReason, MemoryFileSection>> = {
  config: 'configuration',
  decision: 'decisions',
  problem_solution: 'problems',
  preference: 'preferences',
  habit: 'preferences',
}

/** Where the decider is sure of tales among friends, too, some word must say that it ended, was settled, or is meant by itself. */
const WORDS_OF: Partial<Record<MemoryFileSection, RegExp>> = {
  problems:
    /\b(?:fix\w*|solv\w+|resolv\w+|sorted|stopped|no more|back to normal|turn(?:s|ed) out|cause[sd]?|culprit|because|that was it|works|working|swapp\w+|replac\w+|chang\w+|clean\w*|descal\w+|re-?(?:set|start|install)\w*|ever since|came out|did it|finished|quiet)\b|就|才|居然|竟然|原来|换|改成|解决|修|搞定/i,
  decisions:
    /\b(?:decid\w+|final|settled|closed|rules?|policy|agreed?|shook on|from (?:now|today|next)|no more|never again|done with|(?:is|are) out|going with|chose|chosen|instead|(?:not|never) going to|won['’]t|will not|cancel\w*|drop\w*|ditch\w*|stick\w* with|switch\w*|mov(?:e|ed|ing) (?:to|off|away|everything|all)|us(?:e|es|ed|ing)|stay\w* (?:with|on)|keep(?:ing)? (?!push|going|work|try|each)|adopt\w*|standard\w*|(?:go|went|going) (?:for|with)|pick\w*|choos\w+|skip\w*|leav\w+|quit\w*|retir\w+|replac\w+)\b|定|决定|不[^，。]{0,6}了|说好|谈好|想通|想清楚|想好|绝不|再也不|只做|改|换/i,
  preferences: /^(?!.*\b(?:of|for|about|into|like|love|enjoy|hate) (?:it|this|that|these|those|them)\b)/is,
}

/** How answers are to be from now on, and not this time. */
const STANDING = /\b(?:from now on|always|never|every time|whenever|in future)\b|以后|今后|往后|每次|一律|永远/i

/** Under which heading a whole memory belongs of which the decider is quite sure, although no rule knows its words; null: none. */
export function sectionSurely(text: string): MemoryFileSection | null {
  const { store, reason, certainty } = decideByRules({ content: text })
  const section = store && certainty >= SURE ? (SURELY[reason] ?? null) : null
  if (section !== null) return WORDS_OF[section]?.test(text) === false ? null : section
  return store && reason === 'style_wish' && STANDING.test(text) ? 'preferences' : null
}

/** Whether it says what is kept where, in a product that has a name, by several together: a part of their set-up. */
export function isSharedTool(sentence: string): boolean {
  return /^(?:we|our)\b/i.test(sentence) && NAME_WITHIN.test(sentence)
}

/** Whether these sentences tell of a problem and of what ended it. */
export function isSolvedProblem(told: string): boolean {
  if (!ENDED.test(told)) return false
  const { store, reason } = decideByRules({ content: told })
  return store && reason === 'problem_solution'
}
