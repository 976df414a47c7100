/** `memory.sessionSummaries`: title and snippet of each conversation (001), to be read, edited and removed. */
import { checkId, checkPage, checkText } from '../../domain/checks.ts'
import type { SessionSummary } from '../../domain/contracts/session-summary-store.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import { SESSION_SUMMARY_BYTES } from '../../usecases/restore-documents.ts'
import type { ListView } from './conversations.ts'
import { isoTime, type Rendered } from './render.ts'
import { shownList, splitReveal, type WithReveal } from './reveal.ts'
import type { Binding, WithUser } from './users.ts'

/** An edit; what is absent stays. */
interface SessionSummaryPatch {
  readonly title?: string | undefined
  readonly snippet?: string | undefined
}

/** Title and snippet of one conversation; times are ISO 8601. */
export type SessionSummaryView = Rendered<SessionSummary, 'createdAt' | 'updatedAt'>

type OfConversation = WithUser & { readonly conversationId: string }

/** Operations on session summaries. */
export interface SessionSummaries {
  /** Newest first; default 100. Secrets are masked unless `revealSecrets` is set. */
  list(
    input?: WithUser & WithReveal & { readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): Promise<ListView<SessionSummaryView>>
  /** Rejects with `not_found` when there is none. */
  get(input: OfConversation): Promise<SessionSummaryView>
  /** Changes a session summary; text written by the user is never overwritten by Mneme. */
  update(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  /** Creates the user's own summary for a conversation without one. Rejects with `conflict` where one exists. */
  create(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  delete(input: OfConversation): Promise<void>
}

const REMEDY = 'List the session summaries to see which conversations have one.'

function view(summary: SessionSummary | null, conversationId: string): SessionSummaryView {
  if (summary === null) throw notFound('session summary', conversationId, REMEDY)
  return { ...summary, createdAt: isoTime(summary.createdAt), updatedAt: isoTime(summary.updatedAt) }
}

/** Binds the use cases. */
export function sessionSummaries({ core, user }: Binding): SessionSummaries {
  const { store, open, now } = core
  const { sessionSummaries } = store
  const named = (input: OfConversation): [user: string, conversation: string] => [
    checkId('userId', user(input)),
    checkId('conversationId', input.conversationId),
  ]
  const update: SessionSummaries['update'] = async ({ title, snippet, ...input }) => {
    const text = (name: string, value: unknown): Record<string, string> =>
      value === undefined ? {} : { [name]: checkText(name, value, { maxBytes: SESSION_SUMMARY_BYTES }) }
    const changes = { ...text('title', title), ...text('snippet', snippet) }
    if (Object.keys(changes).length === 0) throw invalid('patch', 'changes nothing', 'Name a title or a snippet.')
    return view(await sessionSummaries.update(...named(input), changes, now()), input.conversationId)
  }
  return {
    list: open(async (input) => {
      const page = checkPage({ limit: input?.limit, offset: input?.offset })
      const { items, total } = await sessionSummaries.list(checkId('userId', user(input)), page)
      const { show } = splitReveal(input)
      return { items: await shownList(items, (summary) => show(view(summary, summary.conversationId))), total }
    }),
    get: open(async (input) => view(await sessionSummaries.get(...named(input)), input.conversationId)),
    update: open(update),
    create: open(async (input) => {
      if ((await sessionSummaries.get(...named(input))) === null) return update(input)
      throw new MnemeError('conflict', `Conversation ${JSON.stringify(input.conversationId)} has a session summary.`, {
        remedy: 'Change that one.',
      })
    }),
    delete: open(async (input) => {
      if (!(await sessionSummaries.remove(...named(input)))) view(null, input.conversationId)
    }),
  }
}
