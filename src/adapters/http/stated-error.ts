/** Does a body state an error? Vendors send it in one of two shapes, some of them with status 200. */
import { z } from 'zod'

/** An error inside a body, also of one with status 200, as OpenRouter sends them. */
export interface StatedError {
  readonly status: number
  readonly message: string
}

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({ message: z.string().optional(), code: z.union([z.string(), z.number()]).nullish().catch(null) }),
  ]),
})

/** The error that a body states; null when it states none. Without a status of its own it counts as 502. */
export function readError(body: unknown): StatedError | null {
  const read = errorSchema.safeParse(body)
  if (!read.success) return null
  const { error } = read.data
  if (typeof error === 'string') return { status: 502, message: error }
  const status = Number(error.code)
  return { status: status >= 400 && status < 600 ? status : 502, message: error.message ?? 'no reason given' }
}
