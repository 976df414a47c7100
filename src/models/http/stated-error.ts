/** Does a body state an error? Vendors send it in one of two shapes, some of them with status 200. */
import { z } from 'zod'

/** An error inside a body, also of one with status 200, as OpenRouter sends them. */
export interface StatedError {
  readonly status: number
  readonly message: string
  /** The vendor's own name for it, such as `model_not_found`; null when it gives none. */
  readonly name: string | null
}

/** Names of errors are identifiers; anything else may be words of a request. */
const NAME = /^[a-z][a-z0-9_]{2,39}$/i

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.string().optional(),
      code: z.union([z.string(), z.number()]).nullish().catch(null),
      type: z.string().nullish().catch(null),
    }),
  ]),
})

/** The error that a body states; null when it states none. Without a status of its own it counts as 502. */
export function readError(body: unknown): StatedError | null {
  const read = errorSchema.safeParse(body)
  if (!read.success) return null
  const { error } = read.data
  if (typeof error === 'string') return { status: 502, message: error, name: null }
  const status = Number(error.code)
  const name = [error.code, error.type].find((one): one is string => typeof one === 'string' && NAME.test(one))
  return {
    status: status >= 400 && status < 600 ? status : 502,
    message: error.message ?? 'no reason given',
    name: name ?? null,
  }
}
