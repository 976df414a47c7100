/** `memory.profile`: the document about a user, which the user can read and edit; and `memory.settings`. */
import type { Engine, SettingStates } from '../../engine/engine.ts'
import { isoTimeOrNull } from './render.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** The document about a user. */
export interface ProfileView {
  /** The whole document, '' when there is none. */
  readonly text: string
  /** ISO 8601; null when there is none. */
  readonly updatedAt: string | null
}

/** What can be done with it. */
export interface Profiles {
  get(input?: WithUser): Promise<ProfileView>
  /** Replaces the document. Lines of the user's are never changed by the machine, and removed ones do not come back. */
  set(input: WithUser & { readonly text: string }): Promise<ProfileView>
}

/** Settings that hold from the next request on. */
export interface Settings {
  /** Every setting with its value and where it comes from: `default`, `database`, or what overrides the database. */
  get(): Promise<SettingStates>
  /** All or none; null takes one back to its default. */
  set(changes: Readonly<Record<string, unknown>>): Promise<SettingStates>
}

/** The facade over an engine. */
export function profiles({ profile }: Engine, user: ChooseUser): Profiles {
  const view = ({ text, updatedAt }: { readonly text: string; readonly updatedAt: number | null }): ProfileView => ({
    text,
    updatedAt: isoTimeOrNull(updatedAt),
  })
  return {
    get: async (input) => view(await profile.get(user(input))),
    set: async (input) => view(await profile.set(user(input), input.text)),
  }
}

/** The facade over an engine. */
export function settings({ settings: cases }: Engine): Settings {
  return { get: async () => cases.get(), set: async (changes) => cases.set(changes) }
}
