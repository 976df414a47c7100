/**
 * Does a sentence mean something that was named before it ("I plan to share these insights"), and which earlier sentence names it?
 * A word points back where it stands before anything in its own clause that it could mean.
 */
import { isQuestion } from '../../language/questions.ts'

/** Words that only open a sentence. */
const ENGLISH_OPENING =
  /^(?:(?:and|but|so|also|then|plus|because|cause|since|yes|yeah|yep|no|nah|nope|oh|ah|well|ok|okay|sure|right|actually|honestly|usually|maybe|however)\b[\s,.!…]*)+/i
const CHINESE_OPENING = /^(?:(?:而且|所以|但是?|不过|然后|于是|因此|因为|其实|是的|[也还嗯对哦啊])[\s，,]*)+/
/** "It's hard to say" and "pizza it is" mean nothing before them, and "this week" and "there are" are understood by themselves. */
const ANY_POINTER =
  "(?:it(?!(?:['’]?s)?(?: [\\w'’-]+){1,2} (?:to|that|when|since|how)\\b)(?! is\\s{0,3}(?:[.!,;]|$))(?:s|['’]\\w+)?|(?:he|she|they)(?:s|['’]\\w+)?|him|her|his|hers|them|theirs?|(?:these|those)(?! (?:past |last |coming )?(?:day|week|month|year|time)s\\b))\\b"
const FIRST_WORD = new RegExp(
  `^(?:${ANY_POINTER}|(?:this|that)(?! (?:past |last |coming )?(?:morning|afternoon|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|semester|term|quarter|season|time|day)s?\\b)(?:s|['’]s)?\\b|(?:both|which)\\b|there\\b(?!['’]?s| (?:is|are|was|were|will|has|have|can|may|might|should|must)))`,
  'i',
)
/** "I think it …", "Sharing these stories": a few words in which nothing stands that could be meant. */
const LATER = new RegExp(
  `^(.{2,60}?)\\b(?:${ANY_POINTER}|(?:this|that)(?=\\s{0,4}(?:[,.;!?]|$))|this(?= (?:with|at|in|to|for|as)\\b))`,
  's',
)
const MEANT =
  /\b(?:an?|the|my|our|your|you|some|any|another|and|but|or|as|because|when|while|if|after|before|until|which|who|(?:this|that) [a-z]|[a-z]{3,40}s)\b|[,;:]|\d|(?<=[a-z] )(?!I\b)\p{Lu}|^(?!I\b|We\b|Let\b)\p{Lu}(?!\p{Ll}{1,20}(?:ing|ed) )/u
const CHINESE_POINTER =
  /^(?:我[也还都就真的很挺最]*(?:觉得|想|希望|认为|感觉|担心|打算|喜欢|计划|准备|知道|相信|发现|期待|考虑)[要把让将会能]*)?(?:[它他她]|这(?!周|个?月|年|[几两]天|阵|段时间|学期|个?周末|会儿)|那(?!么)|此(?!外)|其(?!实|中|他))/
const DEFINITE = /\b(?:the|this|that|these|those|my) ([a-z]{4,})/g
/** Four words or six Han characters: a shorter sentence names nothing. */
const NAMES_FROM = /(?:[\w'’-]{1,80}[^\w'’-]{1,80}){3}\w|(?:\p{Script=Han}[^\p{Script=Han}]{0,80}){6}/u

/** Whether a sentence is long enough to name what another one means. */
export function namesSomething(sentence: string): boolean {
  return NAMES_FROM.test(sentence)
}

/** Whether the sentence is understood by one before it. */
export function refersBack(sentence: string): boolean {
  const said = sentence.trim()
  if (/^\p{Script=Han}/u.test(said)) return CHINESE_POINTER.test(said.replace(CHINESE_OPENING, ''))
  const bare = said.replace(ENGLISH_OPENING, '')
  const head = LATER.exec(bare)?.[1]
  return FIRST_WORD.test(bare) || (head !== undefined && !MEANT.test(head))
}

/**
 * The place of the sentence before `at` that names its referent, preferably a statement; -1 where none does or need.
 * With `definite` also for "the plan".
 */
export function namedAt(sentences: readonly string[], at: number, definite: boolean): number {
  const sentence = sentences[at]!
  const before = sentences.slice(0, at)
  if (refersBack(sentence)) {
    const stated = before.findLastIndex((one) => namesSomething(one) && !isQuestion(one))
    return stated >= 0 ? stated : before.findLastIndex(namesSomething)
  }
  if (!definite) return -1
  const said = before.map((one) => one.toLowerCase())
  for (const [, noun = ''] of sentence.toLowerCase().matchAll(DEFINITE)) {
    // Few nouns stand in an earlier sentence at all, and a new expression costs more than a look.
    if (!said.some((one) => one.includes(noun))) continue
    const introduces = new RegExp(`\\b(?:an?|the|this|that) (?:[\\w-]+ ){0,5}${noun}\\b`)
    const found = before.findLastIndex((one, at) => introduces.test(said[at]!) && !isQuestion(one))
    if (found >= 0) return found
  }
  return -1
}
