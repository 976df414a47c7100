/** The shape of a model's answer about two records that may tell of one event. */
import { z } from 'zod'

const optional = z.string().nullish().catch(null)

export const mergeSchema = z.object({
  same_event: z.boolean(),
  text: optional,
  context: optional,
  thing: optional,
})
