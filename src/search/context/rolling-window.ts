/**
 * Which of the last messages does the model still see word for word (001)? Whole rounds only, from a user's message up
 * to the next one, so that no answer lacks its question.
 */

/** Messages that belong together, in order. */
export type Round<T> = readonly T[]

/** Cuts messages into rounds; the messages before the first of a user are a round, too. */
export function roundsOf<T extends { readonly role: string }>(messages: readonly T[]): readonly Round<T>[] {
  const rounds: T[][] = []
  let last: T[] | undefined
  for (const message of messages) {
    // Several user messages in a row are one question, asked in pieces.
    const begins = message.role === 'user' && last?.at(-1)?.role !== 'user'
    if (last === undefined || begins) {
      last = []
      rounds.push(last)
    }
    last.push(message)
  }
  return rounds
}

/** 001: with more messages than context_limit + 2, the system message among them, the earliest round leaves. */
export const WINDOW_SLACK = 2

/** The turns that stay and those that left, both in order. */
export interface Window<T> {
  readonly kept: readonly Round<T>[]
  readonly dropped: readonly Round<T>[]
}

/**
 * The window over earlier rounds. `others` are the messages that count but are not among them: the system message and
 * the message that is being answered.
 */
export function rollingWindow<T>(rounds: readonly Round<T>[], contextLimit: number, others: number): Window<T> {
  let count = others + rounds.reduce((sum, round) => sum + round.length, 0)
  let first = 0
  while (first < rounds.length && count > contextLimit + WINDOW_SLACK) {
    count -= rounds[first]!.length
    first += 1
  }
  return { kept: rounds.slice(first), dropped: rounds.slice(0, first) }
}
