/** Does a clause speak of the past, the future or the present? Its verbs tell; null where they do not. */
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

/** Cues of tense in order of precedence. */
const CUES: readonly (readonly [Tense, RegExp])[] = [
  [
    'future',
    /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ning)? (?:to|on|for)|remind me)\b|\w['’]ll\b|打算|计划|計劃|预约|預約|即将|即將|截止|到期|将要|將要|提醒我/iu,
  ],
  [
    'past',
    new RegExp(
      `\\b(?:been|ago|(?<!(?:ve|has) )got|${IRREGULAR_PAST})\\b|了|过(?![期敏])|過(?![期敏])|曾|当时|當時|那天|的$`,
      'iu',
    ),
  ],
  [
    'future',
    new RegExp(
      `\\b(?:(?:is|are|am|(?:i|you|he|she|we|they)['’](?:m|re|s))(?: (?!${OF_MIND})\\w{1,40})? (?!during|${OF_MIND})\\w{1,40}ing|upcoming|scheduled|due|deadline|expires?|appointment|to be)\\b|要(?!求|么|麼|是)|会(?![议员]|儿)|會(?![議員])|将|將|安排`,
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
const IS_ON = /\b(?:is|are) (?:on|at|in) (?:the )?$/i
/** "Booked flights for", "extended it by", "signed up for the workshop on", "my May 4 trip": what is past is not the date. */
const AIMED_AT =
  /\b(?:for|by|until|till|before|starting|beginning|effective) (?:the )?$|\b(?:mov|postpon|push|delay|(?:re)?schedul|shift|chang)\w{0,4} [^,]{0,60}\bto (?:the )?$|\b(?:sign\w{0,2} up|register\w{0,3}|enroll?\w{0,3}|book\w{0,3}|invited|tickets?) [^,]{0,40}\b(?:for|in|to) [^,]{0,60}\bon (?:the )?$|(?:\b(?:an?|the|my|our|his|her|their)|['’]s) $|[定约約订訂改排推挪延][^，]{0,3}[在到]了?$|[报報订訂约約抢搶买買]了$/iu
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
  const own = tenseOf(near)
  // "是周三" says as little of a time as the date alone.
  const said = own === 'present' && ONLY_IS.test(near) ? null : own
  const tense = said ?? (STARTS.test(before) || TELLS_BY_ITSELF.test(near) ? null : tenseOf(`${before} ${after}`))
  const isAhead = AIMED_AT.test(before) || (BEGINS_FROM.test(before) && !ENDS_BEHIND.test(after))
  return tense === 'past' && isAhead ? null : tense
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
  const isAlone = tenseOf(near) === null && !TELLS_BY_ITSELF.test(near)
  return near.includes(value) || (isAlone && `${before} ${after}`.includes(value))
}

/** The words of the clause on both sides; the preposition of a date stands before it. */
function clauseAround(text: string, start: number, end: number): readonly [before: string, after: string] {
  const at = start + (PREPOSITION.exec(text.slice(start, end))?.[0].length ?? 0)
  const before = text.slice(Math.max(0, at - LOOKED_AT), at).split(CLAUSE_END)
  return [before.at(-1)!, text.slice(end, end + LOOKED_AT).split(CLAUSE_END)[0]!]
}

function partOf(before: string, after: string): string {
  return `${before.split(PART_END).at(-1)} ${after.split(PART_END)[0]}`
}

function tenseOf(clause: string): Tense | null {
  return CUES.find(([, cue]) => cue.test(clause))?.[0] ?? null
}
