/** Which statements are worth remembering, by one call of a model? The rules replace what is missing. */
import type { LanguageModel } from '../../domain/contracts/models.ts'
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { MOST_IMPORTANT } from '../../domain/limits.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Fact, ThinkMessage } from '../../domain/thought.ts'
import { forbidsKeeping, forgetOrder, isTakenBack, takesBack } from '../../language/forget-orders.ts'
import { splitSentences } from '../../language/sentences.ts'
import { exchangeMessages } from '../../thinking/exchange/exchange-prompt.ts'
import { KINDS } from '../../thinking/exchange/exchange-schema.ts'
import { comparableText, quotedPieces, standsIn } from '../../thinking/exchange/exchange-sources.ts'
import { type ExchangeAnswer, readExchangeAnswer } from '../../thinking/exchange/read-exchange-answer.ts'
import type { ExchangeStatement } from '../../thinking/exchange/read-statements.ts'
import { askForJson, shortened } from '../../thinking/model-answers/ask-model.ts'
import { plainValue } from '../../thinking/model-answers/bounded-text.ts'
import { shareFound, tellingTerms } from '../../thinking/model-answers/grounding.ts'
import { type Draft, draftOf, type ThinkInput, type Thoughts } from './draft.ts'
import { sourceMessages, withSources } from './profile-lines.ts'

const MOST_ANSWER_TOKENS = 2000
/** Characters of one message in which quotes are looked for: no more are shown. */
const LONGEST_READ = 24_000
/** The share of its telling words from which a draft of the rules is about a refused statement. */
const MEANT_SHARE = 0.3
/** The share of its telling words from which a line of the profile is said by a draft. */
const SAID_SHARE = 0.5

/** The model's thoughts, completed by those of the rules. Rejects only when `signal` stops it. */
export async function thinkByModel(
  { llm, logger }: { readonly llm: LanguageModel; readonly logger: Logger },
  given: ThinkInput,
  byRules: Thoughts,
  signal?: AbortSignal,
): Promise<Thoughts> {
  const forbidden = byRules.rejected.filter(({ reason }) => reason === 'forbidden')
  const orders = forbidden.filter(({ text }) => forgetOrder(text) !== null && !takesBack(text))
  if (forbidden.length > orders.length) return byRules
  const { earlier = [] } = given
  const sent = sendable([...earlier, ...given.messages])
  const input = {
    ...given,
    messages: sent.slice(earlier.length).flat(),
    earlier: sent.slice(0, earlier.length).flat(),
  }
  const details = { operation: 'exchange', user: input.userId, model: llm.model }
  let text: string
  try {
    const ask = { model: llm, userId: input.userId, logger, ...(signal === undefined ? {} : { signal }) }
    text = await askForJson(ask, 'exchange', exchangeMessages(input), MOST_ANSWER_TOKENS)
  } catch (error) {
    if (signal?.aborted || !(error instanceof MnemeError)) throw error
    logger.warn('The model did not answer; the rules answer instead.', { ...details, count: 0, reason: error.message })
    return byRules
  }
  const answer = readExchangeAnswer(text, input)
  const isUseless = answer.statements === null || (answer.statements.length === 0 && answer.refused.length > 0)
  const { problems } = answer
  if (isUseless)
    logger.error('The answer of the model is of no use; the rules answer instead.', { ...details, count: 0, problems })
  else if (problems.length > 0) logger.warn('Parts of the answer of the model were refused.', { ...details, problems })
  // Nothing of such a message is kept, whatever the model says; it ends only memories that the order meant.
  if (orders.length > 0) return { ...byRules, ends: partsOf(answer, byRules, input).ends ?? [] }
  const drafts = isUseless ? byRules.drafts : await draftsOf(answer, byRules.drafts, input)
  return {
    ...partsOf(answer, byRules, input),
    answeredBy: isUseless ? 'rules' : 'model',
    ...withLines(drafts, answer.profile ?? [...byRules.drafts.flatMap(({ lines = [] }) => lines), ...byRules.profile]),
    rejected: drafts.length > 0 ? [] : declined(byRules, input),
  }
}

/** The sent messages: none that may not be kept, and no answer to one, but an order to forget a known thing. */
function sendable(messages: readonly ThinkMessage[]): readonly (readonly ThinkMessage[])[] {
  let isForbidden = false
  return messages.map((message, at) => {
    if (message.role === 'user') isForbidden = forbidsKeeping(message.content) || isTakenBack(messages, at)
    if (!isForbidden) return [message]
    const orders = splitSentences(message.content).filter((sentence) => forgetOrder(sentence) !== null)
    return message.role === 'user' && orders.length > 0 ? [{ ...message, content: orders.join(' ') }] : []
  })
}

/** The parts of the answer beside its statements, each by itself. */
function partsOf(
  answer: ExchangeAnswer,
  byRules: Thoughts,
  input: ThinkInput,
): Omit<Thoughts, 'answeredBy' | 'drafts' | 'rejected' | 'profile'> {
  const { workingMemory, title, confirms, ends, doubts } = answer
  const saidAt = datingMessage(input.messages, input).createdAt
  const analysis =
    byRules.analysis === null || workingMemory === null
      ? byRules.analysis
      : {
          topic: workingMemory.topic ?? byRules.analysis.topic,
          contextVariables: { ...byRules.analysis.contextVariables, ...workingMemory.contextVariables },
          // An answer alone does not show the user's feeling.
          emotion: byRules.analysis.emotion === null ? null : (workingMemory.emotion ?? byRules.analysis.emotion),
        }
  return {
    analysis,
    ...(title === null ? {} : { title }),
    ...(confirms.length === 0 ? {} : { holding: confirms }),
    ...(ends.length === 0 ? {} : { ends: ends.map((end) => ({ ...end, at: end.at ?? saidAt })) }),
    ...(doubts.length === 0 ? {} : { doubts }),
  }
}

/** Each line with the draft that holds most of its words; a line that none holds by half stays by itself. */
function withLines(drafts: readonly Draft[], lines: readonly NewProfileLine[]): Pick<Thoughts, 'drafts' | 'profile'> {
  const words = drafts.map(({ memory }) => tellingTerms(memory.text))
  const saidIn = lines.map(({ text, telling }) => {
    const shares = telling === undefined ? words.map((terms) => shareFound(text, terms) ?? 0) : []
    const best = Math.max(0, ...shares)
    return best >= SAID_SHARE ? shares.indexOf(best) : -1
  })
  return {
    drafts: drafts.map((draft, at) => ({ ...draft, lines: lines.filter((_, line) => saidIn[line] === at) })),
    profile: lines.filter((_, line) => saidIn[line] === -1),
  }
}

/** The statements, the rules' drafts for refused ones, and the ordered memories. */
async function draftsOf(
  { statements, refused, isCut, workingMemory }: ExchangeAnswer,
  byRules: readonly Draft[],
  input: ThinkInput,
): Promise<readonly Draft[]> {
  const told = statements ?? []
  const meant = refused.map((words) => {
    const shares = byRules.map(({ memory }) => shareFound(words, tellingTerms(memory.text)) ?? 0)
    const best = Math.max(0, ...shares)
    return best >= MEANT_SHARE ? byRules[shares.indexOf(best)] : undefined
  })
  const isTold = ({ memory: { text } }: Draft, { quote }: ExchangeStatement): boolean =>
    standsIn(quote, comparableText(text)) || standsIn(text, comparableText(quote))
  const left = byRules.filter((draft) => !told.some((statement) => isTold(draft, statement)))
  // An order to remember is obeyed even where the model saw nothing in it.
  const ofRules = left.filter((draft) => isCut || meant.includes(draft) || draft.memory.importance === MOST_IMPORTANT)
  const context = workingMemory?.topic ?? ''
  const words = input.messages.map(({ content }) => comparableText(shortened(content, LONGEST_READ)))
  const drafts = told.map((statement) => {
    const isOwn = statement.source === 'user_stated'
    const quoted = input.messages.filter(
      ({ role }, at) =>
        (!isOwn || role === 'user') && quotedPieces(statement.quote).some((piece) => words[at]!.includes(piece)),
    )
    return draftFrom(statement, quoted, context, input)
  })
  return [...(await Promise.all(drafts)), ...ofRules]
}

/** Every message of the user's, with the ground that the rules had, or that the model declined. */
function declined(byRules: Thoughts, { messages }: ThinkInput): Thoughts['rejected'] {
  const grounds = new Map(byRules.rejected.map(({ text, reason }) => [text, reason]))
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => ({ text: content, reason: grounds.get(content) ?? 'model_declined' }))
}

/** A draft is dated by the last message of the user's among its sources, or else of all. */
function datingMessage(sources: readonly ThinkMessage[], { messages }: ThinkInput): ThinkMessage {
  const isUser = ({ role }: ThinkMessage): boolean => role === 'user'
  return sources.findLast(isUser) ?? messages.findLast(isUser) ?? messages.at(-1)!
}

/** Kinds that were, or will be, once; for the others `to` is when they cease to hold. */
const HAPPENS: ReadonlySet<ExchangeStatement['kind']> = new Set(['event', 'plan', 'decision', 'problem_solved'])

/** `quoted`: the messages that hold its quote. */
async function draftFrom(
  statement: ExchangeStatement,
  quoted: readonly ThinkMessage[],
  context: string,
  input: ThinkInput,
): Promise<Draft> {
  const { text, about, scope, kind, attribute, value, from, to, source, confidence, importance } = statement
  const { memoryType, category } = KINDS[kind]
  const words = plainValue(value)
  const sources =
    quoted.length > 0 ? quoted : sourceMessages(`${text} ${words}`, input.messages, source === 'user_stated')
  const dating = datingMessage(sources, input)
  const { createdAt } = dating
  const told = { text, category, source, confidence }
  const standing = to !== null && to < createdAt ? 'held' : 'holds'
  const fact: Fact = { ...told, key: attribute ?? '', value: words, about, standing, single: false }
  const facts = attribute === null || value === null ? [] : [fact]
  const time = from ?? Math.min(createdAt, to ?? createdAt)
  const parts = {
    ...told,
    memoryType,
    importance,
    facts,
    context,
    thing: '',
    time,
    // A friend's words about the user belong to the user, not to the friend.
    who: about === 'user' ? (input.messages.find(({ role }) => role === 'user')?.speaker ?? 'user') : about,
  }
  const { memory } = withSources(await draftOf(parts, dating, input), sources)
  const until = to === null ? null : Math.max(to, memory.validFrom)
  return {
    facts,
    replaces: statement.replaces,
    ...(scope === null ? {} : { scope }),
    memory: {
      ...memory,
      key: attribute,
      value,
      validTo: HAPPENS.has(kind) ? null : until,
      metadata: {
        ...memory.metadata,
        ...(until === null ? {} : { until: new Date(until).toISOString() }),
      },
    },
  }
}
