/** One message of a chat: stored first, then recalled for and answered. A failing model loses no stored word. */
import { check, givenAs, type InputOf } from '../../domain/checks.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { LanguageModel, ModelAnswer, ModelUsage } from '../../domain/contracts/models.ts'
import { MnemeError, messageOf, reasonOf } from '../../domain/errors.ts'
import { conversationName } from '../../domain/ids.ts'
import type { Logger } from '../../domain/logger.ts'
import { inTurns, within } from '../../domain/scheduling.ts'
import { tokenCounter } from '../../language/count-tokens.ts'
import type { BuiltContext, ContextMessage, RecalledItem } from '../../search/context/context-layers.ts'
import type { StoredTurn, StoreInput } from '../conversations.ts'
import { projectOfConversation } from '../matching/filter.ts'
import { type ContextInput, DEFAULT_TOKEN_BUDGET } from '../message-context.ts'

const FIELDS = {
  userId: check.id,
  /** Default: a new conversation. */
  conversationId: check.optionalId,
  /** The project that the conversation belongs to, within which is recalled. Default: its own. */
  projectRoot: check.optionalId,
  /** true: recalled texts say why they were chosen. Default false. */
  explain: givenAs<boolean | undefined>(),
  /** Aborted: the model is stopped, and its answer so far is stored as cut. */
  signal: givenAs<AbortSignal | undefined>(),
}
/** The input of a message besides its text. */
export type ChatInput = InputOf<typeof FIELDS, 'userId'>

/** The first event: the message is stored, and this is the model's context besides it. */
export interface RecalledEvent {
  readonly kind: 'recalled'
  readonly conversationId: string
  /** Number of the stored message; null when it could not be stored. */
  readonly turnId: number | null
  readonly recalled: readonly RecalledItem[]
  readonly messages: readonly ContextMessage[]
  readonly tokens: number
  readonly warnings: readonly string[]
}

/** The last event, when all went well. */
export interface DoneEvent {
  readonly kind: 'done'
  readonly conversationId: string
  readonly userTurnId: number | null
  /** null without a model, and when the answer could not be stored. */
  readonly assistantTurnId: number | null
  /** null without a model. */
  readonly answer: string | null
  readonly model: string | null
  readonly usage: ModelUsage | null
  /** The messages that a model would have been shown; only without a model. */
  readonly wouldHaveShown: readonly ContextMessage[] | null
  readonly warnings: readonly string[]
}

/** The last event, when the model failed. The message is stored, and the words so far, marked as cut. */
export interface ErrorEvent {
  readonly kind: 'error'
  readonly conversationId: string
  readonly userTurnId: number | null
  readonly assistantTurnId: number | null
  readonly error: unknown
  readonly warnings: readonly string[]
}

/** The events of a chat, in order: `recalled`, any number of `delta`, then `done` or `error`. */
export type ChatEvent = RecalledEvent | { readonly kind: 'delta'; readonly text: string } | DoneEvent | ErrorEvent

/** Answers a message. Throws `invalid` before anything is stored; a model's failure is an event. */
export async function* chat(
  dependencies: ChatDependencies,
  message: string,
  input: ChatInput,
): AsyncGenerator<ChatEvent, void> {
  const { llm, clock, maxContentBytes } = dependencies
  const { userId, projectRoot: named, signal, explain, ...given } = check.fields('', input, FIELDS)
  check.content('message', message, maxContentBytes)
  const conversationId = given.conversationId ?? conversationName(clock().getTime())
  const warnings: string[] = []
  const asked = { userId, conversationId, projectRoot: named, content: message }
  const userTurnId = await orWithout(
    dependencies,
    () => storeQuestion(dependencies, asked),
    'The message was not stored:',
    warnings,
  )
  const built = await orWithout(
    dependencies,
    async () => {
      const projectRoot = named ?? (await projectOfConversation(dependencies.log, userId, conversationId))
      const tokenBudget = await tokenBudgetFor(message)
      return dependencies.context(message, { userId, conversationId, projectRoot, tokenBudget, explain })
    },
    'Nothing was recalled:',
    warnings,
  )
  if (built !== null) warnings.push(...built.warnings)
  const { messages, recalled, tokens } = built ?? {
    messages: [{ role: 'user' as const, content: message }],
    recalled: [],
    tokens: 0,
  }
  yield { kind: 'recalled', conversationId, turnId: userTurnId, recalled, messages, tokens, warnings: [...warnings] }
  const common = { conversationId, userTurnId }
  if (llm === null) {
    const told = [...warnings, `${NO_MODEL} This is what it would have been shown. ${NO_MODEL_REMEDY}`]
    const nothing = { assistantTurnId: null, answer: null, model: null, usage: null }
    yield { kind: 'done', ...common, ...nothing, wouldHaveShown: messages, warnings: told }
    return
  }
  let said = ''
  let answer: ModelAnswer | undefined
  let failure: unknown
  let assistantTurnId: number | null = null
  try {
    const request = { step: 'chat', userId, messages: messages, ...(signal === undefined ? {} : { signal }) }
    for await (const piece of llm.stream(request)) {
      said += piece.text
      if (piece.text !== '') yield { kind: 'delta', text: piece.text }
      answer = piece.answer ?? answer
    }
  } catch (error) {
    failure = error
  } finally {
    // Also when the listener goes away in the middle.
    const cut = answer === undefined ? { cut: true } : {}
    const metadata = { model: answer?.model ?? llm.model, ...cut, recalled: shownBefore(recalled, tokens) }
    const turn = { ...asked, content: said, metadata }
    if (said.trim() !== '')
      assistantTurnId = await orWithout(
        dependencies,
        () => storeAnswer(dependencies, turn, userTurnId),
        'The answer was not stored:',
        warnings,
      )
  }
  const endless = new MnemeError('model_failed', `The model ${llm.model} stopped without an end.`, {
    remedy: 'Ask again.',
  })
  if (answer === undefined) yield { kind: 'error', ...common, assistantTurnId, error: failure ?? endless, warnings }
  else {
    const { model, usage } = answer
    yield { kind: 'done', ...common, assistantTurnId, answer: said, model, usage, wouldHaveShown: null, warnings }
  }
}

/** Recalled items that an answer names. */
const MOST_NAMED = 100
const MOST_REASONS = 6

/** Which evidence a model was shown, without its words: those go when their source is erased. */
export function shownBefore(recalled: readonly RecalledItem[], tokens: number) {
  return {
    tokens,
    items: recalled.slice(0, MOST_NAMED).map(({ kind, id, conversationId, turnId, tells, tokens, explanation }) => ({
      ...{ kind, id, conversation_id: conversationId, turn_id: turnId, tells, tokens },
      why: (explanation?.features ?? [])
        .toSorted((a, b) => b.contribution - a.contribution)
        .slice(0, MOST_REASONS)
        .map(({ feature, contribution }) => [feature, Math.round(contribution * 100) / 100] as const),
    })),
  }
}

interface Saying {
  readonly userId: string
  readonly conversationId: string
  readonly projectRoot?: string | null
  readonly content: string
  readonly metadata?: { readonly [name: string]: unknown }
}

/** Answers behind which a message is looked for: those that broke off, or were asked for at the same time. */
const MOST_ANSWERS = 100

/** The number of the message. It is stored unless it is said again because the newest one was not answered, or not to the end. */
async function storeQuestion(
  { log, store }: ChatDependencies,
  { userId, conversationId, projectRoot, content }: Saying,
): Promise<number | null> {
  const to = (await log.conversation(userId, conversationId))?.lastTurnId ?? 0
  const turns = to === 0 ? [] : await log.turns(userId, conversationId, { from: Math.max(1, to - MOST_ANSWERS), to })
  const newest = turns.findLast(({ role, metadata }) => role !== 'assistant' || metadata?.cut !== true)
  if (newest?.role === 'user' && newest.content === content) return newest.turnId
  const [stored] = await store({ userId, conversationId, projectRoot, turns: [{ role: 'user', content }] })
  return stored?.turnId ?? null
}

/** Stores the answer, in the place of an earlier or begun one, unless the question was deleted meanwhile. */
function storeAnswer(
  { log, store }: ChatDependencies,
  { userId, conversationId, content, metadata }: Saying,
  question: number | null,
): Promise<number | null> {
  return inConversation({ log }, { userId, conversationId }, async () => {
    const turns =
      question === null ? [] : await log.turns(userId, conversationId, { from: question, to: question + MOST_ANSWERS })
    if (question !== null && turns[0]?.turnId !== question) return null
    const next = turns.findIndex(({ role }, at) => at > 0 && role === 'user')
    const replaced = turns.slice(1, next < 0 ? undefined : next).findLast(({ role }) => role === 'assistant')
    const about = replaced === undefined ? metadata : { ...metadata, replaces_turn: replaced.turnId }
    const [stored] = await store({ userId, conversationId, turns: [{ role: 'assistant', content, metadata: about }] })
    return stored?.turnId ?? null
  })
}

/** The dependencies of a chat, and its way on when the memory fails. */
export interface ChatDependencies {
  readonly log: ConversationLog
  /** null: none is configured. */
  readonly llm: LanguageModel | null
  readonly clock: Clock
  readonly logger: Logger
  readonly maxContentBytes: number
  readonly store: (input: StoreInput) => Promise<readonly StoredTurn[]>
  readonly context: (message: string, input: ContextInput) => Promise<BuiltContext>
  /** Milliseconds that a chat waits for its memory. Default 10,000. */
  readonly patienceMs?: number
}

/** The message of a chat that needs a model and has none. */
export const NO_MODEL = 'No model is configured.'
export const NO_MODEL_REMEDY =
  'Open the memory with `llm`, or set MNEME_LLM_BASE_URL, MNEME_LLM_MODEL and MNEME_LLM_API_KEY.'

/** A chat does not wait longer for its memory; a model of meaning that does not answer is given up before. */
const PATIENCE_MS = 10_000

/** The value of `work`; when it fails or takes too long, null and a warning that names what is `missing`. */
export async function orWithout<T>(
  { logger, patienceMs = PATIENCE_MS }: ChatDependencies,
  work: () => Promise<T>,
  missing: string,
  warnings: string[],
  late = missing,
): Promise<T | null> {
  const tooLate = new MnemeError('aborted', `nothing came within ${patienceMs} ms`, { remedy: 'Ask again.' })
  try {
    const done = await within(
      work().then((value) => ({ value })),
      patienceMs,
    )
    if (done === null) throw tooLate
    return done.value
  } catch (error) {
    const said = error === tooLate ? late : missing
    const reason = messageOf(error)
    logger.error('A chat goes on without a part of its memory.', { operation: 'chat', missing: said, reason })
    warnings.push(`${said} ${reasonOf(error)}`)
    return null
  }
}

const SHORT = 2000

/** Tokens for the context of the message, itself included. */
export async function tokenBudgetFor(message: string): Promise<number> {
  if (message.length <= SHORT) return DEFAULT_TOKEN_BUDGET
  return DEFAULT_TOKEN_BUDGET + (await tokenCounter())(message)
}

const inTurn = inTurns()

/** Does the work after that of other chats in one conversation; resolves, or rejects, as the work does. */
export function inConversation<T>(
  { log }: Pick<ChatDependencies, 'log'>,
  { userId, conversationId }: { readonly userId: string; readonly conversationId: string },
  work: () => Promise<T>,
): Promise<T> {
  return inTurn(log, JSON.stringify([userId, conversationId]), work)
}
