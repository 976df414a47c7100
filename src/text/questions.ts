/** Does this text end in a question? Quick enough to ask of every stored turn; English and Chinese. */

/** Only the end decides: the last sentence is within this many characters, or it is too long for one. */
const LOOKED_AT = 200
/** Closing quotes, brackets, emoji and white space may follow the mark. */
const MARK_AT_END = /[?？][\s"'”’»」』)）\]】!！~～。.…\p{Extended_Pictographic}\u200d\ufe0f]*$/u
const CHINESE_PARTICLE = /(?:吗|呢|么|嘛|没有|对吧|是吧|好不好|行不行|对不对|是不是|怎么办|为什么|怎么样|如何|多少|哪里|哪儿|什么时候|几点)[\s。.!！~～…]*$/u
const ENGLISH_OPENING =
  /^(?:(?:and|so|but|ok|okay|well|also|then|hey|hi)[,\s]+)?(?:who|whom|whose|what|when|where|why|which|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|has|have|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|what's|where's|who's|how's|when's)\s+\S/i
/** Words after which an opening such as "is" or "what" belongs to no question: "What a day". */
const EXCLAMATION = /^(?:what an?|how (?:nice|great|lovely|wonderful|cool|sad|funny|sweet|exciting))\b/i
const SENTENCE_END = /[.!。！;；\n]\s*/u

/** true when the last sentence asks something. */
export function isQuestion(text: string): boolean {
  const end = text.slice(-LOOKED_AT).trimEnd()
  if (end === '') return false
  if (MARK_AT_END.test(end) || CHINESE_PARTICLE.test(end)) return true
  if (/[.!。！:：]$/u.test(end)) return false
  const last = end.split(SENTENCE_END).at(-1)?.trim() ?? ''
  // Without a mark only a short, whole sentence is believed.
  if (last.length > 120 || (last.length === end.length && text.length > LOOKED_AT)) return false
  return ENGLISH_OPENING.test(last) && !EXCLAMATION.test(last)
}
