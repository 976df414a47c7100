/** Does a clause speak of the past, the future or the present? Its verbs tell; null where they do not. */
import { hasHan } from './character-class.ts'

export type Tense = 'past' | 'present' | 'future'

const CLAUSE_END = /[.!?;。！？；\n]/
/** The ends of parts that may have a verb of their own. */
const PART_END = /[,，、](?!\d)|\b(?:and|but|so)\b(?= (?:i|we|you|he|she|it|they|the|my|our|his|her|their)\b)/i
/** Characters on each side that are read. */
const LOOKED_AT = 200
/** The past of verbs that form it by themselves, without those that are words of another kind, too. */
export const IRREGULAR_PAST =
  'ate|became|began|bent|blew|bought|bred|broke|brought|built|burnt|came|caught|chose|clung|crept|dealt|did|drank|dreamt|drew|drove|dug|fed|fell|felt|fled|flew|flung|forgave|forgot|fought|found|froze|gave|grew|had|heard|held|hid|hung|kept|knelt|knew|laid|leapt|learnt|led|left|lent|lost|made|met|mistook|overcame|paid|ran|rang|rode|said|sang|sank|sat|saw|sent|shone|shook|shrank|slept|slid|sold|sought|spent|spoke|sprang|spun|stole|stood|struck|stung|swam|swept|swore|swung|taught|threw|told|took|tore|undertook|understood|was|went|wept|were|withdrew|woke|won|wore|wove|wrote'
/** "Signed", but neither "need" nor the state of "is closed". */
const REGULAR_PAST =
  "(?<!\\b(?:is|are|am|be|being|gets?|getting|i['’]m|(?:we|they|you)['’]re)(?: \\w{1,20})? )(?!need|speed|feed|bed\\b|red\\b|indeed|hundred)\\w{2,40}ed"

/** "I'm wondering about" tells nothing of a date. */
const OF_MIND = 'feeling|thinking|wondering|trying|struggling|considering|hoping'

/** "We married on", "on" at the start of a part that tells what happened. */
const VERB_BESIDE = new RegExp(
  `\\b(?:${IRREGULAR_PAST}|born|${REGULAR_PAST}) (?:\\w{1,20}ly )?(?:(?:back )?(?:on|in|at|during|over) )?(?:the )?$`,
  'iu',
)
const OPENS_PART = /^\s{0,3}(?:(?:back )?(?:on|in|at|during|over) )?(?:the )?$/i
/** 三月去了, 五号我们结婚了, 八号上线的; 快到了 is yet to come. */
const DONE_BESIDE = /^\s?(?:[我你他她]们?|咱们?)?(?!快)\p{Script=Han}{1,2}(?:了|[过過](?![期敏])|的\s*$)/u
/** A Chinese verb follows its day: 了 before the day, or behind what the day belongs to, tells when it was arranged. */
const DONE_BEHIND = /^(?!\s?的(?!时候|時候)).*?\p{Script=Han}.*?(?:了|[过過](?![期敏])|的$)/u

/** Cues of tense in order of precedence, and those that count behind the date alone. */
const CUES: readonly (readonly [Tense, RegExp, behind?: RegExp])[] = [
  [
    'future',
    /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ning|ned)? (?:to|on|for)|remind me|do (?:i|we) have|have (?:i|we) got)\b|\w['’]ll\b|打算|计划|計劃|预约|預約|即将|即將|截止|到期|将要|將要|提醒我/iu,
  ],
  ['past', new RegExp(`\\b(?:been|ago|(?<!(?:ve|has) )got|${IRREGULAR_PAST})\\b|曾|当时|當時|那天`, 'iu'), DONE_BEHIND],
  [
    'future',
    new RegExp(
      `\\b(?:(?:is|are|am|(?:i|you|he|she|we|they)['’](?:m|re|s))(?: (?!${OF_MIND})\\w{1,40})? (?!during|${OF_MIND})\\w{1,40}ing|upcoming|scheduled|due|deadline|expires?|appointments?|to be)\\b|要(?!求|么|麼|是)|会(?![议员]|儿)|會(?![議員])|将|將|安排`,
      'iu',
    ),
  ],
  ['past', new RegExp(`\\b${REGULAR_PAST}\\b`, 'iu')],
  [
    'present',
    /\b(?:is|are|am|has|have|do|does|can)\b|\w['’](?:s|m|re|ve)\b|\b(?:i|we|you|they) (?:\w{1,20}ly |also |still |only )?[a-z]{2,}|是|在|有/iu,
  ],
]
/** "The lease starts on", "the release goes out": this verb, and none elsewhere, is that of the date. */
const STARTS =
  /\b[a-z]{2,20}(?<!s|u|i|thi|wa|ha)s(?: (?:off|out|up|over|place|live|back|in|again))?(?: (?:on|at|in))?(?: the)? ?$/i
/** A month, unlike a weekday, is no habit behind this verb: "the lease ends in". */
const STARTS_IN = /\b[a-z]{2,20}(?<!s|u|i|thi|wa|ha)s in (?:the )?$/i
/** "Starting as a nurse in": a part whose verb has no tense of its own. */
const OPENS_WITH_PARTICIPLE = /^\s*(?:(?:and|then|now|before|after) )?[a-z]{2,20}ing\b/i
const IS_ON = /\b(?:is|are) (?:on|at|in) (?:the )?$/i
/** "Booked flights for", "extended it by", "signed up for the workshop on", "my May 4 trip": what is past is not the date. */
const AIMED_AT =
  /\b(?:for|by|until|till|before|starting|beginning|effective) (?:the )?$|(?:\b(?:an?|the|my|our|his|her|their)|['’]s) $/i
const ARRANGED_FOR =
  /\b(?:mov|postpon|push|delay|(?:re)?schedul|shift|chang)\w{0,4} [^,]{0,60}\bto (?:the )?$|\b(?:sign\w{0,2} up|register\w{0,3}|enroll?\w{0,3}|book\w{0,3}|invited|tickets?) (?:[^,]{0,60}\b)?(?:for|in|to) (?:[^,]{0,60}\b(?:on|in) )?(?:the )?$/i
/** "I've signed from June" tells when it will begin; "I've been away from June to August" does not. */
const BEGINS_FROM = /(?:\bhave|\bhas|['’]ve)\b.{0,120}\bfrom (?:the )?$/i
const ENDS_BEHIND = /^\s*(?:to|until|till|through|[-–—])/i
/** A Chinese part that says more than the date. */
const TELLS_BY_ITSELF = /\p{Script=Han}{3}/u
const ONLY_IS = /^[\s，,]*[是在]\s*$/u
const SINCE = /\bsince (?:the )?$|自从?$/i

/** The end of a state, not its beginning: "until May", 到六月, 六月为止. */
const UNTIL = /\b(?:until|till|by|before|through|to|for) (?:the )?$|[到至]$/i
const UNTIL_BEHIND = /^(?:之前|以前|前|为止|到期|截止)/

const PREPOSITION = /^(?:in|on|since|until|till|by|of|from|before|to|through) (?:the )?/i

/** The tense of the clause in which the characters from `start` to `end` stand. */
export function tenseAt(text: string, start: number, end: number): Tense | null {
  const [before, after] = clauseAround(text, start, end)
  if (SINCE.test(before)) return 'past'
  if (IS_ON.test(before)) return 'future'
  const near = partOf(before, after)
  const own = tenseOf(near, after.split(PART_END)[0]!)
  const whole = `${before} ${after}`
  // "是周三" says as little of a time as the date alone: it is the day of all before it.
  const onlyIs = ONLY_IS.test(near)
  const said = own === 'present' && onlyIs ? null : own
  const tense =
    said ?? (STARTS.test(before) || TELLS_BY_ITSELF.test(near) ? null : tenseOf(whole, onlyIs ? whole : after))
  if (tense !== 'past') return STARTS_IN.test(before) ? 'future' : tense
  if (ARRANGED_FOR.test(before)) return 'future'
  if (said === null && OPENS_WITH_PARTICIPLE.test(near)) return null
  return AIMED_AT.test(before) || (BEGINS_FROM.test(before) && !ENDS_BEHIND.test(after)) ? null : tense
}

/** Whether what is past happened on this very date: its verb stands beside it ("we married on", 三月去了), or all stands behind it. */
export function isDateOfVerb(text: string, start: number, end: number): boolean {
  const [before, after] = clauseAround(text, start, end)
  if (hasHan(`${before}${after}`)) return DONE_BESIDE.test(after)
  const [own, rest] = [before.split(PART_END).at(-1)!, after.split(PART_END)[0]!]
  return VERB_BESIDE.test(own) || (OPENS_PART.test(own) && tenseOf(rest, rest) === 'past')
}

/** Whether a clause gives its value from this date on, not told as past: both are words of the text, whatever their case. */
export function beginsAt(...words: readonly [text: string, value: string, date: string]): boolean {
  const [text, value, date] = words.map((one) => one.toLowerCase()) as [string, string, string]
  const [of, at] = [text.indexOf(value), text.indexOf(date)]
  if (of < 0 || at < 0 || value.includes(date) || tenseAt(text, of, of + value.length) === 'past') return false
  const [before, after] = clauseAround(text, at, at + date.length)
  if (UNTIL.test(before) || UNTIL_BEHIND.test(after)) return false
  const near = partOf(before, after)
  // "In June, I start at Telia": the part of the date says nothing else.
  const isAlone = tenseOf(near, near) === null && !TELLS_BY_ITSELF.test(near)
  return near.includes(value) || (isAlone && `${before} ${after}`.includes(value))
}

/** The words of the clause on both sides; the preposition of a date stands before it. */
function clauseAround(text: string, start: number, end: number): readonly [before: string, after: string] {
  const at = start + (PREPOSITION.exec(text.slice(start, end))?.[0].length ?? 0)
  const before = text.slice(Math.max(0, at - LOOKED_AT), at).split(CLAUSE_END)
  return [before.at(-1)!.replace(/在\s?$/, ''), text.slice(end, end + LOOKED_AT).split(CLAUSE_END)[0]!]
}

function partOf(before: string, after: string): string {
  return `${before.split(PART_END).at(-1)} ${after.split(PART_END)[0]}`
}

/** The tense of a clause; `behind` is its end, in which 了 counts. */
function tenseOf(clause: string, behind: string): Tense | null {
  return CUES.find(([, cue, last]) => cue.test(clause) || last?.test(behind))?.[0] ?? null
}
