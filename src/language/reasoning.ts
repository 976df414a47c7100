/** Reasoning stands in tags at the beginning of an answer; a tag in its middle is content and stays. */

const OPENING = /^\s*<(think|thinking|thought|reasoning)>/i
const LONGEST_TAG = 16

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

/** As `withoutReasoning`, in pieces: each call returns what may be shown by now, the last call `''` is the end. */
export interface ReasoningFilter {
  push(piece: string): string
  /** The text held back, once nothing more comes. */
  end(): string
}

/** A filter for one answer. */
export function createReasoningFilter(): ReasoningFilter {
  let held = ''
  let answering = false
  return {
    push(piece) {
      if (answering) return piece
      held += piece
      const rest = withoutReasoning(held)
      if (rest === '' || mayBeOpening(rest)) return ''
      answering = true
      return rest
    },
    end() {
      return answering ? '' : withoutReasoning(held)
    },
  }
}

function mayBeOpening(text: string): boolean {
  const start = text.trimStart()
  return start.length < LONGEST_TAG && /^(?:<[a-z]*)?$/i.test(start)
}
