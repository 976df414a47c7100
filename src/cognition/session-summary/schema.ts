/** The shape of a model's title and snippet. */
import { z } from 'zod'

export const sessionSummarySchema = z.object({ title: z.string().min(1), snippet: z.string().min(1) })
