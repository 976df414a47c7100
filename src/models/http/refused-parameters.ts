/**
 * Which parameters does this server take? Servers that call themselves compatible refuse one or another by name; what
 * was refused, and can be done without, is left out from then on.
 */
import { CallFailure } from './call-failure.ts'

/** A request whose body may lack some parameters. */
export interface TolerantRequest<T extends string> {
  /** Parameters that an answer can do without. */
  readonly optional: readonly T[]
  /** What the server has refused so far; grows. */
  readonly refused: Set<T>
  /** The body without what is in `refused`. */
  readonly body: () => Readonly<Record<string, unknown>>
  readonly send: (body: Readonly<Record<string, unknown>>) => Promise<Response>
  /** Hears of each parameter once. */
  readonly onRefused: (name: T) => void
}

/** Sends, each time with less, until the server no longer refuses something that can be left out. Rejects as `send`. */
export async function sendTolerated<T extends string>(request: TolerantRequest<T>): Promise<Response> {
  for (;;) {
    const body = request.body()
    try {
      return await request.send(body)
    } catch (error) {
      const name = refusedParameter(error, body, request.optional)
      if (name === null) throw error
      request.refused.add(name)
      request.onRefused(name)
    }
  }
}

/** The parameter of this body that a refusal names; null when it names none that could be left out. */
function refusedParameter<T extends string>(
  error: unknown,
  body: Readonly<Record<string, unknown>>,
  optional: readonly T[],
): T | null {
  // A wrong key is refused whatever the parameters are.
  if (!(error instanceof CallFailure) || !error.refused || error.status === 401) return null
  const named = (name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`, 'i').test(error.said ?? '')
  return optional.find((name) => name in body && named(name)) ?? null
}
