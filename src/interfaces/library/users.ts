/** Whose call is this? The user of the call, else the one the memory was opened for; a missing one is an error. */
import { invalid } from '../../domain/errors.ts'

/** Inputs that may leave the user to the default. */
export type WithUser = { readonly userId?: string | undefined }

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
