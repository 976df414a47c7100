/** The package `mneme/ai-sdk`: a language model of the AI SDK that remembers, and tools by which it looks after its memory. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { z } from 'zod'
import { hashOf } from '../../domain/ids.ts'
import type { OpenMemory } from '../library/open-memory.ts'

export interface RememberedChat {
  /** Default: the default user of `memory`. */
  readonly userId?: string
  readonly conversationId: string
  readonly projectRoot?: string
  /** Most tokens of recalled context for a message; default: the setting `memory.evidence_tokens`. */
  readonly evidenceTokens?: number
}

/** The user's newest message in a prompt: its index, the number of earlier ones, and its text. */
interface Asked {
  readonly index: number
  readonly number: number
  readonly text: string
}

/**
 * Middleware for `wrapLanguageModel`: puts recalled context before the user's newest message, behind the prefix that a
 * prompt cache may hold. Stores message and answer once, even with several tool calls; a failing memory fails no chat.
 */
export function memoryMiddleware(
  memory: OpenMemory,
  { userId, conversationId, projectRoot, evidenceTokens }: RememberedChat,
): LanguageModelV4Middleware {
  const where = { userId, conversationId, projectRoot }
  const store = async (prompt: LanguageModelV4Prompt, answer: string): Promise<void> => {
    const asked = askedIn(prompt)
    const turn = (role: 'user' | 'assistant', content: string) => ({
      role,
      content,
      externalId: `ai-sdk:${hashOf([asked?.number ?? 0, asked?.text ?? '', role, content], 32)}`,
    })
    const turns = [
      ...(asked === undefined ? [] : [turn('user', asked.text)]),
      ...(answer.trim() === '' ? [] : [turn('assistant', answer)]),
    ]
    if (turns.length > 0) await memory.conversations.store({ ...where, turns }).catch(() => undefined)
  }

  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      const asked = askedIn(params.prompt)
      if (asked === undefined) return params
      const built = await memory.context.build(asked.text, { ...where, evidenceTokens }).catch(() => undefined)
      const recalled = built?.layers.filter(({ level, text }) => (level === 1 || level === 3) && text !== '') ?? []
      return recalled.length === 0 ? params : withRecalled(params, asked, recalled.map(({ text }) => text).join('\n\n'))
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate()
      await store(params.prompt, result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
      return result
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream()
      let said = ''
      const heard = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform: (part, controller) => {
          if (part.type === 'text-delta') said += part.delta
          controller.enqueue(part)
        },
        flush: () => store(params.prompt, said),
      })
      return { ...rest, stream: stream.pipeThrough(heard) }
    },
  }
}

const MARK = 'mneme'

function withRecalled(params: LanguageModelV4CallOptions, asked: Asked, text: string): LanguageModelV4CallOptions {
  const recalled = { type: 'text' as const, text, providerOptions: { [MARK]: { recalled: true } } }
  const prompt = params.prompt.map((message, index) =>
    index === asked.index && message.role === 'user'
      ? { ...message, content: [recalled, ...message.content] }
      : message,
  )
  return { ...params, prompt }
}

function askedIn(prompt: LanguageModelV4Prompt): Asked | undefined {
  const index = prompt.findLastIndex(({ role }) => role === 'user')
  const message = prompt[index]
  if (message?.role !== 'user') return undefined
  const text = message.content
    .flatMap((part) => (part.type === 'text' && part.providerOptions?.[MARK] === undefined ? [part.text] : []))
    .join('\n')
  const number = prompt.slice(0, index).filter(({ role }) => role === 'user').length
  return text.trim() === '' ? undefined : { index, number, text }
}

/** Tools for `generateText` and `streamText`: the model recalls, remembers, corrects and forgets by itself. */
export function memoryTools(memory: OpenMemory, { userId, projectRoot }: Partial<RememberedChat> = {}) {
  return {
    recall: {
      description: 'What was said and learnt earlier that answers a question. Ask before you say that you do not know.',
      inputSchema: z.object({ question: z.string().min(1) }),
      execute: async ({ question }: { question: string }) => {
        const { results } = await memory.recall(question, { userId, projectRoot, limit: 10 })
        return results.map(({ id, text, createdAt: saidAt, speaker, role }) => ({
          id,
          text,
          saidAt,
          by: speaker ?? role,
        }))
      },
    },
    remember: {
      description: 'Keeps one statement about the user or the project, in whole sentences and in the user’s language.',
      inputSchema: z.object({ statement: z.string().min(1) }),
      execute: async ({ statement }: { statement: string }) => {
        const how = { userId, projectRoot, infer: false, source: 'inferred', confidence: 0.6 } as const
        const { results } = await memory.add(statement, how)
        return results.map(({ id }) => ({ id }))
      },
    },
    correct: {
      description: 'Changes what a memory says. Its id comes from recall.',
      inputSchema: z.object({ id: z.string().min(1), statement: z.string().min(1) }),
      execute: async ({ id, statement }: { id: string; statement: string }) => {
        await memory.update(id, statement, { userId })
        return { id }
      },
    },
    forget: {
      description: 'Deletes a memory for good. Only where the user asks for it; its id comes from recall.',
      inputSchema: z.object({ id: z.string().min(1) }),
      execute: async ({ id }: { id: string }) => {
        await memory.delete(id, { userId })
        return { id }
      },
    },
  }
}
