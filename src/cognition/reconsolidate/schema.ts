/** The shape of a model's answer about a memory that was used. */
import { z } from 'zod'

export const reconsolidateSchema = z.object({
  changed: z.boolean(),
  update: z.string().nullish().catch(null),
})
