/**
 * The shape of an answer about an exchange (doors.md, "What a model is asked"). The whole needs only one known part;
 * each part, and each item in it, is checked by itself, so that one bad part costs nothing but itself.
 */
import { z } from 'zod'
import { CATEGORIES } from '../../domain/memory.ts'
import { PROFILE_SECTIONS } from '../../domain/profile.ts'

/** Names of the parts. */
const EXCHANGE_PARTS = [
  'write_episodic',
  'records',
  'memory_update',
  'profile',
  'working_memory',
  'suspects',
  'title',
] as const

/** Any object with at least one of the parts. */
export const exchangeSchema = z
  .record(z.string(), z.unknown())
  .refine((answer) => EXCHANGE_PARTS.some((part) => part in answer), {
    message: `none of ${EXCHANGE_PARTS.join(', ')}`,
  })

const text = z.string()
const looseText = z
  .union([text, z.number().transform(String)])
  .nullish()
  .catch(null)

/** "true" and 1 are meant as true. */
export const booleanSchema = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((word) => word === 'true'),
  z.literal([0, 1]).transform((number) => number === 1),
])

/** A list; one object where a list was wanted is a list of one. */
export const listSchema = z.union([z.array(z.unknown()), z.looseObject({}).transform((one): unknown[] => [one])])

export const recordSchema = z.object({
  text,
  who: looseText,
  context: looseText,
  thing: looseText,
  time: looseText,
  importance: z.coerce.number().catch(0),
})

export const updateSchema = z.object({ should_store: booleanSchema.optional().catch(undefined), items: listSchema })

const scalar = z.union([text, z.number().transform(String), z.boolean().transform(String)])
export const itemSchema = z.object({
  category: z.enum(CATEGORIES),
  key: text,
  value: z.union([scalar.transform((one) => [one]), z.array(scalar)]),
  about: looseText,
  standing: z.enum(['holds', 'ended', 'held', 'corrects']).catch('holds'),
  single: booleanSchema.nullish().catch(null),
  text: looseText,
  /** NaN when none was given. */
  confidence: z.union([z.number(), text.transform(Number)]).catch(Number.NaN),
  source: z.enum(['user_stated', 'inferred']).catch('inferred'),
})

export const profileLineSchema = z.object({ section: z.enum(PROFILE_SECTIONS), text })

export const workingMemorySchema = z.object({
  current_topic: looseText,
  context_variables: z.record(z.string(), z.unknown()).nullish().catch(null),
  emotion: looseText,
})

export const titleSchema = z.object({ title: text.min(1), snippet: text.min(1) })

export const verdictSchema = z.object({
  number: z.coerce.number().int(),
  verdict: z.enum(['holds', 'doubtful', 'unclear']),
})
