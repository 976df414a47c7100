/** The recalls and thoughts of this process for each user, bounded and gone with it. */

/** The account of one user. */
export interface Activity {
  /** Contexts and recalls. */
  readonly recalls: number
  /** Milliseconds that the last of them took: the half is quicker than `median`, 19 of 20 than `p95`; null before the first. */
  readonly recallMs: { readonly median: number; readonly p95: number } | null
  /** The last questions for which nothing was found, newest first. */
  readonly unanswered: readonly { readonly question: string; readonly askedAt: number }[]
  /** Statements that thinking found worth keeping, and messages that it did not, by reason. */
  readonly kept: number
  readonly refused: Readonly<Record<string, number>>
}

export type ActivityNotes = ReturnType<typeof activityNotes>

/** Recalls of a user whose time is kept, questions that are, and users that are known. */
const MOST_TIMES = 500
const MOST_QUESTIONS = 20
const MOST_USERS = 200
const QUESTION_CHARACTERS = 200

interface Notes {
  recalls: number
  readonly times: number[]
  readonly unanswered: { readonly question: string; readonly askedAt: number }[]
  kept: number
  readonly refused: Record<string, number>
}

export function activityNotes(now: () => number) {
  const users = new Map<string, Notes>()
  const notesOf = (userId: string): Notes => {
    const notes = users.get(userId) ?? { recalls: 0, times: [], unanswered: [], kept: 0, refused: {} }
    users.delete(userId)
    users.set(userId, notes)
    for (const [oldest] of users) if (users.size > MOST_USERS) users.delete(oldest)
    return notes
  }
  return {
    recalled: (userId: string, question: string, found: number, milliseconds: number): void => {
      const notes = notesOf(userId)
      notes.recalls += 1
      notes.times.push(milliseconds)
      if (notes.times.length > MOST_TIMES) notes.times.shift()
      if (found > 0 || question.trim() === '') return
      const asked = question.slice(0, QUESTION_CHARACTERS)
      const known = notes.unanswered.findIndex((one) => one.question === asked)
      if (known >= 0) notes.unanswered.splice(known, 1)
      notes.unanswered.unshift({ question: asked, askedAt: now() })
      notes.unanswered.length = Math.min(notes.unanswered.length, MOST_QUESTIONS)
    },
    thought: (userId: string, kept: number, refusals: readonly string[]): void => {
      const notes = notesOf(userId)
      notes.kept += kept
      for (const reason of refusals) notes.refused[reason] = (notes.refused[reason] ?? 0) + 1
    },
    of: (userId: string): Activity => {
      const { recalls, times, unanswered, kept, refused } = notesOf(userId)
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)]! * 10) / 10
      const recallMs = sorted.length === 0 ? null : { median: at(0.5), p95: at(0.95) }
      return { recalls, recallMs, unanswered: [...unanswered], kept, refused: { ...refused } }
    },
    /** Forgets the user's questions, whose words may be those of what is deleted; counts stay. */
    forget: (userId: string): void => void users.get(userId)?.unanswered.splice(0),
  }
}
