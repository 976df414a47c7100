/**
 * The shape of an answer about an exchange (doors.md, "What a model is asked"). One known part is enough; each part and
 * statement is checked by itself, so that one bad part costs only itself.
 */
import { z } from 'zod'
import { PROFILE_SECTIONS } from '../../domain/contracts/small-stores.ts'
import type { Category, MemoryType } from '../../domain/memory.ts'

/** The stored form of each kind of statement, and its importance where the model gives none. */
export const KINDS = {
  fact: { memoryType: 'semantic', category: 'fact', importance: 1 },
  preference: { memoryType: 'semantic', category: 'preference', importance: 1 },
  instruction: { memoryType: 'semantic', category: 'preference', importance: 3 },
  event: { memoryType: 'episodic', category: 'fact', importance: 0 },
  plan: { memoryType: 'episodic', category: 'fact', importance: 0 },
  decision: { memoryType: 'semantic', category: 'fact', importance: 2 },
  problem_solved: { memoryType: 'episodic', category: 'fact', importance: 2 },
  state: { memoryType: 'episodic', category: 'fact', importance: 0 },
} as const satisfies Record<
  string,
  { readonly memoryType: MemoryType; readonly category: Category; readonly importance: number }
>
/** A name out of KINDS. */
export type StatementKind = keyof typeof KINDS
export const STATEMENT_KINDS = Object.keys(KINDS) as StatementKind[]

/** Names of the parts; those of the shapes of 000 and 002 are still understood. */
const PARTS = 'statements ends confirms doubts profile working_memory title'.split(' ')
const OLDER_PARTS = 'write_episodic records memory_update should_store items'.split(' ')

/** Any object with at least one of the parts; a bare list of statements is one of them. */
export const exchangeSchema = z
  .union([
    z.record(z.string(), z.unknown()),
    z
      .array(z.looseObject({ text: z.string() }))
      .min(1)
      .transform((statements): Record<string, unknown> => ({ statements })),
  ])
  .refine((answer) => [...PARTS, ...OLDER_PARTS].some((part) => part in answer), {
    message: `none of ${PARTS.join(', ')}`,
  })

const text = z.string()
export const looseText = z
  .union([text, z.number().transform(String)])
  .nullish()
  .catch(null)

/** "true" and 1 are meant as true; undefined for anything else. */
export const looseBoolean = z
  .union([
    z.boolean(),
    z.enum(['true', 'false']).transform((word) => word === 'true'),
    z.literal([0, 1]).transform((number) => number === 1),
  ])
  .optional()
  .catch(undefined)

/** A list; one object where a list was wanted is a list of one. */
export const listSchema = z.union([z.array(z.unknown()), z.looseObject({}).transform((one): unknown[] => [one])])

const ids = z.union([z.array(text), text.transform((id) => [id])]).catch([])
/** NaN when none was given. */
const number = z.union([z.number(), text.transform(Number)]).catch(Number.NaN)

/** A bare text is a statement that says nothing of itself; a kind that is not known is null. */
export const statementSchema = z.preprocess(
  (given) => (typeof given === 'string' ? { text: given } : given),
  z.object({
    text,
    about: looseText,
    scope: looseText,
    kind: z
      .preprocess((kind) => String(kind).trim().toLowerCase(), z.enum(STATEMENT_KINDS))
      .nullable()
      .catch(null),
    attribute: looseText,
    value: z.unknown().optional(),
    time: z
      .union([z.object({ from: looseText, to: looseText }), text.transform((from) => ({ from, to: null }))])
      .nullish()
      .catch(null),
    replaces: ids,
    by: z.enum(['said', 'inferred', 'heard']).optional().catch(undefined),
    quote: looseText,
    confidence: number,
    importance: number,
  }),
)

export const endSchema = z.object({ id: text, reason: z.enum(['over', 'wrong', 'forget']), time: looseText })
/** A bare id confirms, and doubts without a reason. */
export const namedSchema = z.union([
  text.transform((id) => ({ id, why: null })),
  z.object({ id: text, why: looseText }),
])

export const profileLineSchema = z.object({ section: z.enum(PROFILE_SECTIONS), text, replaces: ids })

export const workingMemorySchema = z.object({
  current_topic: looseText,
  context_variables: z.record(z.string(), z.unknown()).nullish().catch(null),
  emotion: looseText,
})

export const titleSchema = z.object({ title: text.min(1), snippet: text.min(1) })
