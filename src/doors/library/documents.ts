/** `memory.profile` and `memory.sessionSummaries`, which the user can read and edit; `memory.settings` and `memory.keys`. */

import { check, defined, givenAs, type InputOf, orElse, PAGE_FIELDS, type PageInput } from '../../domain/checks.ts'
import { isoTimeOrNull } from '../../domain/clock.ts'
import type { ApiKey, SessionSummary } from '../../domain/contracts/documents.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import { profileLines } from '../../language/profile-document.ts'
import { type CreatedKey, type CreateKeyInput, createKey, findKey, revokeKey } from '../../usecases/keys.ts'
import { changeSettings, type SettingStates, settingStates } from '../../usecases/options.ts'
import { SESSION_SUMMARY_BYTES } from '../../usecases/restore-conversation.ts'
import type { ListView } from './conversations.ts'
import { type Binding, shownList, splitReveal, type WithReveal, type WithUser } from './inputs.ts'
import { type Rendered, rendered } from './render.ts'

export interface ProfileView {
  /** The whole document, '' when there is none. */
  readonly text: string
  /** ISO 8601; null when there is none. */
  readonly updatedAt: string | null
}

/** A statement of the document, and where it comes from. */
export interface ProfileLineView {
  readonly text: string
  /** `user` also for what Mneme wrote and the user changed. */
  readonly source: 'user' | 'machine'
  readonly memoryIds: readonly string[]
  /** The turns that told it; `turnId` is null for a conversation without turns. */
  readonly turns: readonly { readonly conversationId: string; readonly turnId: number | null }[]
}

export interface Profiles {
  get(input?: WithUser): Promise<ProfileView>
  /** The statements in order, without headings. */
  lines(input?: WithUser): Promise<readonly ProfileLineView[]>
  /** Replaces the document. Mneme never changes the user's lines, and removed lines do not return. */
  set(input: WithUser & { readonly text: string }): Promise<ProfileView>
}

/** Settings that hold from the next request on. */
export interface Settings {
  /** Every setting with its value and where it comes from: `default`, `database`, or what overrides the database. */
  get(): Promise<SettingStates>
  /** Changes all settings or none; null restores a default. */
  set(changes: Readonly<Record<string, unknown>>): Promise<SettingStates>
}

/** A key, without the key. `createdAt` is ISO 8601. */
export type KeyView = Rendered<ApiKey, 'createdAt'>

/** A new key; `key` is shown here and never again. */
export type CreatedKeyView = Rendered<CreatedKey, 'createdAt'>

/** Operations on keys, which belong to the whole database. */
export interface Keys {
  /** Creates a key, by default of scope `write` and for every user. */
  create(input: CreateKeyInput): Promise<CreatedKeyView>
  /** Whether any key exists, so that one is required. */
  exist(): Promise<boolean>
  /** Oldest first. */
  list(): Promise<readonly KeyView[]>
  /** Revokes a key at once; rejects `not_found` for an unknown id. */
  revoke(id: string): Promise<void>
  /** The key with this secret, or null. */
  find(key: string): Promise<KeyView | null>
}

export function profiles({ core, user }: Binding): Profiles {
  const { store, options, open, openRemoval, now } = core
  const view = ({ text, updatedAt }: { readonly text: string; readonly updatedAt: number | null }): ProfileView => ({
    text,
    updatedAt: isoTimeOrNull(updatedAt),
  })
  return {
    get: open(async (input) => view(await store.profiles.get(check.id('userId', user(input))))),
    lines: open(async (input) => {
      const { lines } = await store.profiles.get(check.id('userId', user(input)))
      return lines.map(({ text, source, tellings = [] }) => ({
        text,
        source,
        memoryIds: tellings.flatMap((one) => ('memoryIds' in one ? one.memoryIds : [])),
        turns: tellings.flatMap((one) => {
          if ('memoryIds' in one) return []
          const turnIds: readonly (number | null)[] = one.turnIds.length === 0 ? [null] : one.turnIds
          return turnIds.map((turnId) => ({ conversationId: one.conversationId, turnId }))
        }),
      }))
    }),
    set: openRemoval(async (input) => {
      const text = check.text('text', input.text, { maxBytes: options.maxContentBytes })
      await profileLines.patiently(text)
      return view(await store.profiles.setText(check.id('userId', user(input)), text, now()))
    }),
  }
}

export function settings({ core }: Binding): Settings {
  return {
    get: core.openAtOnce(() => settingStates(core)),
    set: core.open((changes) => changeSettings(core, changes)),
  }
}

export function keys({ core }: Binding): Keys {
  const { store, openAtOnce: open, openRemoval } = core
  return {
    create: open(async (input) => rendered(await createKey(core, input), 'createdAt')),
    exist: open(() => store.keys.exist()),
    list: open(async () => (await store.keys.list()).map(keyView)),
    revoke: openRemoval((id) => revokeKey(core, id)),
    find: open(async (key) => {
      const found = await findKey(core, key)
      return found === null ? null : keyView(found)
    }),
  }
}

function keyView(key: ApiKey): KeyView {
  return rendered(key, 'createdAt')
}

const checkWords = (field: string, value: unknown): string =>
  check.text(field, value, { maxBytes: SESSION_SUMMARY_BYTES })
const PATCH_FIELDS = { title: orElse(undefined, checkWords), snippet: orElse(undefined, checkWords) }
/** An edit; what is absent stays. */
type SessionSummaryPatch = InputOf<typeof PATCH_FIELDS>

/** Title and snippet of one conversation; times are ISO 8601. */
export type SessionSummaryView = Rendered<SessionSummary, 'createdAt' | 'updatedAt'>

type OfConversation = WithUser & { readonly conversationId: string }

export interface SessionSummaries {
  /** Newest first; default 100. Secrets are masked unless `revealSecrets` is set. */
  list(input?: WithUser & WithReveal & PageInput): Promise<ListView<SessionSummaryView>>
  /** Rejects with `not_found` when there is none. */
  get(input: OfConversation): Promise<SessionSummaryView>
  /** Changes a session summary; text written by the user is never overwritten by Mneme. */
  update(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  /** Creates the user's own summary for a conversation without one. Rejects with `conflict` where one exists. */
  create(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  delete(input: OfConversation): Promise<void>
}

const REMEDY = 'List the session summaries to see which conversations have one.'

function summaryView(summary: SessionSummary | null, conversationId: string): SessionSummaryView {
  if (summary === null) throw notFound('session summary', conversationId, REMEDY)
  return rendered(summary, 'createdAt', 'updatedAt')
}

export function sessionSummaries({ core, user }: Binding): SessionSummaries {
  const { store, open, openRemoval, now } = core
  const { sessionSummaries } = store
  const named = (input: OfConversation): [user: string, conversation: string] => [
    check.id('userId', user(input)),
    check.id('conversationId', input.conversationId),
  ]
  const update: SessionSummaries['update'] = async ({ title, snippet, ...input }) => {
    const changes = defined(check.fields('', { title, snippet }, PATCH_FIELDS))
    if (Object.keys(changes).length === 0) throw invalid('patch', 'changes nothing', 'Name a title or a snippet.')
    return summaryView(await sessionSummaries.update(...named(input), changes, now()), input.conversationId)
  }
  return {
    list: open(async (input) => {
      const { asked, show } = splitReveal(input)
      const { userId: _, ...page } = check.fields('', asked, { userId: givenAs<string>(), ...PAGE_FIELDS })
      const { items, total } = await sessionSummaries.list(check.id('userId', user(input)), page)
      return { items: await shownList(items, (summary) => show(summaryView(summary, summary.conversationId))), total }
    }),
    get: open(async (input) => summaryView(await sessionSummaries.get(...named(input)), input.conversationId)),
    update: open(update),
    create: open(async (input) => {
      if ((await sessionSummaries.get(...named(input))) === null) return update(input)
      throw new MnemeError('conflict', `Conversation ${JSON.stringify(input.conversationId)} has a session summary.`, {
        remedy: 'Change that one.',
      })
    }),
    delete: openRemoval(async (input) => {
      if (!(await sessionSummaries.remove(...named(input)))) summaryView(null, input.conversationId)
    }),
  }
}
