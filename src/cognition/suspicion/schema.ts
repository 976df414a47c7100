/** The shape of a model's verdicts on memories in doubt. */
import { z } from 'zod'

export const suspicionSchema = z.object({
  verdicts: z.array(
    z.object({
      number: z.coerce.number().int(),
      verdict: z.enum(['doubtful', 'holds', 'unclear']).catch('unclear'),
      reason: z.string().nullish().catch(null),
    }),
  ),
})
