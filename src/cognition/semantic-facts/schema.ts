/** The shape of a model's answer about the lasting facts of an episode; each fact is checked by itself. */
import { z } from 'zod'
import { CATEGORIES } from '../../domain/memory.ts'

const REFUSALS = [
  'temporary_state',
  'short_term_plan',
  'style_preference',
  'speculation',
  'about_other',
  'nothing_lasting',
] as const

export const semanticSchema = z.object({
  facts: z.array(z.unknown()),
  refusal: z.enum(REFUSALS).nullish().catch(null),
})

export const semanticFactSchema = z.object({
  text: z.string(),
  category: z.enum(CATEGORIES),
  key: z.string().nullish().catch(null),
  value: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  confidence: z.coerce.number().min(0).max(1).catch(0.7),
  ground: z.enum(['identity', 'habit', 'often_used', 'ordered']),
})
