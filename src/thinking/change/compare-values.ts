/**
 * Do two statements give the same value, another one, or values of different things? Compared by their facts, names and
 * words; that they speak of the same attribute was found before.
 */
import { MEMORY_FILE_DEFAULTS } from '../../domain/memory-file.ts'
import { readOnce } from '../../domain/read-once.ts'
import type { Fact } from '../../domain/thought.ts'
import { chineseNumber, FULL_WEEKDAY } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { editSimilarity, isMoreAlike } from '../../language/spelling.ts'
import { IRREGULAR_PAST } from '../../language/tense.ts'
import { wordList } from '../../language/word-lists.ts'
import { denies, isPastAct, isUsual } from '../facts/stance-cues.ts'
import { inContrast, textProfile } from '../similarity/similarity.ts'
import { tellingTerm, wordsIn } from '../topic/word-rarity.ts'
import type { Overlap } from './overlap.ts'
import { conflicting, isTimeTerm } from './quantities.ts'
import type { Reading } from './statement-reading.ts'

/** The share of the newer statement's words that the older one has in a repeat: a statement that says more is none. */
const REPEATED = 0.85
/** Likewise in a repeat of nearly the same letters that has other words in the place of some. */
export const REWORDED = 0.7

/** The share of additional words up to which another wording of one fact repeats it. */
const BESIDE_FACT = 0.5

export function isRepeat(newer: Reading, older: Reading, overlap: Overlap): boolean {
  // A statement that denies it, or adds another value, does not say it again.
  if (denies(newer.text) && !denies(older.text)) return false
  if (addsValue(newer, older)) return false
  if (newer.values.length > 0 && conflicting(newer.values, older.values)) return false
  const repeated = overlap.terms.length / newer.terms.size
  const isSame = (a: Fact, b: Fact): boolean => a.standing === b.standing && isOneFact(a, b)
  const isSameFact = newer.facts.some((fact) => older.facts.some((other) => isSame(fact, other)))
  if (isSameFact && !(repeated < BESIDE_FACT)) return true
  const shorter = Math.min(newer.terms.size, older.terms.size)
  if (shorter < 2 || (repeated < REPEATED && !isReworded(newer, older, overlap))) return false
  const isNew = (['begins', 'ends'] as const).some((change) => newer.stance[change] && !older.stance[change])
  return (!isNew || newer.stance.past) && !inContrast(textProfile(newer.text), textProfile(older.text))
}

/** Whether a word or two are put in other words, and none is added; letters are alike as in the memory file (004). */
function isReworded(newer: Reading, older: Reading, { terms }: Overlap): boolean {
  const adds = terms.length === older.terms.size && terms.length < newer.terms.size
  if (adds || terms.length < REWORDED * newer.terms.size) return false
  return isMoreAlike(editSimilarity(newer.wording, older.wording), MEMORY_FILE_DEFAULTS.dedupThreshold)
}

/** The newer one gives a number or a name that the older one does not have: it is no mere repetition. */
function addsValue(newer: Reading, older: Reading): boolean {
  if (newer.numbers.some((number) => !older.numbers.includes(number))) return true
  if (newer.properNames.size === 0) return false
  const text = older.text.toLowerCase()
  return [...newer.properNames].some((name) => !text.includes(name))
}

function isOneFact(a: Fact, b: Fact): boolean {
  return a.key === b.key && a.about === b.about && sameValue(a.value, b.value)
}

/** Whether a key with one value at a time has another value. */
export function otherValue(newer: Reading, older: Reading): boolean {
  const { begins, replaces, corrects } = newer.stance
  for (const fact of newer.facts)
    for (const before of older.facts) {
      if (fact.key !== before.key || !fact.single || fact.standing === 'ended') continue
      // One post has many names, and many have two.
      if (fact.key === 'job' && !begins && !replaces && !corrects) continue
      if (!isOnePerson(fact.about, before.about, older) || sameValue(fact.value, before.value)) continue
      return true
    }
  return false
}

/** 我不坐轮渡上班了: the act that has ceased. */
const CEASED = /不再?(?!了)(?<act>[^，。！不了]{2,16})了/u

/** 云南不去了: the thing stands before the act that ceases. */
const GIVEN_UP = /^(?:那|还是)?(?<thing>\p{Script=Han}{2,8}?)(?:就|也|先|暂时|我们?|都)?不(?<verb>\p{Script=Han})了/u

/** Whether it says that the older one's value or act no longer holds: "I don't play the harp any more". */
export function deniesValue({ text, facts }: Reading, older: Reading): boolean {
  const { thing, verb } = GIVEN_UP.exec(text)?.groups ?? {}
  if (thing !== undefined && [thing, verb!].every((word) => older.text.includes(word)))
    return !older.text.includes('不')
  const act = CEASED.exec(text)?.groups?.act
  if (act !== undefined && older.text.includes(act) && !older.text.includes('不')) return true
  const ended = facts.filter(({ standing }) => standing === 'ended')
  return ended.some((fact) => older.facts.some((other) => other.standing === 'holds' && isOneFact(fact, other)))
}

/** "My brother Sam …", "Sam …": a name and a relation may be one person; "she" may be anybody. */
function isOnePerson(about: string, before: string, { people }: Reading): boolean {
  if (about === before) return true
  return before !== 'user' && (about === 'someone' || people.names.has(about) || people.mentioned.has(about))
}

/** `offsite` and `team_offsite` are one: one noun, once with its distinction. */
export function sameKey(a: string, b: string): boolean {
  return a === b || a.endsWith(`_${b}`) || b.endsWith(`_${a}`)
}

/** Whether two values are one but for case, blanks, marks and the writing of numbers: 五岁, 5岁. */
export function sameValue(a: string, b: string): boolean {
  const [one, other] = [a, b].map((value) =>
    value
      .toLowerCase()
      .replace(/[\s"'’.-]+/g, '')
      .replace(/[一二两三四五六七八九十]+/g, (number) => String(chineseNumber(number))),
  )
  return one === other
}

/** A day that is named by the day on which it is told. */
const TODAY =
  /\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening)|last night|just now)\b|今天|今早|今晚|昨天|昨晚|明天|刚才|刚刚/i

/** Whether it tells of the day on which it is told, or of the one before or after. */
export function isOfOneDay(text: string): boolean {
  return TODAY.test(text)
}

/** "I didn't go to the gym today", 周二没上课, and of what is usual 这周二钢琴课取消了: what is left out on one day goes on. */
export function isAbsence(text: string, older: string): boolean {
  if (THIS_WEEKDAY.test(text) && isUsual(older)) return true
  return namesOneDay(text) && LEFT_OUT.test(text)
}

/** Whether it names a single day, by its weekday or from the day on which it is told. */
export function namesOneDay(text: string): boolean {
  return TODAY.test(text) || ON_WEEKDAY.test(text)
}

const THIS_WEEKDAY = new RegExp(
  String.raw`\b(?:this|next) ${FULL_WEEKDAY}\b|[这本下](?:周|星期|礼拜)[一二三四五六日天]`,
  'i',
)

const ON_WEEKDAY = new RegExp(String.raw`\b(?:on|this|last) ${FULL_WEEKDAY}\b|(?:周|星期|礼拜)[一二三四五六日天]`, 'i')
const LEFT_OUT = /\b(?:did|was|have)(?:n['’]?t| not)\b|[天晚早一二三四五六日][^，。]{0,3}没/i

/** Words of a text that its subject may take, and characters that are read for it. */
const LONGEST_SUBJECT = 8
const SUBJECT_CHARACTERS = 200
const [SOMEBODY, SOMEBODY_IN_CHINESE] = [/^(?:i|we|you|he|she|it|they|there)(?:['’]\w{1,2})?$/i, /^[我你您他她它咱]/u]
/** A word with which a predicate begins, behind the first telling word. */
const AUXILIARY = /^(?:is|are|was|were|has|had|have|will|would|can|could|should|may|might|must|do|does|did|goes|went)$/i
const VERB = new RegExp(`^(?:[a-z]{2,20}(?:s|ed)|${IRREGULAR_PAST})$`)
const PREPOSITION = /^(?:of|in|for|on|at|with)$/i
const CHINESE_PREDICATE = /^[在是每有要叫用\d一二三四五六七八九十]/u

/** The telling words of the thing with which a text begins: "The billing service" of "… uses port 80", 仓库的租金. */
const subjectOf = readOnce('subject', (text): ReadonlySet<string> => {
  const subject = new Set<string>()
  // "Call me Ana" is an order, and no thing.
  if (/^\w{1,20} (?:me|us)\b/i.test(text)) return subject
  const isHan = hasHan(text)
  const words = wordsIn(text.slice(0, SUBJECT_CHARACTERS)).slice(0, LONGEST_SUBJECT)
  // Before 是 or 用 a verb is part of a name: 开发服务器的端口是 5050.
  const hasPredicate = words.some((word) => CHINESE_PREDICATE.test(word))
  for (const [at, word] of words.entries()) {
    if ((isHan ? SOMEBODY_IN_CHINESE : SOMEBODY).test(word)) return new Set()
    const isPredicate = isHan
      ? CHINESE_PREDICATE.test(word) || (!hasPredicate && wordList('chinese-verbs').has(word))
      : AUXILIARY.test(word) || (VERB.test(word) && !PREPOSITION.test(words[at - 1] ?? ''))
    if (isPredicate) break
    const term = tellingTerm(word)
    if (term !== null && !isTimeTerm(term)) subject.add(term)
    if (/[,.;:，。；：]$/.test(word)) break
  }
  return subject
})

const NAMES_THING = /^(?:the|our|my) |^\p{Script=Han}/iu
/** Content words of a statement that tells one thing of its subject. */
const ONE_THING = 6

/**
 * "The billing service", "the mail service": things of one name that other words tell apart. Two things are apart, too,
 * where neither text names the other's and no change is told.
 */
export function areOfTwoThings(newer: Reading, older: Reading): boolean {
  // Statements about another person are of one thing.
  if ([newer, older].every(({ people }) => !people.subjects.has('user'))) return false
  const mine = subjectOf(newer.text)
  if (mine.size === 0) return false
  const theirs = subjectOf(older.text)
  if (!mine.isDisjointFrom(theirs)) return !mine.isSubsetOf(theirs) && !theirs.isSubsetOf(mine)
  const tells = newer.stance.begins || newer.stance.corrects || isPastAct(newer.text)
  return (
    !tells &&
    [newer, older].every(({ text, terms }) => NAMES_THING.test(text) || terms.size <= ONE_THING) &&
    theirs.size > 0 &&
    mine.isDisjointFrom(older.terms) &&
    theirs.isDisjointFrom(newer.terms)
  )
}
