/** Notices at the edge of the page: successes, failures, and deletions that can be undone. */
import { signal } from '@preact/signals'
import { Problem } from './api.ts'
import { createDeletions } from './deletions.ts'
import { changes } from './session.ts'

/** One notice. */
export interface Notice {
  readonly text: string
  readonly isError: boolean
}

const SHOWN_MS = 6000

export const notices = signal<readonly Notice[]>([])

/** Shows a notice for a while. */
export function tell(text: string, isError = false): void {
  const notice = { text, isError }
  notices.value = [...notices.value, notice].slice(-3)
  setTimeout(() => dismiss(notice), SHOWN_MS)
}

/** Removes a notice. */
export function dismiss(notice: Notice): void {
  notices.value = notices.value.filter((other) => other !== notice)
}

/** Shows an error with its remedy. */
export function tellProblem(error: unknown): void {
  tell(reasonOf(error), true)
}

/** Does what a person asked for: the words that come of it are told, and so is a failure. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    const words = await work()
    if (typeof words === 'string') tell(words)
  } catch (error) {
    tellProblem(error)
  }
}

/** An error in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof Problem) return sentences(error.message, error.remedy)
  return error instanceof Error ? error.message : String(error)
}

/** What went wrong and what helps, as two sentences. */
export function sentences(detail: string, remedy = ''): string {
  const ended = /[.!?。！？]$/.test(detail) ? detail : `${detail}.`
  return remedy === '' ? ended : `${ended} ${remedy}`
}

/** Deletions of this page, which can be undone for ten seconds. */
export const deletions = createDeletions({
  onSent: () => {
    changes.value += 1
  },
  onFailure: tellProblem,
})
