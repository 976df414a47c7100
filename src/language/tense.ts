/** Does a clause speak of the past, the future or the present? Its verbs tell; null where they do not. */
export type Tense = 'past' | 'present' | 'future'

const CLAUSE_END = /[.!?;。！？；\n]/
/** Characters on each side that are read. */
const LOOKED_AT = 200

/** Cues of tense in order of precedence. */
const CUES: readonly (readonly [Tense, RegExp])[] = [
  [
    'future',
    /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ning)? (?:to|on|for)|remind me)\b|\w['’]ll\b|打算|计划|計劃|预约|預約|即将|即將|截止|到期|将要|將要|提醒我/iu,
  ],
  [
    'past',
    /\b(?:did|was|were|had|been|went|came|got|took|made|said|told|saw|met|left|bought|ago)\b|n['’]t been\b|了|过(?![期敏])|過(?![期敏])|曾|当时|當時|那天/iu,
  ],
  [
    'future',
    /\b(?:(?:is|are|am)(?: \w{1,40})? (?!during)\w{1,40}ing|(?:i|you|he|she|we|they)['’](?:m|re|s) \w{1,40}ing|upcoming|scheduled|due|deadline|expires?|appointment|to be)\b|要(?!求|么|麼|是)|会(?![议员]|儿)|會(?![議員])|将|將|安排/iu,
  ],
  ['past', /\b(?!need|speed|feed|bed\b|red\b|indeed|hundred)\w{2,40}ed\b/iu],
  ['present', /\b(?:is|are|am|has|have|do|does|can)\b|\w['’](?:s|m|re|ve)\b|是|在|有/iu],
]

/** The tense of the clause in which the characters from `start` to `end` stand. */
export function tenseAt(text: string, start: number, end: number): Tense | null {
  const before = text
    .slice(Math.max(0, start - LOOKED_AT), start)
    .split(CLAUSE_END)
    .at(-1)!
  const after = text.slice(end, end + LOOKED_AT).split(CLAUSE_END)[0]!
  const clause = `${before} ${after}`
  return CUES.find(([, cue]) => cue.test(clause))?.[0] ?? null
}
