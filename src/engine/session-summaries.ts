/** Titles and snippets of conversations (001), with everything that a user may do to them. */

import { checkId, checkRecord, checkText } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { Page } from '../domain/contracts/conversation-log.ts'
import type { SessionSummary, SessionSummaryStore } from '../domain/contracts/session-summary-store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { checkPage, type PageInput } from '../domain/page.ts'
import {
  type RestoredSessionSummaries,
  restoreSessionSummaries,
  SESSION_SUMMARY_BYTES,
} from '../usecases/restore-documents.ts'
import type { Guard } from './guards.ts'

/** An edit; what is absent stays. */
export interface SessionSummaryPatch {
  readonly title?: string | undefined
  readonly snippet?: string | undefined
}

/** What can be done with titles and snippets. */
export interface SessionSummaryUseCases {
  /** Newest first; 1 to 10,000 of them, default 100. */
  list(userId: string, page: PageInput): Promise<Page<SessionSummary>>
  get(userId: string, conversationId: string): Promise<SessionSummary>
  update(userId: string, conversationId: string, patch: SessionSummaryPatch): Promise<SessionSummary>
  remove(userId: string, conversationId: string): Promise<void>
  /** Puts exported ones back; what the user edited wins over the machine's. */
  restore(userId: string, restored: readonly SessionSummary[]): Promise<RestoredSessionSummaries>
}

const REMEDY = 'List the session summaries to see which conversations have one.'

/** Binds the use cases. */
export function sessionSummaryUseCases(
  summaries: SessionSummaryStore,
  clock: Clock,
  open: Guard,
): SessionSummaryUseCases {
  const known = <T>(found: T | null, conversationId: string): T => {
    if (found === null) throw notFound('session summary', conversationId, REMEDY)
    return found
  }
  return {
    list: open(async (userId, page) => {
      checkRecord('', page, ['limit', 'offset'])
      return summaries.list(checkId('userId', userId), checkPage(page))
    }),
    get: open(async (userId, conversationId) =>
      known(await summaries.get(checkId('userId', userId), checkId('conversationId', conversationId)), conversationId),
    ),
    update: open(async (userId, conversationId, patch) => {
      const { title, snippet } = checkRecord('', patch, ['title', 'snippet'])
      const text = (name: string, value: unknown): Record<string, string> =>
        value === undefined ? {} : { [name]: checkText(name, value, { maxBytes: SESSION_SUMMARY_BYTES }) }
      const changes = { ...text('title', title), ...text('snippet', snippet) }
      if (Object.keys(changes).length === 0) throw invalid('patch', 'changes nothing', 'Name a title or a snippet.')
      const user = checkId('userId', userId)
      const at = clock().getTime()
      return known(await summaries.update(user, checkId('conversationId', conversationId), changes, at), conversationId)
    }),
    restore: open((userId, restored) => restoreSessionSummaries(summaries, userId, restored)),
    remove: open(async (userId, conversationId) => {
      const id = checkId('conversationId', conversationId)
      if (!(await summaries.remove(checkId('userId', userId), id))) throw notFound('session summary', id, REMEDY)
    }),
  }
}
