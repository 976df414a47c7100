/** An answer for a client without memory: store the news, recall, hand the request on, store the answer. */
import { check, queryPart } from '../../domain/checks.ts'
import type { GatewayReply, ModelGateway } from '../../domain/contracts/models.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { parseAsWritten } from '../../domain/parse-as-written.ts'
import { projectOfConversation } from '../matching/filter.ts'
import { type ChatDependencies, NO_MODEL, NO_MODEL_REMEDY, orWithout, shownBefore, tokenBudgetFor } from './chat.ts'
import {
  type ClientMessage,
  fingerprint,
  isInstruction,
  lastQuestion,
  type Protocol,
  readClientMessages,
  recalledText,
} from './client-message.ts'
import { storeAnswer, storeMessages } from './store-completion.ts'

/** A request for a completion. */
export interface CompletionInput {
  readonly userId: string
  /** Default: `metadata.conversation_id` or `session_id` in the body, else one made of how the chat begins. */
  readonly conversationId?: string | null | undefined
  /** A JSON object as the interface has it. */
  readonly body: string
  /** Default: `completions`. */
  readonly protocol?: Protocol | undefined
  /** The query behind the path, for the vendor: `?beta=true`. */
  readonly query?: string | undefined
  /** Headers of the client, for the vendor; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** The vendor's answer with its treatment here. */
export interface CompletionReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The answer: read it to the end, or abort the signal and read on until it rejects. */
  readonly body: AsyncIterable<Uint8Array>
  readonly conversationId: string
  /** Memories and turns that were put into the request. */
  readonly recalled: number
  /** The failures of the memory, as sentences. */
  readonly warnings: readonly string[]
}

/** Hands a completion on. Rejects with `invalid`, `unsupported` without a vendor, `model_failed` when it is not reached. */
export async function completeChat(chat: ChatDependencies, input: CompletionInput): Promise<CompletionReply> {
  const userId = check.id('userId', input.userId)
  const { protocol = 'completions', query = '', headers } = input
  const request = readBody(input.body)
  const messages = readClientMessages(request, protocol)
  const conversationId = conversationOf(input, request, messages)
  const warnings: string[] = []
  const storing = storeMessages(chat, { userId, conversationId }, messages, warnings)
  await orWithout(chat, () => storing, 'The messages were not stored:', warnings, 'The messages are not stored yet:')
  const gateway = gatewayOf(chat)
  const isAsked = messages.at(-1)?.role === 'user'
  const question = queryPart(lastQuestion(messages))
  const context = await orWithout(
    chat,
    async () => {
      if (question.trim() === '') return null
      const tokenBudget = await tokenBudgetFor(question)
      // An answer to a tool goes on with a question that was counted before.
      const projectRoot = await projectOfConversation(chat.log, userId, conversationId)
      return chat.context(question, { userId, conversationId, projectRoot, tokenBudget, count: isAsked })
    },
    'Nothing was recalled:',
    warnings,
  )
  if (context !== null) warnings.push(...context.warnings)
  const reply = await gateway.complete({
    userId,
    path: PATHS[protocol] + query,
    headers,
    body: writeBody(input.body, {
      protocol,
      recalled: context === null ? null : recalledText(context),
      model: chat.llm?.model ?? '',
    }),
    words: messages.map(({ text }) => text),
    signal: input.signal ?? NEVER,
  })
  /** Stores the answer behind the messages, however long these take. */
  const shown = context === null ? {} : { recalled: shownBefore(context.recalled, context.tokens) }
  const storeReply = async (): Promise<void> =>
    storeAnswer(chat, { userId, conversationId }, await storing, reply.said(), isAsked, shown)
  return {
    status: reply.status,
    headers: reply.headers,
    body: remembered(reply, async () => {
      if (reply.status < 300) await orWithout(chat, storeReply, UNSTORED, [], 'The answer is not stored yet:')
    }),
    conversationId,
    recalled: context?.recalled.length ?? 0,
    warnings,
  }
}

/** A request whose tokens are to be counted. */
export type CountInput = Pick<CompletionInput, 'body' | 'query' | 'headers' | 'signal'>

/** The vendor's token count for a request of Anthropic's interface, as the client wrote it. */
export async function countTokens(
  chat: ChatDependencies,
  { body, query = '', headers, signal = NEVER }: CountInput,
): Promise<GatewayReply> {
  readBody(body)
  const written = writeBody(body, { recalled: null, model: chat.llm?.model ?? '' })
  return gatewayOf(chat).count({ path: `${PATHS.messages}/count_tokens${query}`, headers, body: written, signal })
}

/** The vendor's models, as it lists them; the configured one where it has no list. */
export async function listModels(chat: ChatDependencies, signal: AbortSignal = NEVER): Promise<GatewayReply> {
  const own = chat.llm?.model
  const reply = await chat.llm?.gateway?.models(signal)
  if (reply !== undefined && ![404, 405, 501].includes(reply.status)) return reply
  for await (const _ of reply?.body ?? []);
  const data = own === undefined ? [] : [{ id: own, object: 'model', created: 0, owned_by: 'mneme' }]
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: once(JSON.stringify({ object: 'list', data })),
    said: () => ({ text: '', model: null, usage: null, finished: true, choices: 0 }),
  }
}

const UNSTORED = 'The answer was not stored:'
const PATHS = { completions: '/chat/completions', messages: '/messages' } as const
const NEVER = new AbortController().signal

function gatewayOf({ llm }: ChatDependencies): ModelGateway {
  if (llm?.gateway !== undefined) return llm.gateway
  const message = llm === null ? NO_MODEL : 'This model takes no requests of other programs.'
  throw new MnemeError('unsupported', `${message} What the user said is stored.`, { remedy: NO_MODEL_REMEDY })
}

function readBody(body: string): Record<string, unknown> {
  let request: unknown
  try {
    request = parseAsWritten(body)
  } catch {
    request = null
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw invalid('body', 'must be a JSON object', 'Pass one such as {"messages": […]}.')
  return request as Record<string, unknown>
}

/** The conversation of the caller, else one named by the instructions and the first words. */
function conversationOf(
  input: CompletionInput,
  { metadata, session_id }: Record<string, unknown>,
  messages: readonly ClientMessage[],
): string {
  const inMetadata =
    typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : undefined
  const named =
    check.optionalId('conversationId', input.conversationId) ??
    check.optionalId('metadata.conversation_id', inMetadata?.conversation_id) ??
    check.optionalId('session_id', session_id)
  if (named !== null) return named
  const who = inMetadata?.user_id
  // Numbers in instructions change by themselves: times, dates, counters. Anthropic's clients may name whose chat it is.
  const instructions =
    input.protocol === 'messages' && typeof who === 'string'
      ? [who]
      : messages.filter(isInstruction).map(({ text }) => text.replace(/\d+/g, '0'))
  const first = messages.find(({ role }) => role === 'user') ?? messages.find((message) => !isInstruction(message))
  return `client-${fingerprint(...instructions, first?.identity ?? '')}`
}

/** Hands the bytes on; in any case the answer is remembered before it ends here. */
async function* remembered(reply: GatewayReply, remember: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    yield* reply.body
  } finally {
    await remember()
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** The body to send; one that needs no change stays as written, to the last byte. */
export function writeBody(
  body: string,
  { recalled, model, protocol }: { recalled: string | null; model: string; protocol?: Protocol },
): string {
  // `session_id` is ours: a vendor would not know it.
  const { session_id: ours, ...request } = readBody(body)
  const isNamed = request.model !== undefined && request.model !== null && request.model !== ''
  const { messages } = request
  const adds = recalled !== null && Array.isArray(messages) && messages.length > 0
  if (isNamed && !adds && ours === undefined) return body
  const named = isNamed ? request : { ...request, model }
  if (!adds) return JSON.stringify(named)
  if (protocol !== 'messages') return JSON.stringify({ ...named, messages: withRecalled(messages, recalled) })
  // A mark for the whole request would stand behind the recalled text, and nothing would be cached for the next one.
  const { cache_control: mark, ...unmarked } = named as Record<string, unknown>
  return JSON.stringify({ ...unmarked, messages: withRecalledBehind(messages, recalled, mark) })
}

type Said = Readonly<Record<string, unknown>>

/** The messages with the recalled text behind the client's own instructions, or before all. */
function withRecalled(messages: readonly Said[], recalled: string): readonly Said[] {
  const [first, ...rest] = messages
  const isSystem = first?.role === 'system' || first?.role === 'developer'
  const content = isSystem ? appended(first.content, recalled) : null
  return content === null ? [{ role: 'system', content: recalled }, ...messages] : [{ ...first, content }, ...rest]
}

/** The client's words stay in front, so that a vendor's cache of them holds. null: there are none to add to. */
function appended(content: unknown, recalled: string): unknown {
  if (typeof content === 'string') return content === '' ? recalled : `${content}\n\n${recalled}`
  return Array.isArray(content) ? [...content, { type: 'text', text: recalled }] : null
}

/** The messages with a block at the end of the user's newest one; `mark` is the mark for the block before it. */
function withRecalledBehind(messages: readonly Said[], recalled: string, mark: unknown): readonly Said[] {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && content !== undefined)
  if (at < 0) return messages
  const { content } = messages[at]!
  const blocks: readonly Said[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const last = blocks.at(-1)
  const own =
    mark === undefined || last === undefined || 'cache_control' in last
      ? blocks
      : blocks.with(-1, { ...last, cache_control: mark })
  return messages.with(at, { ...messages[at]!, content: appended(own, recalled) })
}
