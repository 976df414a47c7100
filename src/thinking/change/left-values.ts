/**
 * Which things does a statement say are gone, or left for another one? It names them in the words of the older
 * statement, or calls an attribute changed as a whole ("I changed jobs", 辞职了).
 */
import { readOnce } from '../../domain/read-once.ts'
import { hasHan } from '../../language/character-class.ts'
import { indexTerms } from '../../language/tokens.ts'
import { PRONOUN_SUBJECT } from '../facts/people.ts'
import { cuesOf, denies, isPastAct } from '../facts/stance-cues.ts'
import { topicsOf } from '../facts/topics.ts'
import { isOfPart } from './compare-values.ts'
import { type Overlap, POSTS } from './overlap.ts'
import { givesValue, isContent, type Profile, propTopicsOf } from './statement.ts'

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

const THING = String.raw`(?:(?<own>my|our) |the )?(?<thing>[^,.;!?\n]{2,40}?)`
const THING_ENDS = String.raw`(?= (?:to|away|for|at|on|in|because|since|after|and|when|last|yesterday|today|this)\b|[,.;!?\n]|$)`
/** The verb is one's own: it opens its clause, or stands behind "I". */
const OWN_VERB = String.raw`(?<=(?:^|[\n.,;:!?]\s{0,9}|\b(?:i|we)\b[^,.;:!?\n]{0,30})(?:(?:and|so|just|finally|also|then|have) ){0,3})`
/** "Sold the Golf", "gave my tent to Ana", "our boat got stolen", 车卖了. */
const PARTED_WITH = [
  new RegExp(
    String.raw`${OWN_VERB}\b(?:sold|scrapped|donated|dropped|got off|came off|moved off|(?:closed|shut) down|got rid of|traded in|rehomed|gave away|quit|left|(?<given>gave|(?<=(?:have|has|['’]ve) )given)(?= [^,.;!?\n]{2,40} (?:to|away)\b)) ${THING}${THING_ENDS}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?=my |our |the )${THING} (?:was|were|got|has been|have been) (?:stolen|sold|scrapped|totalled|rehomed)\b`,
    'i',
  ),
  /(?<thing>[^，。！？；\s]{1,16}?)(?:卖[了掉]|送[人走]|走了|没了)(?=$|[\p{P}\s])/u,
]
const HAS =
  /\b(?:work(?:ing)? (?:at|for)|joined|have|has|had|own|keep|drive|ride|play|use|run|is|are|called|named|got|bought|with|live in)\b/i
const ANOTHER_OF_THEM = /\b(?:old|other|second|first|spare|former)\b/i

/** A newer statement is compared with many older ones: what it names is read once. */
const partedWith = readOnce('parted with', (text) => firstGroups(PARTED_WITH, text))

const NO_THING = /^(?:it|this|that|them|me|us|you|him|her|one|here|there|这|那|它|这个|那个)\b/i

type Groups = Readonly<Record<string, string | undefined>>

function firstGroups(patterns: readonly RegExp[], text: string): Groups | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups
    if (groups !== undefined) return groups
  }
  return null
}

/** "I sold the Golf": the older one tells that one has it. */
export function tellsGone({ text, people, stance }: Profile, older: Profile): boolean {
  const found = stance.unreal ? null : partedWith(text)
  if (found === null || NO_THING.test(found.thing!) || denies(text) || isPastAct(older.text)) return false
  if (!people.subjects.has('user') || !older.people.subjects.has('user')) return false
  const thing = found.thing!.toLowerCase()
  const isOnly = found.own !== undefined && !ANOTHER_OF_THEM.test(thing) && found.given === undefined
  if (
    isOnly &&
    older.facts.some(({ key, about, single }) => single && about === 'user' && topicsOf(thing).get(key) === 1)
  )
    return true
  const at = older.text.toLowerCase().search(new RegExp(`\\b${RegExp.escape(thing)}\\b`))
  return at > 0 && HAS.test(older.text.slice(0, at))
}

/** "Dropped Spanish", "we got off Heroku": the value that the older statement gives is left. */
export function leavesGiven({ text, stance }: Profile, older: Profile): boolean {
  const thing = partedWith(text)?.thing?.toLowerCase()
  if (thing === undefined || stance.unreal || stance.past || denies(text)) return false
  return older.facts.some(({ value, standing }) => standing === 'holds' && value.toLowerCase() === thing)
}

const DIED = /\b(?:died|passed away|is dead|put (?:\w{1,40} )?(?:down|to sleep))\b|去世|过世|离世|死了/i

/** "Biscuit died": the older one tells that one has him, or an attribute of the dead. */
export function tellsDeath({ text, people, stance }: Profile, older: Profile): boolean {
  const isDead = DIED.test(text)
  const gone = isDead ? text : partedWith(text)?.thing
  if (stance.unreal || gone === undefined) return false
  const isCalled = (name: string): boolean =>
    new RegExp(`(?<![a-z])${RegExp.escape(name)}(?![a-z]|['’]s)`, 'i').test(gone)
  if (older.topics.get('pet') === 1 && [...older.people.names, ...older.titles].some(isCalled)) return true
  const dead = people.subjects.union(people.names)
  return isDead && older.facts.some(({ about }) => about !== 'user' && dead.has(about))
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
export function tellsLeft({ text, stance }: Profile, older: Profile): boolean {
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

/** "Oisin moved out", of the flatmate: a clause says of who holds a post nothing but that he is gone. */
export function tellsHolderGone({ stance, people, terms }: Profile, older: Profile): boolean {
  if (!(stance.ends || stance.replaces) || stance.past) return false
  return older.facts.some(({ key, value }) => {
    const name = value.toLowerCase()
    const told = POSTS.has(key) ? people.clauses.find(({ subjects }) => subjects.has(name)) : undefined
    const words = told === undefined ? [] : [...indexTerms(told.text).keys()]
    return told !== undefined && words.filter((term) => terms.has(term) && !name.startsWith(term)).length <= 1
  })
}

/** "I have a new dentist", "changed banks", 教练换了: another one of a kind of which one has one at a time. */
const NEW_ONE =
  /\b(?:a new|(?:chang|switch)ed) (?<thing>[a-z-]{2,20}(?: [a-z-]{2,20})?)(?=[,.;!?]|$| (?:is|named|called|now|since|at|in|and|who|from|today|last|this)\b)|换了(?:[一这]?[个位台辆部家份款])?新?(?<kind>\p{Script=Han}{2,4})(?=[，。！,]|$|[叫是])|(?<named>\p{Script=Han}{2,3})(?:又|也|已经)?换(?:了|人)/giu

const newOnes = readOnce('new ones', (text): ReadonlySet<string> => {
  const things = [...text.matchAll(NEW_ONE)].map(
    ({ groups }) => Object.values(groups!).find((one) => one !== undefined)!,
  )
  return new Set(
    things.flatMap((thing) => [...topicsOf(thing)].flatMap(([key, weight]) => (weight === 1 ? [key] : []))),
  )
})

/** Whether it tells of another one in the place of the one that the older statement gives. */
export function tellsNewOne({ text, stance }: Profile, older: Profile): boolean {
  const kinds = newOnes(text)
  if (kinds.size === 0 || stance.unreal || stance.hedged || stance.past || stance.adds) return false
  return !isPastAct(older.text) && older.facts.some(({ key, single }) => single && kinds.has(key))
}

/** "Croatia instead of Portugal", 不是花生过敏: the older one gives the value that a change or a correction denies. */
export function deniesGiven({ denied, stance, topics }: Profile, older: Profile): boolean {
  if (denied.length === 0 || stance.unreal || !(stance.replaces || stance.ends || stance.corrects)) return false
  return denied.some((value) => {
    // Its facts are read only where one of the words stands in it, or a pair of characters.
    if (!(hasHan(value) ? value.match(/..?/gu)! : value.split(' ')).some((word) => older.text.includes(word)))
      return false
    if (older.denied.includes(value)) return false
    // A town in which one lives, and to which one does not travel: of an attribute, both speak.
    const given = older.facts.filter((fact) => fact.value.length > 1 && value.includes(fact.value))
    if (given.length > 0) return given.some(({ key }) => topics.has(key))
    return /^\p{Lu}/u.test(value) && givesValue(older.text, value)
  })
}

const OWN_POST = /^我是?(?:在)?[当做是]?一?[名位][^，。！？]{1,8}$/
/** A statement of leaving work need not name the post: the older one tells it. */
export function leavesPost(newer: Profile, older: Profile): boolean {
  const { stance, text, people } = newer
  if (!stance.ends || stance.unreal || stance.past || stance.hedged || !changedAsWhole(text).has('job')) return false
  const telling = people.clauses.filter((clause) => changedAsWhole(clause.text).has('job'))
  const isOwn = [telling.length > 0 ? telling : [people], [older.people]].every((those) =>
    those.some(({ subjects }) => subjects.has('user')),
  )
  return isOwn && (older.stated.has('job') || older.stated.has('employer') || OWN_POST.test(older.text))
}

/** "Priya and I broke up", 我俩散了: the older one tells of the partner of who parts, or the parting one is that partner. */
export function leavesPartner({ stance, text, people }: Profile, older: Profile, { names }: Overlap): boolean {
  if (stance.unreal || stance.past || !changedAsWhole(text).has('partner') || isPastAct(older.text)) return false
  if (names.some((name) => new RegExp(`\\b${RegExp.escape(name)} and i\\b`, 'i').test(text))) return true
  const telling = people.clauses.filter((clause) => changedAsWhole(clause.text).has('partner'))
  const parted = new Set((telling.length > 0 ? telling : [people]).flatMap(({ subjects }) => [...subjects]))
  if (['partner', PRONOUN_SUBJECT].some((one) => parted.has(one))) parted.add('user')
  const partners = older.facts.filter(({ key }) => key === 'partner')
  return (
    (older.people.subjects.has('partner') && parted.has('user')) ||
    partners.some(({ about, value }) => parted.has(about) || parted.has(value.toLowerCase()))
  )
}

/** "I quit smoking when I started at the bakery", "one goldfish died": another thing is over than the common one, or a part. */
export function endsAnother({ text }: Profile, { topics, hints, terms, names }: Overlap): boolean {
  if (text.split(CLAUSE_BORDER).some((clause) => cuesOf(clause).ends && isOfPart(clause))) return true
  const named = namedBefore(text)
  return named.size > 0 && named.isDisjointFrom(new Set([...topics, ...hints, ...terms, ...names]))
}

/** What the main clause of a sentence names before it says when: attributes, their things, and content words. */
const namedBefore = readOnce('named before', (text): ReadonlySet<string> => {
  const main = MAIN_CLAUSE.exec(text)?.[0] ?? ''
  const terms = [...indexTerms(main).keys()].filter(isContent)
  return new Set(cuesOf(main).ends ? [...topicsOf(main).keys(), ...propTopicsOf(main).keys(), ...terms] : [])
})

const CLAUSE_BORDER = /[,.;:!?，。；：！？]/
const MAIN_CLAUSE = /^[^,.;:!?]{4,80}(?= (?:when|while|after|before|since|until) )/i
