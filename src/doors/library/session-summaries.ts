/** `memory.sessionSummaries`: title and snippet of each conversation, to be read, edited and removed. */
import type { Engine, SessionSummary, SessionSummaryPatch } from '../../engine/engine.ts'
import type { ListView } from './conversations.ts'
import { isoTime } from './render.ts'
import { shownList, splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** Title and snippet of one conversation; times are ISO 8601. */
export type SessionSummaryView = Omit<SessionSummary, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string
  readonly updatedAt: string
}

type OfConversation = WithUser & { readonly conversationId: string }

/** What can be done with them. */
export interface SessionSummaries {
  /** Newest first; default 100. Secrets are masked unless `revealSecrets` is set. */
  list(
    input?: WithUser & WithReveal & { readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): Promise<ListView<SessionSummaryView>>
  /** Rejects with `not_found` when there is none. */
  get(input: OfConversation): Promise<SessionSummaryView>
  /** What the user writes is left alone by the machine from then on. */
  update(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  delete(input: OfConversation): Promise<void>
}

/** The facade over an engine. */
export function sessionSummaries({ sessionSummaries: cases }: Engine, user: ChooseUser): SessionSummaries {
  const view = (summary: SessionSummary): SessionSummaryView => ({
    ...summary,
    createdAt: isoTime(summary.createdAt),
    updatedAt: isoTime(summary.updatedAt),
  })
  return {
    list: async (input) => {
      const { items, total } = await cases.list(user(input), { limit: input?.limit, offset: input?.offset })
      const { show } = splitReveal(input)
      return { items: await shownList(items, (summary) => show(view(summary))), total }
    },
    get: async (input) => view(await cases.get(user(input), input.conversationId)),
    update: async ({ title, snippet, ...input }) =>
      view(await cases.update(user(input), input.conversationId, { title, snippet })),
    delete: async (input) => cases.remove(user(input), input.conversationId),
  }
}
