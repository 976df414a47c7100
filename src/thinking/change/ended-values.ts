/**
 * Which things does a statement say are gone, or left for another one? It names them in the words of the older
 * statement, or calls an attribute changed as a whole ("I changed jobs", 辞职了).
 */
import { readOnce } from '../../domain/read-once.ts'
import { hasHan } from '../../language/character-class.ts'
import { PRONOUN_SUBJECT } from '../facts/people.ts'
import { denies, isPastAct } from '../facts/stance-cues.ts'
import type { Overlap } from './overlap.ts'
import type { Reading } from './statement-reading.ts'

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
export const changedAsWhole = readOnce(
  'changed as a whole',
  (text): ReadonlySet<string> => new Set(TABLE.flatMap(([keys, pattern]) => (pattern.test(text) ? keys : []))),
)

const NO_THING = /^(?:it|this|that|them|me|us|you|him|her|one|here|there|这|那|它|这个|那个)\b/i

type Groups = Readonly<Record<string, string | undefined>>

function firstGroups(patterns: readonly RegExp[], text: string): Groups | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups
    if (groups !== undefined) return groups
  }
  return null
}

/** "Switched from Jira to Linear", "rent went from 430 to 465", "dropped goose for atlas", 从A换到B, 把A换成B. */
const LEFT_FOR = [
  /\b(?:switch|mov|migrat|chang|convert|upgrad|transition|shift|push|postpon|bump|rais|increas|reduc|lower|extend|rose|grew|fell|dropped|go(?:es|ing)?(?: up| down)?(?= from \W?\d)|went(?: up| down)?(?= from \W?\d))[a-z]{0,6}\b[^.;!?\n]{0,40}? from (?:the |my |our )?(?<left>[^,.;!?\n]{1,40}?) (?:over )?to \S/i,
  /\b(?:replac(?:ed|ing)|swapp(?:ed|ing)(?: out)?|exchanged|ditched|dropped|traded) (?:the |my |our )?(?<left>[^,.;!?\n]{1,40}?) (?:with|for|by|in favou?r of) \S/i,
  /[从由] ?(?<left>[^，。！？\s从由把将]{1,16}?) ?(?:[换改切转调涨降推挪延砍加减提升]|迁移?|升级|推迟|提高)[到成为至]了?[^，。！？]/u,
  /[把将] ?(?<left>[^，。！？\s从由]{1,16}?) ?(?:[换改]|替换)成了?[^，。！？]/u,
]
/** Content terms of a statement about one thing. */
const FEW_TERMS = 6

const leftIn = readOnce('left', (text): string | null => {
  const left = firstGroups(LEFT_FOR, text)?.left
  return left === undefined || NO_THING.test(left) ? null : left.toLowerCase()
})

/** A number, or one English word without a capital. */
function isCommon(left: string, text: string): boolean {
  return /^\P{L}+$/u.test(left) || (/^[a-z]+$/.test(left) && text.includes(left))
}

/** Whether the older statement gives the value that the newer one says was left for another. */
export function tellsEnded({ text, stance }: Reading, older: Reading): boolean {
  if (stance.unreal || denies(text)) return false
  const left = leftIn(text)
  if (left === null || older.stance.past) return false
  const leftBefore = leftIn(older.text)
  if (leftBefore === null && isPastAct(older.text)) return false
  // A number or a common word alone is of many things: a longer statement must give it as a value.
  if (older.terms.size > FEW_TERMS && isCommon(left, text)) return older.facts.some(({ value }) => value.includes(left))
  // Of an earlier change holds what took the place of another.
  const said = older.text.toLowerCase().replace(leftBefore ?? '', '')
  return hasHan(left) ? said.includes(left) : new RegExp(`(?<![\\w.])${RegExp.escape(left)}(?![\\w]|\\.\\d)`).test(said)
}

const OWN_POST = /^我是?(?:在)?[当做是]?一?[名位][^，。！？]{1,8}$/
/** A statement of leaving work need not name the post: the older one tells it. */
export function leavesPost(newer: Reading, older: Reading): boolean {
  const { stance, text, people } = newer
  if (!stance.ends || stance.unreal || stance.past || stance.hedged || !changedAsWhole(text).has('job')) return false
  const telling = people.clauses.filter((clause) => changedAsWhole(clause.text).has('job'))
  const isOwn = [telling.length > 0 ? telling : [people], [older.people]].every((those) =>
    those.some(({ subjects }) => subjects.has('user')),
  )
  return isOwn && (older.stated.has('job') || older.stated.has('employer') || OWN_POST.test(older.text))
}

/** "Priya and I broke up", 我俩散了: the older one tells of the partner of who parts, or the parting one is that partner. */
export function leavesPartner({ stance, text, people }: Reading, older: Reading, { names, terms }: Overlap): boolean {
  if (stance.unreal || stance.past || !changedAsWhole(text).has('partner') || isPastAct(older.text)) return false
  if (names.some((name) => new RegExp(`\\b${RegExp.escape(name)} and i\\b`, 'i').test(text))) return true
  const telling = people.clauses.filter((clause) => changedAsWhole(clause.text).has('partner'))
  const parted = new Set((telling.length > 0 ? telling : [people]).flatMap(({ subjects }) => [...subjects]))
  if (['partner', PRONOUN_SUBJECT].some((one) => parted.has(one))) parted.add('user')
  // 我跟小雅分手了: a Chinese name is a term of both.
  if (hasHan(text) && terms.length > 0 && older.people.mentioned.has('partner')) return parted.has('user')
  const partners = older.facts.filter(({ key }) => key === 'partner')
  return (
    (older.people.subjects.has('partner') && parted.has('user')) ||
    partners.some(({ about, value }) => parted.has(about) || parted.has(value.toLowerCase()))
  )
}
