/** The shape of a model's answer about a memory that was used. */
import { z } from 'zod'

const optional = z.string().nullish().catch(null)

export const reconsolidateSchema = z.object({
  changed: z.boolean(),
  text: optional,
  context: optional,
  thing: optional,
  update: optional,
})
