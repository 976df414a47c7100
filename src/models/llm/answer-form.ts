/** Reads a model's answer, whole or event by event. */
import { z } from 'zod'
import type { GatewaySaid, ModelUsage } from '../../domain/contracts/models.ts'

/** The content of one body or of one event of a stream. */
export type Said = Omit<GatewaySaid, 'choices'>

const count = z.number().nonnegative().nullish().catch(null)
const usageSchema = z.object({ prompt_tokens: count, completion_tokens: count, cost: count }).nullish().catch(null)
/** Text, or parts of which only those of text are the answer. */
const contentSchema = z
  .union([z.string(), z.array(z.object({ type: z.string().optional(), text: z.string().optional() }))])
  .nullish()
const messageSchema = z.object({ content: contentSchema, refusal: z.string().nullish().catch(null) }).nullish()
const completionSchema = z.object({
  model: z.string().nullish().catch(null),
  choices: z.array(
    z.object({
      message: messageSchema,
      delta: messageSchema,
      finish_reason: z.string().nullish().catch(null),
    }),
  ),
  usage: usageSchema,
})

/** The content of a whole body; null when it is no completion with at least one choice. */
export function readCompletion(body: unknown): Said | null {
  const said = readEvent(body)
  return said === null || !completionSchema.parse(body).choices.some(({ message }) => message) ? null : said
}

/** The content of one event of a stream; null when it is none. */
export function readEvent(body: unknown): Said | null {
  const read = completionSchema.safeParse(body)
  if (!read.success) return null
  const { model, choices, usage } = read.data
  const first = choices[0]
  return {
    text: wordsOf(first?.message ?? first?.delta),
    model: model ?? null,
    usage: usage === null || usage === undefined ? null : readUsage(usage),
    finished: typeof first?.finish_reason === 'string',
  }
}

const messageUsageSchema = z
  .object({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  })
  .nullish()
  .catch(null)
const anthropicSchema = z.object({
  content: contentSchema.catch(null),
  model: z.string().nullish().catch(null),
  stop_reason: z.string().nullish().catch(null),
  usage: messageUsageSchema,
})
const anthropicEventSchema = anthropicSchema.extend({
  type: z.enum(['message', 'message_start', 'message_delta', 'content_block_delta']),
  message: anthropicSchema.nullish(),
  delta: z.object({ text: z.string().optional(), stop_reason: z.string().nullish() }).nullish().catch(null),
})

/** The content of an answer of Anthropic's interface, or of one event; null when it is none. */
export function readMessage(body: unknown, before: ModelUsage | null): Said | null {
  const read = anthropicEventSchema.safeParse(body)
  if (!read.success) return null
  const { message, delta, ...own } = read.data
  const { content, model, stop_reason, usage } = message ?? own
  const { input_tokens = null, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage ?? {}
  const prompt = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens]
  return {
    text: plainText(content) || (delta?.text ?? ''),
    model: model ?? null,
    usage: usage
      ? {
          promptTokens:
            input_tokens === null
              ? (before?.promptTokens ?? 0)
              : prompt.reduce<number>((sum, one) => sum + (one ?? 0), 0),
          completionTokens: output_tokens ?? before?.completionTokens ?? 0,
          cost: null,
        }
      : null,
    finished: typeof (stop_reason ?? delta?.stop_reason) === 'string',
  }
}

/** The answer, or the words in which the model refuses to give one. */
function wordsOf(message: z.infer<typeof messageSchema>): string {
  return plainText(message?.content) || (message?.refusal ?? '')
}

function plainText(content: z.infer<typeof contentSchema>): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  return content.map(({ type, text }) => (type === undefined || type === 'text' ? (text ?? '') : '')).join('')
}

function readUsage(usage: NonNullable<z.infer<typeof usageSchema>>): ModelUsage | null {
  if (typeof usage.prompt_tokens !== 'number' && typeof usage.completion_tokens !== 'number') return null
  return {
    promptTokens: Math.round(usage.prompt_tokens ?? 0),
    completionTokens: Math.round(usage.completion_tokens ?? 0),
    cost: usage.cost ?? null,
  }
}
