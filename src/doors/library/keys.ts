/** `memory.keys`: who may come in at a door that listens. */
import type { ApiKey, CreatedKey, CreateKeyInput, Engine } from '../../engine/engine.ts'
import { isoTime } from './render.ts'

/** A key, without the key. `createdAt` is ISO 8601. */
export type KeyView = Omit<ApiKey, 'createdAt'> & { readonly createdAt: string }

/** A new key; `key` is shown here and never again. */
export type CreatedKeyView = Omit<CreatedKey, 'createdAt'> & { readonly createdAt: string }

/** What can be done with keys. They belong to the whole database. */
export interface Keys {
  /** Makes a key: default scope `write`, default for every user. */
  create(input: CreateKeyInput): Promise<CreatedKeyView>
  /** Whether there is any key, so that one is asked for. */
  exist(): Promise<boolean>
  /** Oldest first. */
  list(): Promise<readonly KeyView[]>
  /** Takes a key back at once; `not_found` when there is none of this id. */
  revoke(id: string): Promise<void>
  /** The key that a caller shows, or null when there is none. */
  find(key: string): Promise<KeyView | null>
}

/** The facade over an engine. */
export function keys({ keys: cases }: Engine): Keys {
  return {
    create: async (input) => {
      const made = await cases.create(input)
      return { ...made, createdAt: isoTime(made.createdAt) }
    },
    exist: async () => cases.exist(),
    list: async () => (await cases.list()).map(view),
    revoke: async (id) => cases.revoke(id),
    find: async (key) => {
      const found = await cases.find(key)
      return found === null ? null : view(found)
    },
  }
}

function view(key: ApiKey): KeyView {
  return { ...key, createdAt: isoTime(key.createdAt) }
}
