/** `memory.profile`, which the user can read and edit; `memory.settings` and `memory.keys`, which belong to the database. */
import { check } from '../../domain/checks.ts'
import { isoTimeOrNull } from '../../domain/clock.ts'
import type { ApiKey } from '../../domain/contracts/small-stores.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type CreatedKey, type CreateKeyInput, createKey, findKey, revokeKey } from '../../usecases/keys.ts'
import { changeSettings, type SettingStates, settingStates } from '../../usecases/open-options.ts'
import { type Binding, type Rendered, rendered, type WithUser } from './binding.ts'

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
  /** The turns that told it where no memory did; `turnId` is null for a conversation without turns. */
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
  const { store, open, openRemoval, now } = core
  const view = ({ text, updatedAt }: { readonly text: string; readonly updatedAt: number | null }): ProfileView => ({
    text,
    updatedAt: isoTimeOrNull(updatedAt),
  })
  return {
    get: open(async (input) => view(await store.profiles.get(user(input)))),
    lines: open(async (input) => {
      const { lines } = await store.profiles.get(user(input))
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
      const text = check.text('text', input.text, { maxBytes: LIMITS.profileBytes })
      return view(await store.profiles.setText(user(input), text, now()))
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
