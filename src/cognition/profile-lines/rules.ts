/**
 * What does a message add to the profile (001), without a model? Lasting wishes about answers, habits of language, and
 * who the user is; each a line in the user's own words that is understood alone. A wish for this one answer, a passing state,
 * an event, praise and a guess add none; of others only what the user has to mind, and only where he says who they are to him.
 */

import type { NewProfileLine } from '../../contracts/profile-store.ts'
import type { ProfileSection } from '../../domain/profile.ts'
import type { DecisionReason, Fact, KeptPart, WriteDecision } from '../../domain/thought.ts'
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { clausesOf } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { STYLE } from '../semantic-facts/cues.ts'
import { refusalOf } from '../semantic-facts/rules.ts'
import { proseOf } from '../summarizer/prose.ts'
import { withoutLead } from '../summarizer/statement.ts'
import { ownWords } from '../write-decision/own-words.ts'

const CHARACTERS_READ = 4000
/** Characters of a line at most. */
const LONGEST_LINE = 200
/** Lines of one message at most. */
const MOST_LINES = 6

/** It is meant for every answer to come. */
const LASTING =
  /\b(?:always|from now on|from here on|going forward|in (?:the )?future|never|every time|each time|whenever|by default|as a rule|all your|any (?:answer|reply|code)|i (?:always |generally |usually |really |much )?(?:prefer|like|want|hate|don['’]t (?:like|want)) (?:\w{1,40} ){0,3}(?:answers?|repl(?:y|ies)|responses?|explanations?|code|emojis?|bullet|tables?|examples?|comments?)|when (?:you|answering|replying|explaining)|stop (?:using|writing|adding|apologi[sz]ing|saying|calling)|no more)\b|(?:答|复|回|说|讲|解释|写)[^，。]{0,6}的?时候|以[后後]|今[后後]|从现在(?:起|开始)|从今天(?:起|开始)|[往之][后後]|每[次回]|次次|但凡|一律|永远|始终|总是|都用|都要|不要再|别再|默认|我(?:更|比较)?(?:喜欢|希望|偏好|习惯)(?:你|看|简|详|直)/i
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
  /\b(?:i|user)(?:['’]m| am)? (?:\w{1,40} )?(?:speaks?|fluent|learning|bilingual|read)\b|\bmy (?:native|first|second|mother)\b|我(?:的?母语|会说|会讲|在学|正在学|平时说|说)/i
const TRANSLATION = /\b(?:translate|translation|proofread|rephrase|what does|how do you say)\b|翻译|怎么说|润色/i
const HYPOTHESIS = /^(?:if|suppose|imagine|what if|had)\b|^(?:如果|假如|假设|要是)/i
/** A wish that the decider, who sees the whole message, took for a lasting one. */
const LASTING_REASON = 'style_wish'
/** What the assistant is not to do; told as a matter of taste ("don't use bullet points, I hate them") it lasts as well. */
const FORBIDS =
  /\b(?:do(?: not|n['’]?t)|stop|avoid) (?:us(?:e|ing)|giv(?:e|ing)|writ(?:e|ing)|add(?:ing)?|put(?:ting)?|send(?:ing)?)\b|(?:别|不要|甭)(?:再|老|总)?(?:用|给|说|写|加|发|带)/i

/** A wish is told to the assistant: an order, or what the user wants of it. */
const WISH =
  /^(?:(?:and|also|please|so|ok(?:ay)?|but|then|oh|btw)[,\s]+)*(?:always|never|from (?:now|here) on|going forward|in (?:the )?future|by default|as a rule|do(?:n['’]?t| not)\b|stop|avoid|keep|use|answer|reply|respond|call|address|write|speak|talk|be|no|give|include|explain|format|remember to|make|put|add|skip|start|end|show|when(?:ever)?|every time|each time|all your|your)\b|\bi(?:['’]d| would)? (?:always |really |much |generally |usually |strongly ){0,40}(?:prefer|want|like|hate|need|expect|don['’]?t (?:like|want))\b|\b(?:please|pronouns)\b|\bcan you (?:always|please always|from now on)\b|请|以[后後]|[往今之]后|从现在|别|不要|甭|每[次回]|次次|叫我|称呼|[回答][答复]|希望你|喜欢你|你.{0,6}[用说写给]|用.{1,6}[回说写讲]|一律|默认|永远|始终|总是/iu
/** What is said of one thing that is being done is no wish for every answer. */
const DOING =
  /^(?:\w+,? )?i['’](?:m|ve)\b|^as for\b|\b(?:i['’]m|i am) (?:trying|getting|working|looking|wondering|kinda|having)\b|\bwhat happens\b|我(?:在|正在|刚|确实|也花)/i

/** Attributes that last and say who somebody is, how he lives and what he has to mind. */
const LASTING_KEYS: ReadonlySet<string> = new Set(
  `name age birthday home hometown property nationality partner child sibling parent pet livestock diet allergy drink alcohol smoking
  medication illness doctor dentist employer job school university major religion spoken_language instrument sport hobby car bike
  club volunteering business side_project blood_type height phobia favourite_colour teaching pregnancy glasses editor
  operating_system programming_language salary`.split(/\s+/),
)
/** What the user has to mind of those who are near to him. */
const KEYS_OF_OTHERS: ReadonlySet<string> = new Set([
  'allergy',
  'diet',
  'illness',
  'medication',
  'birthday',
  'age',
  'pet',
])
/** Who is near: told for itself, and not on the way to something else. */
const KEYS_BY_NAME: ReadonlySet<string> = new Set([
  'partner',
  'child',
  'sibling',
  'parent',
  'friend',
  'doctor',
  'dentist',
])
const GIVES_NAME = /^(?:my|our)\b|\b(?:married|engaged|dating)\b|叫|是/i
const OWN_FIRST = /^(?:i|i['’](?:m|ve)|im|my|we|we['’](?:re|ve)|our)\b|^(?:我|咱|俺|本人)|^(?:目前|现在|平时)?我/iu
/** Who the user is and what he has, in forms that name no attribute. */
const WHO =
  /^(?:i|we) (?:(?:also|still|now|currently|actually|both|work as|am) )*(?:run|own|teach|coach|volunteer|live with|have (?:an?|two|three|four|five|six|\d) (?:[\w-]+ )?(?:sons?|daughters?|kids?|child(?:ren)?|sisters?|brothers?|dogs?|cats?|siblings|grandchild(?:ren)?)|have (?:type \w+ )?(?:diabetes|asthma|epilepsy|adhd|dyslexia|migraines|arthritis|coeliac disease|celiac disease|high blood pressure|insomnia|eczema|autism|depression|anxiety)|am (?:left-handed|colou?r-?blind|diabetic|asthmatic|deaf|blind|autistic|dyslexic|retired|married|divorced|widowed|single|pregnant))\b|^i['’]m (?:left-handed|colou?r-?blind|diabetic|asthmatic|deaf|blind|autistic|dyslexic|retired|married|divorced|widowed|single|pregnant)\b|^(?:我|我们|我家)(?:自己|现在|一直|目前|也|还)*(?:经营|开了?一?[家个间]|管理着|从事|教(?=[^，。]{1,8}(?:课|班|学生|英语|数学|语文))|养了|有[一两三四五六\d]+个?(?:孩子|儿子|女儿|弟弟|妹妹|哥哥|姐姐)|有(?:糖尿病|高血压|哮喘|胃病|颈椎病|鼻炎|乙肝)|是左撇子|色盲|离异|已婚|未婚|单身)/iu
/** The rest of the sentence makes it no statement of its own: it asks, orders, doubts or tells of one day. */
const OF_NOW =
  /[?？]|\b(?:can|could|would|will) you\b|\bplease\b|\bhelp me\b|\bwondering\b|\btrying\b|\bwill\b|['’]ll\b|\bplanning\b|\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening|week|weekend|time)|last (?:night|week|month|weekend)|next (?:week|month|weekend)|just|kinda|lately)\b|帮我|请问|请你|你能|能不能|今天|昨天|明天|今晚|昨晚|刚才?|这次|这周|下周|上周|想[要请问听]|怎么|吗[。？?]?$/i
const LONGEST_CLAUSE = 140
/** Words before the value: further on it is said on the way to something else. */
const FURTHEST_VALUE = 9
/** What is no whole thought in itself. */
const POINTS_ELSEWHERE =
  /\b(?:it|that|this|these|those|he|she|him|they|them|there)\b(?! (?:is|are) (?:a|an) )|[他她它]|这[个些样种]?|那[个些样种]?/i

/** What is refused on these grounds is not said of the user. */
const NOT_OWN: ReadonlySet<DecisionReason> = new Set(['hypothetical', 'code_paste', 'recalled'])

/**
 * The lines, in order, none twice; [] when the message adds nothing. `said`: texts out of the message that make lines of
 * their own, which are left out here.
 */
export function profileLinesByRules(
  message: string,
  decision: Pick<WriteDecision, 'reason' | 'store' | 'parts'>,
  said: readonly string[] = [],
): readonly NewProfileLine[] {
  const lines = sentenceLines(message, decision, said)
  if (!decision.store || lines.length > 0) return lines
  // The decider saw more than the words of the lists: its own parts are the lines.
  if (decision.reason === 'style_wish') return partLines(decision, 'reply_style', ({ text }) => isToldToAssistant(text))
  return decision.reason === 'identity'
    ? partLines(decision, 'background', ({ semantic, text }) => semantic && /^[^,]{1,60} here[.!]?$/i.test(text))
    : []
}

/** "Quiz me before you lecture me", but no "No problem!" and no "Keep believing in yourself!". */
function isToldToAssistant(text: string): boolean {
  if (DOING.test(text) || isQuestion(text) || NO_ORDER.test(text)) return false
  if (/\p{Script=Han}/u.test(text)) return WISH.test(text) || ORDERS_ME.test(text)
  return ORDERS_ME.test(text) || [ABOUT_ANSWERS, STYLE, LANGUAGE].some((words) => words.test(text))
}

const NO_ORDER =
  /^(?:you|it|it['’]s|its|i|we|he|she|they|shes?|that|this|sorry|thanks?|oh+|wow|no (?:problem|worries)|talk to you|there)\b|\b(?:soon|yourself)\b/i
const ORDERS_ME = /^\w+(?:['’]t)? (?:\w+ )?me\b|[你别]|不要|给我|跟我|对我/i

function partLines(
  { parts }: Pick<WriteDecision, 'parts'>,
  section: ProfileSection,
  isMeant: (part: KeptPart) => boolean,
): readonly NewProfileLine[] {
  return parts
    .filter((part) => isMeant(part) && splitSentences(part.text).length === 1)
    .map(({ text }) => ({ section, text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '' && text.length <= LONGEST_LINE && !ONCE.test(text))
    .slice(0, MOST_LINES)
}

function sentenceLines(
  message: string,
  decision: Pick<WriteDecision, 'reason' | 'store' | 'parts'>,
  said: readonly string[],
): readonly NewProfileLine[] {
  const lines: NewProfileLine[] = []
  const add = (section: ProfileSection, text: string): void => {
    if (text.length <= LONGEST_LINE && lines.length < MOST_LINES && !lines.some((line) => line.text === text))
      lines.push({ section, text })
  }
  const prose = proseOf(message, CHARACTERS_READ)
  const own = NOT_OWN.has(decision.reason) ? '' : ownWords(prose).text
  for (const sentence of splitSentences(prose)) {
    if (lines.length === MOST_LINES) break
    if (said.some((text) => text.includes(sentence) || sentence.includes(text))) continue
    const section = wishedIn(sentence, decision)
    const text = withoutLead(sentence)
    if (section === 'reply_style' || section === 'refused') {
      if (section === 'reply_style') add(section, text)
      // A dream, a song, a part that is played or a quotation says nothing about who the user is.
    } else if (own.includes(sentence)) {
      if (section === 'language' && !isQuestion(sentence)) add(section, text)
      else for (const told of whoIn(text)) add('background', told)
    } else if (section === 'language' && lasts(sentence, decision)) add(section, text)
  }
  return lines
}

/** The sentence, or those of its clauses, that say something lasting of the user or of who is near to him. */
function whoIn(sentence: string): readonly string[] {
  if (refusalOf(sentence) === 'speculation') return []
  const isAlone =
    sentence.length <= LONGEST_CLAUSE &&
    !OF_NOW.test(sentence) &&
    !isQuestion(sentence) &&
    !POINTS_ELSEWHERE.test(sentence)
  const clauses = clausesOf(sentence)
  const facts = extractFacts(sentence, SPEAKER)
  // Beside a question a clause may state something all the same.
  const telling = clauses.filter((clause) => tellsWho(clause, facts.length > 0 ? facts : extractFacts(clause, SPEAKER)))
  if (telling.length === 0) return []
  // 我住在洛阳，在那里养了…: each clause says something of the user, and what it points to is named.
  const isWhole = clauses.every((clause) =>
    facts.some(({ value, about }) => about === 'user' && clause.includes(value)),
  )
  if (isWhole && OWN_FIRST.test(sentence) && sentence.length <= LONGEST_CLAUSE && !OF_NOW.test(sentence))
    return [sentence]
  if (isAlone && OWN_FIRST.test(sentence) && telling.length * 2 >= clauses.length) return [sentence]
  return telling.map(asSentence)
}

const SPEAKER = { who: 'user', now: 0 } as const

function tellsWho(clause: string, facts: readonly Fact[]): boolean {
  if (!OWN_FIRST.test(clause) || clause.length > LONGEST_CLAUSE) return false
  if (OF_NOW.test(clause) || POINTS_ELSEWHERE.test(clause) || isQuestion(clause)) return false
  return (
    WHO.test(clause) ||
    facts.some(({ key, value, about, standing, source }) => {
      if (!clause.includes(value) || clause.slice(0, clause.indexOf(value)).split(/\s+/).length > FURTHEST_VALUE)
        return false
      const holds = (standing === 'holds' || standing === 'corrects') && source === 'user_stated'
      const keys = about === 'user' ? LASTING_KEYS : KEYS_OF_OTHERS
      if (KEYS_BY_NAME.has(key) && !GIVES_NAME.test(clause)) return false
      return holds && about !== 'someone' && (keys.has(key) || (about === 'user' && key.startsWith('favourite_')))
    })
  )
}

/** "…, but how can I make sure of it?" asks; "can you always answer in French?" orders. */
function isAsked(sentence: string): boolean {
  return isQuestion(sentence) && !/^(?:please )?(?:can|could|would|will) you\b|你/i.test(sentence)
}

/** A clause that was cut out of a sentence, with its full stop. */
function asSentence(clause: string): string {
  if (/\p{Script=Han}/u.test(clause)) return /[。！]$/u.test(clause) ? clause : `${clause}。`
  const upper = clause.charAt(0).toUpperCase() + clause.slice(1)
  return /[.!]$/.test(upper) ? upper : `${upper}.`
}

/** Under which heading a wish about answers or a word about languages belongs; `refused`: it is one, and does not last. */
function wishedIn(
  sentence: string,
  decision: Pick<WriteDecision, 'reason' | 'store'>,
): ProfileSection | 'refused' | null {
  if (TRANSLATION.test(sentence) || HYPOTHESIS.test(sentence)) return 'refused'
  const asksForLanguage = LANGUAGE.test(sentence)
  if (asksForLanguage && OWN_LANGUAGE.test(sentence) && !isQuestion(sentence)) return 'language'
  if (asksForLanguage || ABOUT_ANSWERS.test(sentence) || STYLE.test(sentence) || ALWAYS.test(sentence)) {
    if (WISH.test(sentence) && !DOING.test(sentence) && !isAsked(sentence) && lasts(sentence, decision))
      return asksForLanguage ? 'language' : 'reply_style'
    if (asksForLanguage || STYLE.test(sentence)) return 'refused'
  }
  return null
}

/** "Always confirm the date when I ask about deadlines": an order for every time, whatever it is about. */
const ALWAYS =
  /^(?:please )?(?:always|never)\b.*\bwhen(?:ever)? i\b|^(?:please )?always (?:include|give|use|mention|show|suggest|provide|highlight|confirm|specify|format|prioriti[sz]e)\b/i

function lasts(sentence: string, { reason, store }: Pick<WriteDecision, 'reason' | 'store'>): boolean {
  if (ONCE.test(sentence)) return false
  return (
    LASTING.test(sentence) ||
    ADDRESS.test(sentence) ||
    (store && (reason === LASTING_REASON || (reason === 'preference' && FORBIDS.test(sentence))))
  )
}
