/** Common inputs: the user of a call, and whether secrets are shown. */
import { check } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { breathe } from '../../domain/pieces.ts'
import { maskRepeats, maskSecretsIn, type OnMasked, readLongTexts } from '../../language/secrets/mask-secrets.ts'
import type { Core } from '../../usecases/core.ts'
import type { TurnView } from './render.ts'

/** Inputs that may leave the user to the default. */
export type WithUser = { readonly userId?: string | undefined }

/** Inputs for operators: one user as everywhere, or all of them when requested. */
export type WithUsers = WithUser & {
  /** true: of every user. Default false. */
  readonly allUsers?: boolean | undefined
}

/** The user of such a call; null for all. */
export function chooseUsers(user: ChooseUser, input: WithUsers | undefined): string | null {
  if (input?.allUsers === undefined || !check.boolean('allUsers', input.allUsers)) return user(input)
  if (input.userId !== undefined) throw invalid('allUsers', 'is set, and userId too', 'Pass one of them.')
  return null
}

type ChooseUser = (input: WithUser | undefined) => string

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

/** Inputs that may ask for secrets as they are; otherwise lists, searches and contexts mask them. */
export type WithReveal = {
  /** true: passwords and keys as they are. By default they look like `sk-…(masked, 51 characters)`. */
  readonly revealSecrets?: boolean | undefined
}

export type Show = <T>(view: T) => T

/** The masks of a list's secrets. */
export type Secrets = Map<string, string>

/** The input without `revealSecrets`, and the function that shows its answer. */
export function splitReveal<T extends object>(
  input: (T & WithReveal) | undefined,
): { readonly asked: Omit<T, keyof WithReveal>; readonly show: Show } {
  const { revealSecrets, ...asked } = { ...input } as T & WithReveal
  const isRevealed = revealSecrets === undefined ? false : check.boolean('revealSecrets', revealSecrets)
  return { asked: asked as Omit<T, keyof WithReveal>, show: isRevealed ? (view) => view : masked }
}

/** Masks every secret. */
export const masked: Show = (view) => maskSecretsIn(view)

/** A masked turn; symbols hidden by a mask are left out. */
export function shownTurn(turn: TurnView, show: Show): TurnView {
  const shown = show(turn)
  if (shown.content === turn.content) return shown
  return { ...shown, symbols: shown.symbols.filter((symbol) => shown.content.includes(symbol)) }
}

const PIECE_MS = 20

/** Shows each item of a list, with pauses so that other work can run; what is a secret in one is masked in all. */
export async function shownList<T, V>(
  items: readonly T[],
  show: Show,
  view: (item: T, show: Show, secrets: Secrets) => V,
): Promise<readonly V[]> {
  const secrets = new Map<string, string>()
  const keep: OnMasked = (secret, mask) => void secrets.set(secret, mask)
  const hide: Show = show === masked ? (one) => maskSecretsIn(one, keep) : show
  const shown: V[] = []
  let begun = performance.now()
  for (const item of items) {
    if (performance.now() - begun > PIECE_MS) {
      await breathe()
      begun = performance.now()
    }
    await readLongTexts(item)
    shown.push(view(item, hide, secrets))
  }
  return secrets.size === 0 ? shown : maskRepeats(shown, secrets)
}
