/**
 * How are secrets hidden from a model, yet kept whole in what it writes down? They are masked for it and put back where
 * its answer repeats a mask, unless two share that mask.
 */
import { maskSecretsIn } from './mask-secrets.ts'

/** Data without its secrets, and the way back. */
export interface HiddenSecrets<T> {
  readonly data: T
  /** An answer with the secrets in place of their masks. */
  readonly restore: <A>(answer: A) => A
}

/** Masks every secret in the data. */
export function hideSecrets<T>(data: T): HiddenSecrets<T> {
  const secrets = new Map<string, string | null>()
  const hidden = maskSecretsIn(data, (secret, mask) => {
    const known = secrets.get(mask)
    secrets.set(mask, known === undefined || known === secret ? secret : null)
  })
  const known = [...secrets].filter((one): one is [string, string] => one[1] !== null)
  // Longer masks first: `…(masked, 8 characters)` is the end of `sk-…(masked, 8 characters)`.
  known.sort(([a], [b]) => b.length - a.length)
  return {
    data: hidden,
    restore: (answer) => (known.length === 0 ? answer : (restored(answer, known) as typeof answer)),
  }
}

function restored(answer: unknown, secrets: readonly (readonly [string, string])[]): unknown {
  if (typeof answer === 'string')
    return secrets.reduce((text, [mask, secret]) => text.replaceAll(mask, () => secret), answer)
  if (Array.isArray(answer)) return answer.map((item) => restored(item, secrets))
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, restored(value, secrets)]))
}
