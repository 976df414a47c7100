/** Which user does a call concern? The call's user, else the default of the open memory; a missing one is an error. */
import { checkBoolean } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { Core } from '../../usecases/core.ts'

/** Inputs that may leave the user to the default. */
export type WithUser = { readonly userId?: string | undefined }

/** Inputs for operators: one user as everywhere, or all of them when requested. */
export type WithUsers = WithUser & {
  /** true: of every user. Default false. */
  readonly allUsers?: boolean | undefined
}

/** The user of such a call; null for all. */
export function chooseUsers(user: ChooseUser, input: WithUsers | undefined): string | null {
  if (input?.allUsers === undefined || !checkBoolean('allUsers', input.allUsers)) return user(input)
  if (input.userId !== undefined) throw invalid('allUsers', 'is set, and userId too', 'Pass one of them.')
  return null
}

/** Returns the user of a call. */
export type ChooseUser = (input: WithUser | undefined) => string

/** Chooses between the call's user and the default. */
export function userChooser(defaultUser: string | null): ChooseUser {
  return (input: unknown) => {
    if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input)))
      throw invalid('input', 'must be an object', 'Pass { userId } or nothing.')
    const userId = (input as WithUser | undefined)?.userId ?? defaultUser
    if (userId === null || userId === undefined)
      throw invalid('userId', 'is missing', 'Pass userId, or open the memory with a default userId.')
    return userId
  }
}

/** The context that every part of the library binds use cases to. */
export interface Binding {
  readonly core: Core
  readonly user: ChooseUser
  /** Removes deleted memories from the memory file and from the process's caches. */
  readonly forget: (userId: string) => Promise<void>
}

/** Input whose user may be left to the default. */
export type UserOptional<T extends { readonly userId: string }> = Omit<T, 'userId'> & WithUser
