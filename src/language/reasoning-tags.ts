/** Reasoning stands in tags at the beginning of an answer; a tag in its middle is content and stays. */

const OPENING = /^\s{0,1000}<(think|thinking|thought|reasoning)>/i
const LONGEST_TAG = 16
/** Characters of space before a tag. */
const LONGEST_HELD = 1000

/** The text without the reasoning at its beginning; '' when the reasoning never ends. */
export function withoutReasoning(text: string): string {
  let rest = text
  for (let opening = OPENING.exec(rest); opening !== null; opening = OPENING.exec(rest)) {
    const closing = rest.toLowerCase().indexOf(`</${opening[1]!.toLowerCase()}>`, opening[0].length)
    if (closing < 0) return ''
    rest = rest.slice(rest.indexOf('>', closing) + 1).trimStart()
  }
  return rest
}

/** As `withoutReasoning`, in pieces. */
export interface ReasoningFilter {
  /** The part of this piece and of the held back ones that may be shown by now. */
  push(piece: string): string
  /** The text held back, once nothing more comes. */
  end(): string
}

/** A filter for one answer. Of reasoning it holds no more than may be the beginning of its end. */
export function createReasoningFilter(): ReasoningFilter {
  let held = ''
  /** The tag that ends the reasoning; null outside of it. */
  let closing: RegExp | null = null
  let isReasoned = false
  let answering = false
  return {
    push(piece) {
      if (answering) return piece
      held += piece
      for (;;) {
        if (closing !== null) {
          const end = closing.exec(held)
          if (end === null) {
            held = held.slice(-LONGEST_TAG)
            return ''
          }
          held = held.slice(end.index + end[0].length)
          isReasoned = true
        }
        if (isReasoned) held = held.trimStart()
        const opening = OPENING.exec(held)
        closing = opening === null ? null : new RegExp(`</${opening[1]}>`, 'i')
        if (opening === null) break
        held = held.slice(opening[0].length)
      }
      if (held.length < LONGEST_HELD && mayBeOpening(held)) return ''
      answering = true
      return held
    },
    end() {
      return answering || closing !== null ? '' : held
    },
  }
}

function mayBeOpening(text: string): boolean {
  const start = text.trimStart()
  return start.length < LONGEST_TAG && /^(?:<[a-z]*)?$/i.test(start)
}
