/** The shape of a model's answer that tells two records apart. */
import { z } from 'zod'

const side = z.object({
  text: z.string(),
  context: z.string().nullish().catch(null),
  thing: z.string().nullish().catch(null),
})

export const separateSchema = z.object({ first: side, second: side })
