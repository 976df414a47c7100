/**
 * The write decider was trained on messages to assistants and knows more words than the rules here, but takes small talk
 * among people for news. So its word counts only where the sentence also names something hard: a product, a number, a
 * way in which answers are to be written, a problem together with what ended it.
 */
import type { Memory } from '../../domain/memory.ts'
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { findDecisions } from '../../text/decisions.ts'
import { decideByRules } from '../write-decision/rules.ts'
import { saysDecided } from './kinds.ts'
import { saysSetUp } from './technical.ts'

/** What an assistant does: "sign them as …", 落款用…. */
const DEED =
  /\b(?:writ(?:e|ing)|answer|repl(?:y|ies)|respond|explain|translat\w{1,40}|draft|sign|address|call me|format|summari[sz]e|spell\w{0,40}|quote|cite)\b|翻译|写|回答|回复|解释|总结|落款|称呼|叫我|格式|署名/i
/** What the user does, and does not ask for. */
const OWN_DEED = /^(?:i|we|my|our)\b|^(?:我|我们|咱们)(?!希望|想要?你)/i
/** A name in Latin letters or a number within the sentence; among Chinese every Latin word is a name. */
const NAME_WITHIN =
  /(?<=[\p{Ll}\d,)]\s(?:\S{1,200}\s)?)\p{Lu}[\p{L}\d]*(?:[.-][\p{L}\d]{1,40})*|\p{Script=Han}\s?[A-Za-z][\w.+-]{1,}|\b[\w-]{1,40}\.[a-z]{2,40}\b|\b\d{1,40}(?:\.\d{1,40}){1,40}\b/u
/** What is set up is the subject, or those who set it up. */
const SET_UP =
  /^(?:(?:the|our|we|my (?:company|team|clinic|shop|site|server|laptop|computer|phone))\b|我们|咱们|公司|团队|项目|线上|测试|生产|预发|数据库|接口|服务|\p{Script=Han}{2,8}(?:统一|都|全部)?(?:用|放在|存在|换成|改用|部署在))/iu
/** What ended a problem, in words that elsewhere say nothing: 恢复正常. */
const ENDED =
  /\b(?:solv\w{1,40}|fix(?:ed|es)|resolv\w{1,40}|cured|did the trick|works? (?:again|now|fine)|(?:was|were) the (?:cause|culprit)|turned out)\b|解决|修复|修好|搞定|恢复(?:正常|了)|(?:就|才)(?:好|行|过|正常|没事|不报错)了|原来是|查出来|后来发现/i

/** Under which heading the sentence belongs, as far as the decider may say so; null: it may not. */
export function sectionByDecider(sentence: string): MemoryFileSection | null {
  const isNamed = NAME_WITHIN.test(sentence)
  const isSetUp = isNamed && SET_UP.test(sentence) && saysSetUp(sentence)
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
    /\b(?:fix\w{0,40}|solv\w{1,40}|resolv\w{1,40}|sorted|stopped|no more|back to normal|turn(?:s|ed) out|cause[sd]?|culprit|because|that was it|works|working|swapp\w{1,40}|replac\w{1,40}|chang\w{1,40}|clean\w{0,40}|descal\w{1,40}|re-?(?:set|start|install)\w{0,40}|ever since|came out|did it|finished|quiet)\b|就|才|居然|竟然|原来|换|改成|解决|修|搞定/i,
  decisions:
    /\b(?:decid\w{1,40}|final|settled|closed|rules?|policy|agreed?|shook on|from (?:now|today|next)|no more|never again|done with|(?:is|are) out|going with|chose|chosen|instead|(?:not|never) going to|won['’]t|will not|cancel\w{0,40}|drop\w{0,40}|ditch\w{0,40}|stick\w{0,40} with|switch\w{0,40}|mov(?:e|ed|ing) (?:to|off|away|everything|all)|us(?:e|es|ed|ing)|stay\w{0,40} (?:with|on)|keep(?:ing)? (?!push|going|work|try|each)|adopt\w{0,40}|standard\w{0,40}|(?:go|went|going) (?:for|with)|pick\w{0,40}|choos\w{1,40}|skip\w{0,40}|leav\w{1,40}|quit\w{0,40}|retir\w{1,40}|replac\w{1,40})\b|定|决定|不[^，。]{0,6}了|说好|谈好|想通|想清楚|想好|绝不|再也不|只做|改|换/i,
  preferences: /^(?!.*\b(?:of|for|about|into|like|love|enjoy|hate) (?:it|this|that|these|those|them)\b)/is,
}

/** It is open still. */
const UNDECIDED =
  /\b(?:need|have|has|yet|try\w{0,40}|hard|time|going) to (?:decide|choose|settle|pick)\b|\b(?:undecided|considering|thinking (?:about|of)|not (?:yet )?(?:decided|settled)|haven['’]?t decided|should (?:decide|choose))\b|(?:还|再)(?:得|要|需要)?(?:商量|考虑|想想|讨论)|没(?:定|想好|决定)|未定|待定/i

/** Whether some word of the text says that something was settled: the decider alone takes where the keys are for a decision. */
export function maySettle(text: string): boolean {
  return WORDS_OF.decisions!.test(text) && !UNDECIDED.test(text)
}

/** How answers are to be from now on, and not this time. */
const STANDING =
  /\b(?:from now on|always|never|every time|whenever|in future|all my|in general|for me)\b|以后|今后|往后|之[后後]|每次|一律|永远|都(?:用|要|给|写|别|不)/i

/** Under which heading a whole memory belongs of which the decider is quite sure, although no rule knows its words; null: none. */
export function sectionSurely(text: string): MemoryFileSection | null {
  const { store, reason, certainty } = decideByRules({ content: text })
  const section = store && certainty >= SURE ? (SURELY[reason] ?? null) : null
  if ((section === 'decisions' && !maySettle(text)) || (section === 'configuration' && !saysSetUp(text))) return null
  if (VOW.test(text)) return null
  if (section !== null) return WORDS_OF[section]?.test(text) === false ? null : section
  return store && reason === 'style_wish' && STANDING.test(text) ? 'preferences' : null
}

/** "Your courage never fails to amaze me." */
const PRAISE = /^your\b/i
/** What they are written for, or how they look; "never give up" speaks of none. */
const OF_ANSWERS =
  /\b(?:me|my)\b(?!.{0,200}\byour\b)|\b(?:texts?|words?|repl(?:y|ies)|answers?|emojis?|headings?|paragraphs?|points|tables?|code|examples?|spelling|language|english|french|german|spanish|chinese|tone)\b|我|回|字|文|语气|表情|格式|标题|代码/i

/** Whether it says how answers are to be from now on: that is said to somebody, and stands in notes all the same. */
export function isStandingWish(sentence: string): boolean {
  if (!STANDING.test(sentence) || !OF_ANSWERS.test(sentence) || OWN_DEED.test(sentence) || PRAISE.test(sentence))
    return false
  const { store, reason, certainty } = decideByRules({ content: sentence })
  return store && reason === 'style_wish' && certainty >= SURE
}

/** So sure the decider must be of one sentence of somebody's own, alone as it stands. */
const LIKELY: Partial<Record<DecisionReason, number>> = { identity: 0.97, preference: 0.9, habit: 0.9 }
/** And of a sentence from a message that was taken for an event. */
const SUREST = 0.996
/** And of an English one that does not begin with its speaker: among friends those are mostly mottoes. */
const LIKELY_UNSAID = 0.99
const BEGINS_WITH_OWN = /^(?:i|i['’](?:m|ve|d|ll)|my|mine|myself|me)\b/i
/** Several people, of whom friends tell how well they get on. */
const BEGINS_WITH_US = /^(?:we|we['’](?:re|ve|ll|d)|our|us)\b/i
/** "I promotions going on": a piece of a list that was given a subject. */
const BROKEN = /^(?:i|we) (?!(?:was|always|sometimes|perhaps|besides|focus)\b)\w*[^s\W]s\b/i
/** What opens a talk among friends, and news that somebody just has. */
const SMALL_TALK =
  /\b(?:agree[ds]?|since (?:we|you) (?:last )?(?:talked|spoke|chatted|met)|(?:been|for) a (?:while|few \w{1,40}) since|(?:not )?(?:much|lots?|plenty)(?: of \w{1,40})? (?:has |have )?(?:changed|happened)|just (?:\w{1,40}ed|found|got|made|went|did|took|came)|figured|on the hunt|(?:has|have|been) (?:been )?(?:quite )?(?:an? )?(?:journey|eye-opening|rollercoaster)|keen to (?:try|see|hear)|next (?:move|step)|was like|one another|each other)\b/i
/** "I won't quit, no matter what." */
const VOW = /\b(?:won['’]t|will never|never) (?:quit|give up|stop trying|let)\b/i
/** Of what is said in words that were said before. */
const OF_NOTHING =
  /\b(?:fan|fond|keen|into|passionate|obsessed|hooked|crazy)[.!]{0,40}$|^\P{Script=Han}*(?:\p{Script=Han}\P{Script=Han}*){1,4}$/iu
/** It was done, or goes on for the moment: no taste and no habit. */
const TOLD_ONCE =
  /^i(?:['’](?:m|ve)| am| have| was)? (?:(?:just|also|recently|even|really) )*(?:been \w+ing|(?!bring|sing|cling|spring)\w+ing|(?!need|feed|speed|bleed|breed|embed)\w+ed|did(?:n['’]t)?|took|went|made|(?<!ve |have )got|had|wore|saw|met|found|came|gave|ran|wrote|off)\b(?!.*\b(?:ever|since|years?|decades?|always|every|never|each|for life)\b)/i

/**
 * Under which heading a sentence belongs that may stand in notes and tells of its speaker, as the decider hears it; null:
 * none, or that is not sure enough.
 */
export function sectionLikely(
  sentence: string,
  { memoryType, category }: Pick<Memory, 'memoryType' | 'category'>,
): MemoryFileSection | null {
  const { store, reason, certainty, parts } = decideByRules({ content: sentence })
  const least = LIKELY[reason]
  const isHan = /\p{Script=Han}/u.test(sentence)
  const lasts = parts.every(({ semantic }) => semantic)
  const mayLast = isHan ? reason !== 'identity' && (lasts || category !== 'fact') : lasts && certainty >= SUREST
  if (memoryType !== 'semantic' && !mayLast) return null
  if (!store || least === undefined || certainty < least || OF_NOTHING.test(sentence)) return null
  if (!isHan) {
    if ([BEGINS_WITH_US, TOLD_ONCE, BROKEN, VOW, SMALL_TALK].some((words) => words.test(sentence))) return null
    if (!BEGINS_WITH_OWN.test(sentence) && certainty < LIKELY_UNSAID) return null
  }
  if (reason === 'identity' && category === 'fact') return 'user'
  return WORDS_OF.preferences!.test(sentence) ? 'preferences' : null
}

/** Whether it says what is kept where, in a product that has a name, by several together: a part of their set-up. */
export function isSharedTool(sentence: string): boolean {
  return /^(?:we|our)\b/i.test(sentence) && NAME_WITHIN.test(sentence)
}

/** 要是有杯茶就好了 wishes for something, and nothing was wrong. */
const WISH = /^[^，。,]{0,30}(?:要是|如果|现在|能|有|来)[^，。,]{1,20}就好了[。!！~～]*$/

/** Whether these sentences tell of a problem and of what ended it. */
export function isSolvedProblem(told: string): boolean {
  if (!ENDED.test(told) || WISH.test(told)) return false
  const { store, reason } = decideByRules({ content: told })
  return store && reason === 'problem_solution'
}
