/**
 * Where in a clause does a predicate begin, and of whom? In "My sister Priya still works" behind "still", of "my sister
 * Priya"; 现住苏州 names nobody.
 */

import { late } from '../../domain/pieces.ts'
import { hasHan } from '../../language/character-class.ts'
import { wordTable } from '../../language/word-lists.ts'

/** One place where a predicate may begin. */
export interface Head {
  /** The subject as written; undefined where the clause names nobody. */
  readonly subject: string | undefined
  readonly at: number
}

/** The first place, and words that join a predicate to one before it. */
const JOINS = /^\W*|\b(?:and|but|then|so|well|yeah|yes|oh|hi|hey|btw)[,!]?\s+/giu
const PRONOUN = /\b(?:i|we|he|she|they|im|ive)\b/giu
const OWNED = /\b(?:my|our|his|her)(?: [\w-]+)/giu
const NAME = /(?<![\w-])\p{Lu}\p{Ll}{1,40}(?: \p{Lu}\p{Ll}{1,40})?(?![\w’'-]{0,40}['’]s \w)/gu
const RELATIVE =
  /(?<=^\W*)(?:wife|husband|mum|mom|dad|daughter|son|sister|brother|girlfriend|boyfriend|partner|gran|nan)\b/giu
const NEXT_WORD = /,? [\p{L}-]+/uy
const MOST_OWNED_WORDS = 3
/** The words allowed between the subject and its verb. */
const BESIDE_VERB =
  /(?:['’](?:m|ve|s|re|d)\b|\s*\b(?:am|is|are|was|were|have|has|had|do|does|did|been|be|not|now|currently|also|still|just|recently|actually|originally|both|only|mostly|usually|always|already|finally|never|used to|happen to|ever|myself|no longer|all|once|first|back|gone|went|got|strictly|temporarily|\w+n['’]t|\w+ly)\b)\s*/iuy
const SPACE = /\s+/y

const HAN_LEAD =
  /^(?:对了|话说|原来|另外|其实|不过|但是?|而且|所以|因为|然后|说起来|更正|我(?:才|刚|刚刚)?(?:发现|知道)(?=我)|[:：\s])*/u
const HAN_NAME = '(?:老|小|阿)\\p{Script=Han}|\\p{Lu}\\p{Ll}+ ?|\\p{Script=Han}(?:工|总|姐|哥|老师|师傅|主任|医生|经理)'
const HAN_BESIDE_VERB =
  /(?:现在|目前|如今|眼下|一直|已经|早就|早|都|也|还|就|又|刚刚?|最近|平时|每天|[今明去前本]年|[今昨前明][天晚]|以前|之前|从小|后来|只|不再|还是|其实|真的|终于|正在|上周|上个?月|下周|下个?月|周[一二三四五六日天末]起?|[上下]礼拜|第[一二三]天|小时候|年轻时|本来|当年|当时|曾经?|正式|早上|晚上|不是|是|在|人|一个人|[跟和][^，。在]{1,4}(?=[在去住都也]|一起)|[一二三四五六七八九十\d]+月底?|[年月]底|[一二三四五六七八九十两几\d]+年前?|从[^，。]{1,8}?(?=[搬到去])|最多|能|会|不(?=[在住])|快|偶尔|经常|主要|暂时|全家|天天|大学|研究生|高中|\s)/uy

/** The place of an act, in front of its verb: 在成都做插画师. */
const HAN_PLACE = /在[^，。！？,\s在]{1,8}?(?=[做当养干])/uy

/** The places in a clause. */
export function headsOf(clause: string): readonly Head[] {
  return [...(hasHan(clause) ? hanHeads(clause) : englishHeads(clause))]
}

function* englishHeads(clause: string): Generator<Head> {
  for (const { 0: pronoun, index } of clause.matchAll(PRONOUN)) yield* behind(clause, pronoun, index + pronoun.length)
  for (const { 0: owned, index } of clause.matchAll(OWNED)) {
    let end = index + owned.length
    for (let words = 1; words <= MOST_OWNED_WORDS; words += 1) {
      yield* behind(clause, clause.slice(index, end), end)
      NEXT_WORD.lastIndex = end
      const next = NEXT_WORD.exec(clause)?.[0]
      if (next === undefined) break
      end += next.length
    }
  }
  for (const { 0: name, index } of clause.matchAll(NAME)) yield* behind(clause, name, index + name.length)
  for (const { 0: relative, index } of clause.matchAll(RELATIVE))
    yield* behind(clause, relative, index + relative.length)
  for (const { 0: join, index } of clause.matchAll(JOINS)) yield* behind(clause, undefined, index + join.length)
}

/** The place behind the subject, and behind each word beside the verb. */
function* behind(clause: string, subject: string | undefined, from: number): Generator<Head> {
  SPACE.lastIndex = from
  let at = from + (SPACE.exec(clause)?.[0].length ?? 0)
  yield { subject, at }
  for (at = from; ; ) {
    BESIDE_VERB.lastIndex = at
    const word = BESIDE_VERB.exec(clause)?.[0]
    if (word === undefined || word === '') return
    at += word.length
    yield { subject, at }
  }
}

/** The pattern of a Chinese subject: 我们, 我姐夫, 我表弟小张, 老王. */
const hanSubjectPattern = late(() => {
  const relations = wordTable('relations')
    .flatMap((line) => line.split('|')[3]!.split(/\s+/))
    .map((word) => word.replace(/^我(?!家|的)/u, ''))
    .filter((word) => word.length > 1 || /[妈爸哥弟姐妹娃]/u.test(word))
    .toSorted((a, b) => b.length - a.length)
    .join('|')
  return new RegExp(
    `(?:我?(?:家|的|们的?)?(?:大|小|二|三)?(?:${relations})(?:${HAN_NAME}|\\p{Script=Han}{2,3}(?=今|现|也|在|是|对|就|都|\\d))?|我们|我家里?|我的?|咱们?|俺|他们?|她们?|本人|家里|${HAN_NAME}|\\p{Script=Han}{2,3}(?=对[^，。]{1,6}过敏))`,
    'uy',
  )
})

function* hanHeads(clause: string): Generator<Head> {
  const hanSubject = hanSubjectPattern()
  const lead = HAN_LEAD.exec(clause)?.[0].length ?? 0
  hanSubject.lastIndex = lead
  let subject = hanSubject.exec(clause)?.[0]
  for (let at = lead + (subject?.length ?? 0); ; ) {
    yield { subject, at }
    HAN_PLACE.lastIndex = at
    if (HAN_PLACE.test(clause)) yield { subject, at: HAN_PLACE.lastIndex }
    HAN_BESIDE_VERB.lastIndex = at
    const word = HAN_BESIDE_VERB.exec(clause)?.[0]
    if (word === undefined) return
    at += word.length
    // 下周一起我就是…: the time stands before the subject.
    hanSubject.lastIndex = at
    subject ??= hanSubject.exec(clause)?.[0]
    at = Math.max(at, hanSubject.lastIndex)
  }
}
