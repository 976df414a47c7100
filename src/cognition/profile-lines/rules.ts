/**
 * What does a message add to the profile (001), without a model? Lasting wishes about answers, habits of language, and
 * who the user is; each a line in the user's own words. A wish for this one answer, a passing state and a guess add none.
 */

import type { NewProfileLine } from '../../contracts/profile-store.ts'
import type { ProfileSection } from '../../domain/profile.ts'
import type { DecisionReason, KeptPart, WriteDecision } from '../../domain/thought.ts'
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { STYLE } from '../semantic-facts/cues.ts'
import { groundOf } from '../semantic-facts/rules.ts'
import { proseOf } from '../summarizer/prose.ts'
import { ownWords } from '../write-decision/own-words.ts'

const CHARACTERS_READ = 4000
/** Characters of a line at most. */
export const LONGEST_LINE = 200
/** Lines of one message at most. */
export const MOST_LINES = 6

/** It is meant for every answer to come. */
const LASTING =
  /\b(?:always|from now on|from here on|going forward|in (?:the )?future|never|every time|each time|whenever|by default|as a rule|all your|any (?:answer|reply|code)|i (?:always |generally |usually |really |much )?(?:prefer|like|want|hate|don['’]t (?:like|want)) (?:\w+ ){0,3}(?:answers?|repl(?:y|ies)|responses?|explanations?|code|emojis?|bullet|tables?|examples?|comments?)|when (?:you|answering|replying|explaining)|stop (?:using|writing|adding|apologi[sz]ing|saying|calling)|no more)\b|(?:答|复|回|说|讲|解释|写)[^，。]{0,6}的?时候|以[后後]|今[后後]|从现在(?:起|开始)|从今天(?:起|开始)|[往之][后後]|每[次回]|次次|但凡|一律|永远|始终|总是|都用|都要|不要再|别再|默认|我(?:更|比较)?(?:喜欢|希望|偏好|习惯)(?:你|看|简|详|直)/i
/** It is meant for this answer only. */
const ONCE =
  /\b(?:this time|for once|just (?:this|for) (?:once|now|one)|for (?:this|the) (?:one|answer|question|task|email|text)|here only|today only|in this (?:answer|reply|email|letter|case)|for now)\b|这次|这回|这一次|本次|这封|这篇|这段|这个问题|这道题|暂时|先用/i
/** The wish is about how the assistant writes. */
const ABOUT_ANSWERS =
  /\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explain|explanations?|examples?|tone|jargon|emojis?|bullet(?:s| points?)?|tables?|markdown|headings?|verbose|concise|brief|shorter|short|detailed|step by step|call me|address me|apologi[sz]e|apologi[sz]ing|disclaimers?|code comments?|units?|metric|formal|casual|talk to me|speak to me|write to me|with me)\b|回答|回复|答复|解释|语气|称呼|叫我|表情|表格|列表|要点|简短|简洁|详细|啰嗦|废话|直接(?:说|给)|客套|道歉|术语|举例|注释|markdown|输出|说话|大白话|回我|先夸|公制/i
/** How to address the user lasts unless said otherwise. */
const ADDRESS = /\b(?:call me|address me as|(?:my )?pronouns are)\b|(?:叫|称呼)我/i
const LANGUAGE_NAMES =
  '(?:english|chinese|mandarin|cantonese|french|german|spanish|japanese|korean|italian|portuguese|russian|dutch|arabic|hindi|swedish|polish|turkish|simplified chinese|traditional chinese)'
const HAN_LANGUAGE_NAMES =
  '(?:中文|英文|英语|汉语|普通话|粤语|日语|日文|法语|德语|韩语|西班牙语|俄语|葡萄牙语|简体|繁体|双语)'
/** Which language to answer in, or which languages the user speaks. */
const LANGUAGE = new RegExp(
  String.raw`\b(?:in|into|use|using|switch to|stick to|speaks?|fluent in|native|mother tongue|learning|bilingual)\b[^.]{0,24}\b${LANGUAGE_NAMES}\b|\b${LANGUAGE_NAMES}\b(?: only| please|,? please| is my (?:first|native|second|third))|(?:用|以|说|讲|改成|换成|母语是?|学|会)[^，。]{0,4}${HAN_LANGUAGE_NAMES}|${HAN_LANGUAGE_NAMES}(?:是我的?母语|回答|回复|交流|沟通)`,
  'i',
)
const OWN_LANGUAGE =
  /\b(?:i|user)(?:['’]m| am)? (?:\w+ )?(?:speaks?|fluent|learning|bilingual|read)\b|\bmy (?:native|first|second|mother)\b|我(?:的?母语|会说|会讲|在学|正在学|平时说|说)/i
const TRANSLATION = /\b(?:translate|translation|proofread|rephrase|what does|how do you say)\b|翻译|怎么说|润色/i
const HYPOTHESIS = /^(?:if|suppose|imagine|what if|had)\b|^(?:如果|假如|假设|要是)/i
/** A wish that the decider, who sees the whole message, took for a lasting one. */
const LASTING_REASON = 'style_wish'
/** What the assistant is not to do; told as a matter of taste ("don't use bullet points, I hate them") it lasts as well. */
const FORBIDS =
  /\b(?:do(?: not|n['’]?t)|stop|avoid) (?:us(?:e|ing)|giv(?:e|ing)|writ(?:e|ing)|add(?:ing)?|put(?:ting)?|send(?:ing)?)\b|(?:别|不要|甭)(?:再|老|总)?(?:用|给|说|写|加|发|带)/i

/** What is refused on these grounds is not said of the user. */
const NOT_OWN: ReadonlySet<DecisionReason> = new Set(['hypothetical', 'code_paste', 'recalled'])

/** The lines, in order, none twice; [] when the message adds nothing. */
export function profileLinesByRules(
  message: string,
  decision: Pick<WriteDecision, 'reason' | 'store' | 'parts'>,
): readonly NewProfileLine[] {
  const lines = sentenceLines(message, decision)
  if (!decision.store || lines.length > 0) return lines
  // The decider saw more than the words of the lists: its own parts are the lines.
  if (decision.reason === 'style_wish') return partLines(decision, 'reply_style', () => true)
  return decision.reason === 'identity' ? partLines(decision, 'background', ({ semantic }) => semantic) : []
}

function partLines(
  { parts }: Pick<WriteDecision, 'parts'>,
  section: ProfileSection,
  isMeant: (part: KeptPart) => boolean,
): readonly NewProfileLine[] {
  return parts
    .filter(isMeant)
    .map(({ text }) => ({ section, text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '' && text.length <= LONGEST_LINE && !ONCE.test(text))
    .slice(0, MOST_LINES)
}

function sentenceLines(
  message: string,
  decision: Pick<WriteDecision, 'reason' | 'store' | 'parts'>,
): readonly NewProfileLine[] {
  const lines: NewProfileLine[] = []
  const prose = proseOf(message, CHARACTERS_READ)
  const own = NOT_OWN.has(decision.reason) ? '' : ownWords(prose).text
  for (const sentence of splitSentences(prose)) {
    const section = sectionOf(sentence, decision)
    if (section === 'background' && !isLasting(sentence, decision)) continue
    // A dream, a song, a part that is played or a quotation says nothing about who the user is.
    if (section !== 'reply_style' && !own.includes(sentence)) continue
    const text = sentence
      .replace(/\s+/g, ' ')
      .replace(/^(?:(?:and|so|also|ok(?:ay)?|oh|btw|by the way|另外|还有|对了|哦|好的)[,，\s]+)+/i, '')
    if (section === null || text.length > LONGEST_LINE || lines.some((line) => line.text === text)) continue
    lines.push({ section, text })
    if (lines.length === MOST_LINES) break
  }
  return lines
}

/** What the decider keeps as passing is no line about who the user is: "Forty years of my life in bits". */
function isLasting(sentence: string, { parts }: Pick<WriteDecision, 'parts'>): boolean {
  const kept = parts.filter(({ text }) => text.includes(sentence) || sentence.includes(text))
  return kept.length === 0 || kept.some(({ semantic }) => semantic)
}

function sectionOf(sentence: string, decision: Pick<WriteDecision, 'reason' | 'store'>): ProfileSection | null {
  if (TRANSLATION.test(sentence) || HYPOTHESIS.test(sentence)) return null
  const asksForLanguage = LANGUAGE.test(sentence)
  if (asksForLanguage && OWN_LANGUAGE.test(sentence) && !isQuestion(sentence)) return 'language'
  if (asksForLanguage || ABOUT_ANSWERS.test(sentence) || STYLE.test(sentence)) {
    if (lasts(sentence, decision)) return asksForLanguage ? 'language' : 'reply_style'
    if (asksForLanguage || STYLE.test(sentence)) return null
  }
  return !isQuestion(sentence) && groundOf(sentence) === 'identity' ? 'background' : null
}

function lasts(sentence: string, { reason, store }: Pick<WriteDecision, 'reason' | 'store'>): boolean {
  if (ONCE.test(sentence)) return false
  return (
    LASTING.test(sentence) ||
    ADDRESS.test(sentence) ||
    (store && (reason === LASTING_REASON || (reason === 'preference' && FORBIDS.test(sentence))))
  )
}
