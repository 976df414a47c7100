/**
 * Which attributes does a text call changed or over, without a new value ("I changed jobs", 辞职了)? The last value is
 * then over although the next one is not named.
 */
const ENGLISH_CHANGE = '(?:chang(?:ed|ing)|switch(?:ed|ing)|swapp?(?:ed|ing)|left|leaving|lost)(?: my| our)?'
/** Left, for a post: "quit the bakery, starting as a baker elsewhere". */
const LEFT_FOR_POST = String.raw`(?:quit|left|leaving|quitting) [^.!?]{1,60}\bstart(?:ing|ed|s)? (?:work |a job |over )?as an? `
const TABLE: readonly (readonly [keys: readonly string[], pattern: RegExp])[] = [
  [
    ['employer', 'job', 'office'],
    new RegExp(
      String.raw`\b(?:${ENGLISH_CHANGE} (?:jobs?|employers?|company|companies|firms?)|got a new job|quit (?:my|the) job|i(?:['’]ve| have|['’]m| am)?(?: just| finally)? (?:quit|retired)(?= *(?:$|[.,;!]| (?:today|yesterday|last|this|on|and|at last)\b))|resigned|handed in my (?:notice|resignation)|${LEFT_FOR_POST}|(?:got|was|been) (?:fired|sacked|laid off|let go|made redundant))\b|换(?:了|个|份|一)*(?:工作|公司|单位|东家)|跳槽|辞职|离职|裸辞|辞[掉去了]{1,2}[^，。！？]{0,12}(?:工作|职)|被[^，。！？]{0,8}(?:裁|开除|优化)|退休了`,
      'i',
    ),
  ],
  [
    ['home'],
    /\b(?:moved (?:house|flat|home)|(?:we|i)(?:['’]ve| have) (?:just )?moved(?! on| past))\b|搬(?:了|完)?家|搬走了|搬出/i,
  ],
  [
    ['university'],
    /\b(?:dropp(?:ed|ing) out|graduated|(?:left|quit|leaving) (?:uni|university|college))\b|退学|毕业了|休学/i,
  ],
  [['school'], new RegExp(String.raw`\b${ENGLISH_CHANGE} schools?\b|转学|换学校`, 'i')],
  [['major'], new RegExp(String.raw`\b${ENGLISH_CHANGE} (?:majors?|courses?|degrees?)\b|转专业|换专业`, 'i')],
  [
    ['partner'],
    /\b(?:broke up|split up|got divorced|we(?:['’]re| are) (?:divorced|separated)|left me|and i (?:[^.!?;]{0,60} )?(?:are|is|['’]s) (?:over|done|through)(?! \w))\b|分手|离婚|掰了|跟[他她]分了|我[俩们](?:已经)?散了/i,
  ],
  [
    ['boss', 'teacher', 'doctor', 'dentist', 'landlord'],
    /\b(?:has|have|is|got) (?:left|retired|gone|replaced)\b|退休了|调走|离开了/i,
  ],
]

/** Keys of the attributes that are called changed; empty for most texts. */
export function changedAsWhole(text: string): ReadonlySet<string> {
  return new Set(TABLE.flatMap(([keys, pattern]) => (pattern.test(text) ? keys : [])))
}
