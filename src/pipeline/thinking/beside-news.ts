/**
 * Which sentences of a short message belong to the news in it although they say little alone? "The car arrived! White, five
 * doors, a Seagull.": without the second sentence nobody would know later what has changed.
 */
import { stanceOf } from '../../cognition/facts/stance.ts'
import type { KeptPart } from '../../domain/thought.ts'
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'

/** A longer message was weighed sentence by sentence for what it is. */
const LONGEST = 240
const MOST_SENTENCES = 4

/** The parts with sentences right beside them that were left out, where the one or the other tells of a change. */
export function besideNews(content: string, parts: readonly KeptPart[]): readonly KeptPart[] {
  if (content.length > LONGEST) return parts
  const sentences = splitSentences(content)
  if (sentences.length < 2 || sentences.length > MOST_SENTENCES || parts.length >= sentences.length) return parts
  const places = parts.map(({ text }) => sentences.indexOf(text))
  if (places.includes(-1)) return parts
  return parts.map((part, at) => {
    const place = places[at]!
    const isNews = tellsOfChange(part.text)
    const around = [place - 1, place, place + 1].filter(
      (one) =>
        one === place ||
        (!places.includes(one) && isStated(sentences[one]) && (isNews || tellsOfChange(sentences[one]!))),
    )
    if (around.length === 1) return part
    const space = /\p{Script=Han}/u.test(content) ? '' : ' '
    return { ...part, text: around.map((one) => sentences[one]).join(space) }
  })
}

function tellsOfChange(text: string): boolean {
  const { begins, ends, corrects, past, unreal } = stanceOf(text)
  return (begins || ends || corrects) && !past && !unreal
}

/** Something is stated: no question, wish or single word. */
function isStated(sentence: string | undefined): boolean {
  if (sentence === undefined || isQuestion(sentence) || stanceOf(sentence).unreal) return false
  return (sentence.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []).length >= 2
}
