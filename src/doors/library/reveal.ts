/**
 * Masks secrets in lists, searches and contexts unless `revealSecrets` is set; an item requested by name is shown
 * whole. Storage keeps them whole.
 */
import { checkBoolean } from '../../domain/checks.ts'
import { breathe } from '../../domain/pieces.ts'
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import type { TurnView } from './render.ts'

/** Inputs that may ask for secrets as they are. */
export type WithReveal = {
  /**
   * Whether passwords, keys and other secrets are shown unmasked. By default they look like `sk-…(masked, 51
   * characters)`.
   */
  readonly revealSecrets?: boolean | undefined
}

/** Returns a view, masked or unchanged. */
export type Show = <T>(view: T) => T

/** The input without `revealSecrets`, and the function that shows its answer. */
export function splitReveal<T extends object>(
  input: (T & WithReveal) | undefined,
): { readonly asked: Omit<T, keyof WithReveal>; readonly show: Show } {
  const { revealSecrets, ...asked } = { ...input } as T & WithReveal
  const isRevealed = revealSecrets === undefined ? false : checkBoolean('revealSecrets', revealSecrets)
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

/** Milliseconds between two pauses. */
const PIECE_MS = 20

/** Shows each item of a list, with pauses so that other work can run. */
export async function shownList<T, V>(items: readonly T[], view: (item: T) => V): Promise<readonly V[]> {
  const shown: V[] = []
  let begun = performance.now()
  for (const item of items) {
    if (performance.now() - begun > PIECE_MS) {
      await breathe()
      begun = performance.now()
    }
    shown.push(view(item))
  }
  return shown
}
