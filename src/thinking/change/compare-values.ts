/**
 * Do two statements give the same value, another one, or values of different things? Compared by their facts, names and
 * words; that they speak of the same attribute was found before.
 */
import { DAY_MS } from '../../domain/clock.ts'
import { readOnce } from '../../domain/read-once.ts'
import type { Fact } from '../../domain/thought.ts'
import { chineseNumber, FULL_WEEKDAY } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { findSecrets } from '../../language/secrets/find-secrets.ts'
import { IRREGULAR_PAST } from '../../language/tense.ts'
import { indexTerms } from '../../language/tokens.ts'
import { wordList } from '../../language/word-lists.ts'
import { townOf } from '../facts/kinds.ts'
import { denies, isPastAct } from '../facts/stance-cues.ts'
import { inContrast, textProfile } from '../similarity/rules.ts'
import { rarityOf, tellingTerm, wordsIn } from '../topic/common-words.ts'
import type { Overlap } from './overlap.ts'
import { conflicting, isTimeTerm } from './quantities.ts'
import type { Profile, Statement } from './statement.ts'

/**
 * The share of the newer statement's words that the older one has in a repeat: a statement that says more is none.
 */
export const REPEATED = 0.7

/** The share of additional words up to which another wording of one fact repeats it. */
const BESIDE_FACT = 0.5

export function isRepeat(newer: Profile, older: Profile, overlap: Overlap): boolean {
  // A statement that denies it, or adds another value, does not say it again.
  if (
    newer.facts.some(({ standing }) => standing === 'ended') &&
    !older.facts.some(({ standing }) => standing === 'ended')
  )
    return false
  if (denies(newer.text) && !denies(older.text)) return false
  if (addsValue(newer, older)) return false
  if (newer.values.length > 0 && conflicting(newer.values, older.values)) return false
  const repeated = overlap.terms.length / newer.terms.size
  const isSameFact = newer.facts.some((fact) => older.facts.some((other) => sameFact(fact, other)))
  if (isSameFact && !(repeated < BESIDE_FACT)) return true
  const shorter = Math.min(newer.terms.size, older.terms.size)
  if (shorter < 2 || repeated < REPEATED) return false
  if (newer.stance.ends && !older.stance.ends) return false
  const isNew = newer.stance.begins && !older.stance.begins && !newer.stance.past
  return !isNew && !inContrast(textProfile(newer.text), textProfile(older.text))
}

/** The newer one gives a number or a name that the older one does not have: it is no mere repetition. */
function addsValue(newer: Profile, older: Profile): boolean {
  if (newer.numbers.some((number) => !older.numbers.includes(number))) return true
  if (newer.properNames.size === 0) return false
  const text = older.text.toLowerCase()
  return [...newer.properNames].some((name) => !text.includes(name))
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.key === b.key && a.about === b.about && a.standing === b.standing && sameValue(a.value, b.value)
}

/** A part of a town, or a place in it. */
const WITHIN_TOWN =
  /(?:[区县镇村路街楼弄栋]|小区|街道)$|\b(?:street|road|avenue|lane|square|district|house|flat|apartment|dorm)$/i

/** "A hospital", "the hospital's pharmacy"; 大学, 大学图书馆; 长沙, 岳麓区: one value, once said more exactly. */
function isMoreExact(value: string, before: string): boolean {
  const [town, townBefore] = [townOf(value), townOf(before)]
  if (town !== undefined && townBefore !== undefined && town !== townBefore) return false
  if (WITHIN_TOWN.test(value) !== WITHIN_TOWN.test(before)) return true
  if (/\p{Script=Han}/u.test(value) && (isWithin(value, before) || isWithin(before, value))) return true
  const [one, other] = [value, before].map(
    (said) =>
      ` ${said
        .toLowerCase()
        .replace(/['’]s\b/g, '')
        .replace(/[^\p{L}\p{N}.]+/gu, ' ')
        .trim()} `,
  )
  return one!.includes(other!) || other!.includes(one!)
}

/**
 * Whether a key with one value at a time has another value; `false`: both values can be true, null: there are no two.
 */
export function otherValue(newer: Profile, older: Profile): boolean | null {
  const { begins, replaces, corrects } = newer.stance
  let other: boolean | null = null
  for (const fact of newer.facts)
    for (const before of older.facts) {
      if (fact.key !== before.key || !fact.single || fact.standing === 'ended') continue
      if (!isOnePerson(fact.about, before.about, older) || sameValue(fact.value, before.value)) continue
      // Where one comes from does not change: a part and the whole, or a birthplace and the town of the childhood.
      const isPutRight = fact.key !== 'hometown' || corrects || newer.denied.length > 0
      // One post has many names, and many have two.
      const isNews = fact.key !== 'job' || begins || replaces || corrects
      other = (other ?? false) || (isPutRight && isNews && !isMoreExact(fact.value, before.value))
    }
  return other
}

/** Whether it says that the older one's value no longer holds: "I don't play the harp any more". */
export function deniesValue(newer: Profile, older: Profile): boolean {
  return newer.facts.some(
    (fact) =>
      fact.standing === 'ended' &&
      older.facts.some((other) => other.standing !== 'ended' && sameFact({ ...fact, standing: other.standing }, other)),
  )
}

/** "My brother Sam …", "Sam …": a name and a relation may be one person; "she" may be anybody. */
function isOnePerson(about: string, before: string, { people }: Profile): boolean {
  if (about === before) return true
  return before !== 'user' && (about === 'someone' || people.names.has(about) || people.mentioned.has(about))
}

/** Words of ceasing, beside the verb of what has ceased. */
const CEASED =
  /(?<!(?:n['’]t|not|never) )\b(?:quit|stopped(?= \w{1,40}ing\b)|no longer|g(?:a|i)ven? up|can['’]?t stand|any ?more|any longer)\b/gi
/** 我不喝咖啡了, 云南不去了: the topic that stands in front, and what is denied of it. */
const HAN_CEASED = /^(?<topic>[^不]{0,12})不再?(?!了)(?<act>[^不了]{1,16})/u
/** Somebody, and since when: no topic. */
const NO_TOPIC = /我们?|咱们?|他|她|现在|以后|最近|从此|已经|早就?|都|也|就|再/gu
const HAN_CLAUSES = /[，,。；！!？?]/

/** "I stopped playing tennis", 我不喝咖啡了: the older one says, beside other things, all that is over. */
export function tellsCeased(newer: Profile, older: Profile): boolean {
  const { text, terms, stance, han } = newer
  if (stance.unreal || stance.past || !(han ? denies(text) : stance.ends)) return false
  if (denies(older.text) || isPastAct(older.text)) return false
  if (han)
    return text.split(HAN_CLAUSES).some((clause) => {
      const { topic = '', act = '' } = (denies(clause) ? HAN_CEASED.exec(clause)?.groups : undefined) ?? {}
      // What was not so before has not ceased.
      return older.text
        .split(HAN_CLAUSES)
        .some((one) => !one.includes('不') && tellsOf(one, topic.replace(NO_TOPIC, ''), act))
    })
  const rest = text.replace(CEASED, ' ')
  if (rest === text) return false
  const ended = [...indexTerms(rest).keys()].filter((term) => terms.has(term))
  return ended.every((term) => older.terms.has(term)) && ended.some((term) => rarityOf(term) > 0.5)
}

/** Whether a clause has the topic, and the act behind it or, where that is one character, right beside it. */
function tellsOf(clause: string, topic: string, act: string): boolean {
  if (act.length > 1) return clause.includes(topic) && isWithin(act, clause)
  return topic !== '' && (clause.includes(act + topic) || clause.includes(topic + act))
}

const DISLIKES = /\b(?:hate|dislike|detest|loathe|can['’]?t stand)\b|讨厌|(?:^|[我们也都从，])不(?=[吃喝用去玩抽喜爱])/i
/** Content words of a statement that denies one thing. */
const SHORT = 4
const LIKING: ReadonlySet<string> = new Set(indexTerms('hate dislike detest loathe like love enjoy adore').keys())

/** "I never drink coffee" and "I drink coffee now", "I hate kale" and "I like kale now": the same, turned round. */
export function turnsRound({ text, stance, terms, topics }: Profile, older: Profile): boolean {
  const isAgainst = (said: string): boolean => denies(said) || DISLIKES.test(said)
  if (!stance.begins || terms.size === 0 || stance.past || isAgainst(text) === isAgainst(older.text)) return false
  // "I don't drink": the attribute as a whole is denied.
  const isShort = older.terms.size <= SHORT
  if (
    isShort &&
    !isAgainst(text) &&
    older.facts.some(({ key, standing }) => standing === 'ended' && topics.get(key) === 1)
  )
    return true
  const told = [...terms].filter((term) => !LIKING.has(term))
  return told.length * 2 >= older.terms.size && told.every((term) => older.terms.has(term))
}

/** Whether all of two or more characters stand in the text, in their order. */
function isWithin(characters: string, text: string): boolean {
  let at = 0
  for (const character of text) if (character === characters[at]) at += 1
  return at > 1 && at === characters.length
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

/** A day that is named by the day on which it is told; told again within so many milliseconds it is still the same one. */
const TODAY =
  /\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening)|last night|just now)\b|今天|今早|今晚|昨天|昨晚|明天|刚才|刚刚/i
const RETOLD_WITHIN = 3 * DAY_MS

/** "Went to the dentist today", said in May and in November, tells of two visits. */
export function happenedAgain(newer: Statement, older: Statement): boolean {
  const today = TODAY.test(newer.text) && TODAY.test(older.text)
  return today && newer.key === null && Math.abs(newer.occurredAt - older.occurredAt) > RETOLD_WITHIN
}

/** Whether it tells of the day on which it is told, or of the one before or after. */
export function isOfOneDay(text: string): boolean {
  return TODAY.test(text)
}

/** "I didn't go to the gym today", 昨晚没练琴, 周二没上课: what is left out on one day goes on. */
export function isAbsence(text: string): boolean {
  return (TODAY.test(text) || ON_WEEKDAY.test(text)) && LEFT_OUT.test(text)
}

const ON_WEEKDAY = new RegExp(String.raw`\b(?:on|this|last) ${FULL_WEEKDAY}\b|(?:周|星期|礼拜)[一二三四五六日天]`, 'i')
const LEFT_OUT = /\b(?:did|was|have)(?:n['’]?t| not)\b|[天晚早一二三四五六日][^，。]{0,3}没/i

/** 死了一盆, 断了一根弦, 停了一下, "one goldfish died": of several, or for a moment; a length of time is none. */
const PART =
  /\p{Script=Han}了[一两三几](?!年|个?月|天|周|个?(?:小时|星期)|切|直)|^(?:the other|another|one|some|half|most|two) /iu

/** Whether a clause tells of an end of a part only. */
export function isOfPart(clause: string): boolean {
  return PART.test(clause.trim())
}

/** Whether both hold a key, and no two of them begin as keys of one issuer do. */
export function holdsOtherKey(newer: string, older: string): boolean {
  const mine = issuersOf(newer)
  const theirs = mine === null ? null : issuersOf(older)
  return mine !== null && theirs !== null && mine.size + theirs.size > 0 && mine.isDisjointFrom(theirs)
}

/** The issuers that the keys show, if any; null: there is no key. */
function issuersOf(text: string): ReadonlySet<string> | null {
  const secrets = findSecrets(text)
  return secrets.length === 0 ? null : new Set(secrets.flatMap(({ shown }) => (shown === '' ? [] : [shown])))
}

const ORDINAL =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?= [a-z])|第[一二三四五六七八九十\d]{1,3}(?=\p{Script=Han})/gu

/** "The first chapter", "the second chapter": both name their place in a series, and not the same one. */
export function isOtherOfSeries(...texts: readonly [newer: string, older: string]): boolean {
  const [mine, theirs] = texts.map((text) => new Set(text.toLowerCase().match(ORDINAL))) as [Set<string>, Set<string>]
  return mine.size * theirs.size > 0 && mine.isDisjointFrom(theirs)
}

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
 * "The billing service", "the mail service": things of one name that other words tell apart, or two things of which
 * neither text names the other's and the newer one tells of no change.
 */
export function areOfTwoThings(newer: Profile, older: Profile): boolean {
  // What is told of a person is told of one.
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
