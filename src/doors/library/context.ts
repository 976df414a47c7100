/** Context for a model: `memory.context`, `memory.recall`, and `memory.chat` with a model that remembers. */
import { isoTime, isoTimeOrNull } from '../../domain/clock.ts'
import type { GatewayReply } from '../../domain/contracts/models.ts'
import { MnemeError } from '../../domain/errors.ts'
import { lazy } from '../../domain/scheduling.ts'
import { asksOrOrders } from '../../language/questions.ts'
import type { Briefing, BriefingInput } from '../../usecases/briefing.ts'
import type { ChatEvent, ChatInput } from '../../usecases/chat/chat.ts'
import type { CompletionInput, CompletionReply, CountInput } from '../../usecases/chat/complete-chat.ts'
import { runningAnswers } from '../../usecases/chat/running-answers.ts'
import type { BuiltContext, ContextInput } from '../../usecases/message-context.ts'
import type { RecallEvidenceInput, RecalledEvidence } from '../../usecases/recall.ts'
import { type Binding, type MemoryView, rendered, type WithUser } from './binding.ts'

export interface Contexts {
  /** Builds layers [0] system … [5] rolling window within `tokenBudget`. Included memories count as accessed unless `count` is false. */
  build(message: string, input?: Omit<ContextInput, 'userId'> & WithUser): Promise<BuiltContext>
  /** A briefing for a new session, '' when nothing is known: the profile, rules and wishes and, for a project, its memories and last sessions. */
  briefing(input?: Omit<BriefingInput, 'userId'> & WithUser): Promise<Briefing>
}

type Item = RecalledEvidence['results'][number]

/** Fields of a piece that is a memory. */
type OfMemory = Partial<
  Pick<MemoryView, 'id' | 'validFrom' | 'validTo' | 'supersededBy' | 'suspect' | 'confidence' | 'sourceTurnIds'>
>

/** One piece of evidence: a turn, or a memory with its validity. */
export interface EvidenceView extends Omit<Item, 'memory' | 'told' | 'createdAt' | 'explanation'>, OfMemory {
  readonly createdAt: string
  /** Ids of memories whose whole text is in this turn; absent where there are none. */
  readonly tells?: readonly string[]
  readonly explanation?: NonNullable<Item['explanation']>
}

export interface EvidenceAnswer {
  readonly results: readonly EvidenceView[]
  /** Tokens of all results together, as lines of a context. */
  readonly tokens: number
  readonly latencyMs: number
  readonly warnings: readonly string[]
}

export type RecallEvidence = (
  message: string,
  input?: Omit<RecallEvidenceInput, 'userId'> & WithUser,
) => Promise<EvidenceAnswer>

/** The answer to a message, with everything about it. */
export type ChatAnswer = Omit<Extract<ChatEvent, { readonly kind: 'done' }>, 'kind'> &
  Pick<Extract<ChatEvent, { readonly kind: 'recalled' }>, 'recalled' | 'tokens'>

/** Operations of a chat with a model that remembers. */
export interface Chats {
  /**
   * Stores the message, recalls, asks the model and stores its answer; ending the iteration or aborting the signal stops
   * the model. With `goOn` neither does, once the message is stored.
   */
  stream(
    message: string,
    input?: Omit<ChatInput, 'userId'> & WithUser & { readonly goOn?: boolean | undefined },
  ): AsyncGenerator<ChatEvent, void>
  /** The events of an answer that goes on, from its beginning; none where there is no such answer. */
  follow(conversationId: string, input?: WithUser): AsyncGenerator<ChatEvent, void>
  /** Stops an answer that goes on; false where there is none. The words of the model by then are stored. */
  stop(conversationId: string, input?: WithUser): Promise<boolean>
  /** As `stream`, with one whole answer. Rejects with the model's error; the message is stored by then. */
  send(message: string, input?: Omit<ChatInput, 'userId'> & WithUser): Promise<ChatAnswer>
  /** Forwards a request of OpenAI's or Anthropic's API to the vendor, with recalled context, and stores the exchange. */
  complete(input: Omit<CompletionInput, 'userId'> & WithUser): Promise<CompletionReply>
  /** The vendor's count of the tokens of a request of Anthropic's interface. */
  countTokens(input: CountInput): Promise<GatewayReply>
  /** The vendor's list of models; the configured one where it has none. */
  models(signal?: AbortSignal): Promise<GatewayReply>
}

const recalling = lazy(() => import('../../usecases/recall.ts'))
const buildingContext = lazy(() => import('../../usecases/message-context.ts'))
// Loaded once: finding a cached module still takes the loader a moment.
const chatting = lazy(() => import('../../usecases/chat/chat.ts'))
const completing = lazy(() => import('../../usecases/chat/complete-chat.ts'))

export function contexts({ core, user }: Binding): {
  readonly context: Contexts
  readonly recall: RecallEvidence
  readonly chat: Chats
  readonly stopAnswers: () => Promise<void>
} {
  const { store, options, open, activity, models } = core
  const { clock, logger, maxContentBytes } = options
  const build = async (message: string, input: ContextInput): Promise<BuiltContext> => {
    const { contextFor } = await buildingContext()
    const started = performance.now()
    const built = await contextFor(core, message, input)
    // A preview does not count, and who only tells something waits for nothing to be found.
    const question = asksOrOrders(message) ? message : ''
    if (input.count !== false)
      activity.recalled(input.userId, question, built.recalled.length, performance.now() - started)
    core.done('context', input.userId, built.recalled.length, 'debug')
    return built
  }
  const chatDependencies = {
    log: store.log,
    llm: models.llm,
    clock,
    logger,
    maxContentBytes,
    store: core.storeAndRoll,
    context: build,
  }
  const openChat = open(chatting)
  const openCompletions = open(completing)
  const running = runningAnswers()
  const stream: Chats['stream'] = async function* (message, { goOn = false, ...input } = {}) {
    const { chat } = await openChat()
    const userId = user(input)
    const begin = (signal = input.signal) => chat(chatDependencies, message, { ...input, userId, signal })
    yield* goOn ? running.begin(userId, begin, input.signal) : begin()
  }
  return {
    context: {
      build: open(async (message, input) => build(message, { ...input, userId: user(input) })),
      briefing: open(async (input) => {
        const { briefingFor } = await import('../../usecases/briefing.ts')
        return briefingFor(core, { ...input, userId: user(input) })
      }),
    },
    recall: open(async (message, input) => {
      const userId = user(input)
      const { recallEvidence } = await recalling()
      const answer = await recallEvidence(core, message, { ...input, userId })
      // A call that asks for reasons only looks on, as the page does.
      if (input?.explain !== true) activity.recalled(userId, message, answer.results.length, answer.latencyMs)
      core.done('recall', userId, answer.results.length, 'debug')
      return { ...answer, results: answer.results.map(evidenceView) }
    }),
    stopAnswers: running.close,
    chat: {
      stream,
      follow: (conversationId, input) => running.follow({ userId: user(input), conversationId }),
      stop: open(async (conversationId, input) => running.stop({ userId: user(input), conversationId })),
      send: async (message, input) => {
        let seen = { recalled: [], tokens: 0 } as Pick<ChatAnswer, 'recalled' | 'tokens'>
        for await (const event of stream(message, input)) {
          if (event.kind === 'recalled') seen = { recalled: event.recalled, tokens: event.tokens }
          if (event.kind === 'error') throw event.error
          if (event.kind === 'done') {
            const { kind: _, ...answer } = event
            return { ...answer, ...seen }
          }
        }
        throw new MnemeError('aborted', 'The chat ended without an answer.', { remedy: 'Send the message again.' })
      },
      complete: async (input) =>
        (await openCompletions()).completeChat(chatDependencies, { ...input, userId: user(input) }),
      countTokens: async (input) => (await openCompletions()).countTokens(chatDependencies, input),
      models: async (signal) => (await openCompletions()).listModels(chatDependencies, signal),
    },
  }
}

function evidenceView({ memory, told, explanation, createdAt, ...item }: Item): EvidenceView {
  return {
    ...item,
    createdAt: isoTime(createdAt),
    ...(told.length === 0 ? {} : { tells: told.map(({ id }) => id) }),
    ...(memory === null
      ? {}
      : {
          id: memory.id,
          validFrom: isoTime(memory.validFrom),
          validTo: isoTimeOrNull(memory.validTo),
          supersededBy: memory.supersededBy,
          suspect: memory.suspect === null ? null : rendered(memory.suspect, 'since'),
          confidence: memory.confidence,
          sourceTurnIds: memory.sourceTurnIds,
        }),
    ...(explanation === null ? {} : { explanation }),
  }
}
