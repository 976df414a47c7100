/**
 * Which clause of a sentence belongs into the notes where the rest of it only judges, feels or points: "I'm a big fan of
 * pottery - it is so calming"? The words before it are a sentence of their own; what takes them back is never cut off.
 */

/** A clause begins here that goes on from the one before: after a dash, "which is …", "and it …", "so I …". */
const CLAUSE =
  /\s{1,40}[-–—]{1,40}\s{1,40}(?!but\b|though\b|although\b|except\b|until\b|unless\b|not\b|only\b|if\b|when\b)|,?\s{1,40}which\s{1,40}(?=\S)|,?\s{1,40}(?:and|so|because|['’]?cause)\s{1,40}(?=(?:it|that|this|these|they|there|i|we|my|our|you)\b)/gi
const FEWEST_WORDS = 4
/** Between what is told and what is asked because of it. */
const BEFORE_ASKING =
  /\s{0,40}[,，;；。.]\s*|\s{1,40}[-–—]{1,40}\s+|(?<=\p{Script=Han}[^,，;；]{0,60})\s{1,40}(?=[\p{Script=Han}\d])|\s{1,40}(?=(?:so|and|but)\s{1,40}(?:what|which|how|where|when|who|why|can|could|should|is|are|do|does|any|give|tell|help|please|pls|plz|be|don['’]?t)\b)/giu
/** It asks, or tells the reader of a chat what to do now. */
const ASKS =
  /[?？]|^(?:(?:so|and|but|now|then|also|ok(?:ay)?)\s+)*(?:please|pls|plz|give|tell|help|write|draft|suggest|recommend|explain|make|plan|find|show|list|fix|translate|scale|teach|check|what|which|how|where|when|who|why|can|could|should|would|is|are|am|do|does|did|will|any|ideas?|tips?|best|need|gotta|wanna|want|be|so be)\b|\byou\b|[吗呢么嘛]\s{0,40}[。.!！]?$|怎么|咋|如何|什么|哪[个些里儿种]?|多少|几[个点级米天]|[能会要该]不[能会要该]|是不是|行不行|有没有|是否|还是|(?:推荐|介绍|求|帮|给我|教我|请|写|想[学买换去转找要做问拓投申考])/iu
const FEWEST_HAN = 4
/** What follows says that it is over, or was never so. */
const TAKES_BACK =
  /\b(?:no longer|not any ?more|any ?more|used to|stopped|quit|gave up|until|unless|but|except|however)\b/i

/** The sentence as far as each of its clauses, the longest first, without the sentence itself. */
export function headsOf(sentence: string): readonly string[] {
  const asked = withoutAsking(sentence)
  return [
    ...(asked === null ? [] : [asked]),
    ...[...sentence.matchAll(CLAUSE)]
      .toReversed()
      .filter(({ index }) => !TAKES_BACK.test(sentence.slice(index)))
      .map(({ index }) => bare(sentence.slice(0, index)))
      .filter((head) => head.split(/\s+/).length >= FEWEST_WORDS)
      .map((head) => `${head}.`),
  ]
}

/** What is told before the first clause that asks: "I'm a nurse on nights, what keeps well?"; null: nothing is, or all of it. */
function withoutAsking(sentence: string): string | null {
  let told = 0
  let from = 0
  for (const { index, 0: between } of [...sentence.matchAll(BEFORE_ASKING), { index: sentence.length, 0: '' }]) {
    if (ASKS.test(sentence.slice(from, index).trim())) break
    told = index
    from = index + between.length
  }
  if (told === sentence.length) return null
  const head = bare(sentence.slice(0, told))
  const han = head.match(/\p{Script=Han}/gu)?.length ?? 0
  if (han > 0) return han < FEWEST_HAN ? null : `${head}。`
  return head.split(/\s+/).length < FEWEST_WORDS ? null : `${head}.`
}

function bare(head: string): string {
  return head.replace(/[\s,;:，；：–—-]{1,40}$/, '')
}
