/**
 * Of whom does a text speak, and does a clause name its own subject? Relations have one English word in any language
 * ("我妈" → mother), names stay as written, and the writer is `user`.
 */
import { readOnce } from '../../domain/read-once.ts'
import { lazy } from '../../domain/scheduling.ts'
import { wordList, wordTable } from '../../language/word-lists.ts'
import { type PhraseHit, phraseIndex, type Word, wordsOf } from './phrase-index.ts'

/** true for the word that stands for a relation: `mother`, `flatmate`. */
export function isRelation(subject: string): boolean {
  return relations().has(subject)
}

/** Whether it is one of whom the user has nothing to mind: a boss, but no wife. */
export function isAfar(relation: string): boolean {
  return wordTable('relations').some((line) => line.startsWith(`${relation}|afar|`))
}

const relations = lazy(() => new Set(wordTable('relations').map((line) => line.slice(0, line.indexOf('|')))))

/** Looks relations up in a list of words; cut on first use. */
export const relationIndex = lazy(() =>
  phraseIndex([{ lines: wordTable('relations'), entryOf: (columns) => columns.split('|')[0]! }]),
)

/** 老王, 小李, 阿杰, 张工, 王姐 at the head of a clause. */
export const CHINESE_NAME =
  /^(?:我们?|咱们?)?(?:(?:老|小|大)[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤]|阿[\u4e00-\u9fff]|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤](?:工|总|姐|哥|老师|师傅|主任|医生|经理|教授|阿姨|叔|姨|婶|爷|奶奶|大夫))/u

/** Verbs of people, hardly ever of things. */
const HUMAN_VERB =
  /^(?:drives|eats|drinks|plays|speaks|loves|hates|likes|says|said|thinks|wants|prefers|lives|moved|married|quit|studies|teaches|swears|smokes|cooks|reads|told|asked|thought|promised|laughed|decided|retired|graduated|turned|became|bought|sold)$/
const NAME_LIKE = /^[A-Z\u00c0-\u00de][a-z\u00df-\u024f]+$/
/** "I, we, my" at the head of a clause, 我, 我们, 咱, 俺: the writer speaks of himself. */
export const FIRST_PERSON =
  /\b(?:i|i'm|i’m|i've|i’ve|i'll|i'd|im|ive|we|we're|we've|us|me|mine|ours)\b|我(?!妈|爸|哥|姐|弟|妹|爷|奶|婆|家人)|咱|俺|本人/i

/** The people of a text. */
export interface People {
  /** Relations anywhere in it. */
  readonly mentioned: ReadonlySet<string>
  /** Names anywhere in it, lowercase. */
  readonly names: ReadonlySet<string>
  /** The subjects of its clauses: `user`, relations, names, `pronoun`; never empty. */
  readonly subjects: ReadonlySet<string>
  readonly clauses: readonly SubjectClause[]
}

/** A clause and its subject. */
interface SubjectClause {
  readonly text: string
  readonly subjects: ReadonlySet<string>
}

/** The subject of a clause about "she" or 他, known or not. */
export const PRONOUN_SUBJECT = 'pronoun'

const CLAUSE =
  /[,.;:!?，。；：！？、\n]{1,40}(?!\d)|\s{1,40}(?:and|but|so(?= (?:I|we|my|our|he|she|they|it|the|you)\b)|because|while|whereas|since)\s+/u
/** How far from the head of a clause its subject stands. */
const SUBJECT_WORDS = { latin: 5, han: 8 }
const USER: ReadonlySet<string> = new Set(['user'])
/** Somebody who is not told, as the table of relations has it. */
const ELSE: ReadonlySet<string> = new Set(['team_other'])
/** "Another team", and who leaves one's own group: 我们鼓手退出了. */
const SOMEBODY_ELSE =
  /^(?:别的|另一?个|有人|(?:我们|咱们?)(?:的|队|组)?\p{Script=Han}{1,2}[手唱员长](?=[也刚]?[退走辞离调搬]))|^(?:the other|another|some(?:one|body)) /iu

/** 我养了一只橘猫, 我有个弟弟: a living thing comes in, of which the next clause without a subject tells. */
const BRINGS_IN =
  /(?:(?<people>认识|请|雇)|有|养|带|找|交|生|捡|遇|碰|见)(?:了|过|着|到)?[一两二三四几\d]?(?:(?<living>[只位名匹头])|个)\p{Script=Han}{1,10}$/u

/** Whom a Chinese clause brings in, a relation of the writer or of another (我弟弟有个女儿), or somebody; null where nobody. */
function broughtIn(
  clause: string,
  words: readonly Word[],
  hits: readonly PhraseHit<string>[],
): ReadonlySet<string> | null {
  const found = BRINGS_IN.exec(clause.trimEnd())
  if (found === null) return null
  const [owner, person] = [hits.at(-2)?.entry, hits.at(-1)]
  if (person !== undefined && words[person.at]!.start > found.index)
    return new Set([owner === undefined ? person.entry : `${owner}'s ${person.entry}`])
  const { people, living } = found.groups!
  return people === undefined && living === undefined ? null : new Set([PRONOUN_SUBJECT])
}

/** Reads the people of a text. A clause without a subject has that of the one before it. */
export const peopleOf = readOnce('people', (text): People => {
  const mentioned = new Set<string>()
  const names = new Set<string>()
  const clauses: SubjectClause[] = []
  let current: ReadonlySet<string> | undefined
  let third: ReadonlySet<string> | undefined
  let guest: ReadonlySet<string> | null = null
  for (const clause of text.split(CLAUSE)) {
    const words = wordsOf(clause)
    if (words.length === 0) continue
    const isHan = words.some(({ han }) => han)
    // A name with a capital among Chinese words is of a thing: Mate 60.
    const hits = relationIndex()
      .find(words)
      .filter(({ at }) => !isHan || !NAME_LIKE.test(words[at]!.text))
    for (const { entry } of hits) mentioned.add(entry)
    for (const name of namesIn(words, hits)) names.add(name)
    const other = otherSubject(clause, words, hits)
    if (other !== null) third = current = other
    else if (SOMEBODY_ELSE.test(clause.trim())) third = current = ELSE
    else if (isPronoun(clause, words)) current = third ??= new Set([PRONOUN_SUBJECT])
    else if (current === undefined || FIRST_PERSON.test(clause)) current = USER
    else if (guest !== null) current = guest
    guest = isHan ? broughtIn(clause, words, hits) : null
    clauses.push({ text: clause, subjects: current })
  }
  const subjects = new Set(clauses.flatMap((clause) => [...clause.subjects]))
  return { mentioned, names, subjects: subjects.size === 0 ? USER : subjects, clauses }
})

/** "My sister lives in Boston": the word behind such a word is not her name. */
const BEFORE_PLACE = /^(?:in|from|to|at|near|into|for|on|outside|around|through|via)$/i

/** 女朋友小满是…, 同事老韩: a name behind a relation, and no school or class. */
export const NAME_BEHIND = /^[老小大阿](?![学班小中升])\p{Script=Han}(?=[是在住搬说去来叫要有也的今把和跟又]|$)/u

/** The relation or name that a clause begins with; null when it is about the user or does not say. */
function otherSubject(
  clause: string,
  words: readonly Word[],
  hits: readonly PhraseHit<string>[],
): ReadonlySet<string> | null {
  const head = hits.find(({ at }) => isHead(words, at))
  if (head !== undefined && !isFirstPerson(clause, words[head.at]!)) {
    const { hit, person } = lastOwned(words, hits, head)
    const behind = words.slice(hit.at + hit.length, SUBJECT_WORDS.latin + 2)
    const place = behind.findIndex(({ text }) => BEFORE_PLACE.test(text))
    const called = words[hit.at]!.han
      ? NAME_BEHIND.exec(clause.slice(behind[0]?.start ?? clause.length))?.[0]
      : undefined
    const [name = called] = [
      ...namesIn(place < 0 ? behind : behind.slice(0, place)),
      ...namesIn(words.slice(0, hit.at), hits),
    ]
    return new Set(name === undefined ? [person] : person === hit.entry ? [person, name] : [name])
  }
  const chinese = CHINESE_NAME.exec(clause.trim())?.[0]
  if (chinese !== undefined) return new Set([chinese.replace(/^(?:我们?|咱们?)/, '')])
  const named = namesIn(words.slice(0, 2))[0]
  return named !== undefined && isActing(words, named) ? new Set([named]) : null
}

/**
 * "My aunt's best friend", "Theo's brother", 我妈的同事: the last of a row of owners, and the row as a person of its own.
 * A relation of the writer is that relation.
 */
export function lastOwned(
  words: readonly Word[],
  hits: readonly PhraseHit<string>[],
  head: PhraseHit<string>,
): { readonly hit: PhraseHit<string>; readonly person: string } {
  const [named = ''] = words.slice(Math.max(0, head.at - 2), head.at).flatMap((word) => ownerIn(word) ?? [])
  let [hit, person] = [head, `${named}${head.entry}`]
  for (const next of hits) {
    const between = words.slice(hit.at + hit.length, next.at)
    const owns = words[hit.at]!.han
      ? between.length === 1 && between[0]!.text === '的'
      : between.length <= 1 && POSSESSIVE.test(words[hit.at + hit.length - 1]!.text)
    if (next.at > hit.at && owns) [hit, person] = [next, `${person}'s ${next.entry}`]
  }
  return { hit, person }
}

export const POSSESSIVE = /['’]s$/

/** "tom's " of "Tom's", "pronoun's " of "her"; null for a word that names no owner. */
function ownerIn({ text }: Word): string | null {
  if (/^(?:his|her|their|[他她])$/i.test(text)) return `${PRONOUN_SUBJECT}'s `
  const name = text.replace(POSSESSIVE, '')
  const isName = NAME_LIKE.test(name)
    ? !wordList('no-names').has(name.toLowerCase())
    : wordList('given-names').has(name)
  return name !== text && isName ? `${name.toLowerCase()}'s ` : null
}

function isPronoun(clause: string, words: readonly Word[]): boolean {
  return /^[他她]/.test(clause.trim()) || /^(?:he|she|his|her|their|he's|she's|he’s|she’s)$/i.test(words[0]!.text)
}

function isHead(words: readonly Word[], at: number): boolean {
  const word = words[at]!
  return at < (word.han ? SUBJECT_WORDS.han : SUBJECT_WORDS.latin) && !afterVerb(words, at)
}

const SOME_OF = /^(?:one|some|two|both|most|all)$/i

/** "I moved in with my sister", 送女儿, 给表弟: spoken to or with, not of; "one of my sisters" is spoken of. */
function afterVerb(words: readonly Word[], at: number): boolean {
  const from = SOME_OF.test(words[0]!.text) && words[1]?.text === 'of' ? 2 : 0
  for (let before = from; before < at; before += 1) {
    const { text, han } = words[before]!
    if (
      han
        ? '给送跟和同带陪替帮把被让找见问为比像叫'.includes(text)
        : /^(?:with|to|for|from|by|at|told|tell|gave|give|asked|took|like|than|of|see|met|called|as)$/i.test(text)
    )
      return true
  }
  return false
}

/** "I" or 我 before the relation, "my sister" and 我妈 aside. */
function isFirstPerson(clause: string, relation: Word): boolean {
  const before = clause.slice(0, relation.start).trim()
  if (relation.han)
    return /(?:我|咱|俺).+/.test(
      before.replace(/(?:新|老|大|小|那|这|前|的|们|家|公司|组|以前|现在|同|亲|俩|个|里|班|寝室){1,40}$/, ''),
    )
  return FIRST_PERSON.test(before.replace(/\b(?:my|our)\b/gi, ''))
}

/** "Theo's friend" is not Theo: of a name before a relation nothing is told. */
function namesIn(words: readonly Word[], relations: readonly PhraseHit<string>[] = []): readonly string[] {
  const names: string[] = []
  for (const [at, { text }] of words.entries()) {
    const bare = text.replace(POSSESSIVE, '')
    if (bare !== text && relations.some((hit) => hit.at === at + 1)) continue
    if (NAME_LIKE.test(bare) && !wordList('no-names').has(bare.toLowerCase())) names.push(bare.toLowerCase())
  }
  return names
}

/** "Sam drives", "Ivy's birthday", "Mrs Okafor": a given name or a title, or a name with a verb of people. */
function isActing(words: readonly Word[], name: string): boolean {
  const at = words.findIndex(({ text }) => text.toLowerCase().startsWith(name))
  if (/^(?:mr|mrs|ms|miss|dr|prof|auntie|aunt|uncle|sister|brother)$/i.test(words[at - 1]?.text ?? '')) return true
  const next = words[at + 1]?.text.toLowerCase() ?? ''
  return wordList('given-names').has(name) || HUMAN_VERB.test(next)
}

/** A clause that can stand alone begins with its subject. */
export const OWN_SUBJECT = /^(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve)|my|our|the)\b|^(?:我|咱|俺|我们|现在|目前)/iu

/** "I live in Porto and work for a shipyard": the subject is said once, in front. */
const PRONOUN_FIRST = /^(i|we|he|she|they)(?:['’](?:m|ve|d|ll|s|re))?\s/i
const JOINED = /\b(?:and|but)\s{1,40}$/i
/** Words after "and" that are no verb. */
const NO_VERB =
  /^(?:an?|the|my|our|his|her|their|its|this|that|these|those|some|any|no|not|one|two|three|four|five|\d|in|at|on|from|near|with|for|of|by|to|as|about|also|now|then|so|who|which|where|when)\b|^\p{Lu}|^\w+(?:ing|ly)\b/u
/** 我叫林静，住在杭州: Chinese says the subject once, and the next clause begins with its verb. */
const HAN_FIRST = /^(我们?|咱们?|俺)(?!的)/u
const HAN_VERB =
  /^(?:目前|现在|今年|平时|一直|从来|刚)?(?:住|在|是|做|当|养|有|没有|用|开|学|教|读|玩|练|打|踢|弹|吃|喝|不吃|不喝|喜欢|不喜欢|爱|讨厌|对|来自|毕业|搬|换|买|入职|负责|坐|骑|戴|属|\d+岁)/u

/** A clause of the text, with the pronoun that the text begins with where the clause goes on without one. */
export function withSubject(clause: string, text: string): string {
  if (OWN_SUBJECT.test(clause)) return clause
  const before = text.slice(0, text.indexOf(clause))
  const [, pronoun] = PRONOUN_FIRST.exec(text) ?? []
  if (pronoun !== undefined && JOINED.test(before) && !NO_VERB.test(clause)) return `${pronoun} ${clause}`
  const [, own] = HAN_FIRST.exec(text) ?? []
  if (own !== undefined && /[，,；;]\s{0,40}$/u.test(before) && HAN_VERB.test(clause) && isOfUserAlone(before))
    return own + clause
  return clause
}

/** 我女朋友是护士，住在…: it goes on about her. */
function isOfUserAlone(before: string): boolean {
  const { subjects, mentioned, names } = peopleOf(before)
  const last = before.split(CLAUSE).findLast((clause) => clause.trim() !== '') ?? ''
  const isAlone = subjects.has('user') && subjects.size === 1 && mentioned.size === 0 && names.size === 0
  return isAlone && broughtIn(last, [], []) === null
}
