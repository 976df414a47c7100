/**
 * What is worth remembering in these messages, asked of a model in one call? Each part of its answer that is missing or
 * of no use is taken from the rules instead, and all of them when the call finally failed. The log says who answered.
 */
import { shareFound } from '../../cognition/answers/grounding.ts'
import { type ExchangeInput, exchangeMessages } from '../../cognition/exchange/prompt.ts'
import { readExchangeAnswer } from '../../cognition/exchange/read-exchange-answer.ts'
import { exchangeSources } from '../../cognition/exchange/sources.ts'
import type { ExchangeAnswer, ExchangeRecord, ModelFact } from '../../cognition/exchange/types.ts'
import type { LanguageModel } from '../../contracts/language-model.ts'
import { MnemeError } from '../../domain/errors.ts'
import { MOST_IMPORTANT, STATED_CONFIDENCE } from '../../domain/limits.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Fact, ThinkMessage } from '../../domain/thought.ts'
import { type DraftParts, draftOf } from './draft.ts'
import { sourceMessages, withSources } from './source-messages.ts'
import type { Draft, ThinkInput, Thoughts } from './thoughts.ts'

/** Whom to ask, and where to say how it went. */
export interface ModelDependencies {
  readonly llm: LanguageModel
  readonly logger: Logger
}

const MOST_ANSWER_TOKENS = 2000
/** A record is the user's statement when at least this share of its telling words are the user's. */
const OWN_SHARE = 0.5
/** What was worked out from what others said. */
const INFERRED_CONFIDENCE = 0.6

/** The model's thoughts, completed by those of the rules. Rejects only when `signal` stops it. */
export async function thinkByModel(
  { llm, logger }: ModelDependencies,
  input: ThinkInput,
  byRules: Thoughts,
  signal?: AbortSignal,
): Promise<Thoughts> {
  // What may not be kept is not sent to anybody either.
  if (byRules.rejected.some(({ reason }) => reason === 'forbidden')) return byRules
  const question: ExchangeInput = {
    messages: input.messages,
    earlier: input.earlier ?? [],
    injected: input.injected ?? [],
    suspects: input.suspects ?? [],
    untitled: input.untitled ?? false,
    now: input.now,
  }
  const details = { operation: 'exchange', user: input.userId, model: llm.model }
  let text: string
  try {
    const answer = await llm.ask({
      step: 'exchange',
      userId: input.userId,
      messages: exchangeMessages(question),
      json: true,
      temperature: 0,
      maxTokens: MOST_ANSWER_TOKENS,
      ...(signal === undefined ? {} : { signal }),
    })
    text = answer.text
  } catch (error) {
    if (signal?.aborted || !(error instanceof MnemeError)) throw error
    logger.warn('The model did not answer; the rules answer instead.', { ...details, count: 0, reason: error.message })
    return byRules
  }
  const answer = readExchangeAnswer(text, question)
  const isUseless = answer.episodic === null && answer.facts === null
  if (isUseless)
    logger.error('The answer of the model is of no use; the rules answer instead.', {
      ...details,
      count: 0,
      problems: answer.problems,
    })
  else if (answer.problems.length > 0)
    logger.warn('Parts of the answer of the model were refused.', { ...details, problems: answer.problems })
  return merged(answer, byRules, input)
}

async function merged(answer: ExchangeAnswer, byRules: Thoughts, input: ThinkInput): Promise<Thoughts> {
  const ofRules = (type: 'episodic' | 'semantic'): readonly Draft[] =>
    byRules.drafts.filter(({ memory }) => memory.memoryType === type)
  const episodes = answer.episodic === null ? ofRules('episodic') : await recordDrafts(answer.episodic.records, input)
  const facts = answer.facts === null ? ofRules('semantic') : await factDrafts(answer.facts, input)
  const found = [...facts, ...episodes]
  // An order to remember is obeyed even where the model saw nothing in it.
  const ordered = found.length > 0 ? [] : byRules.drafts.filter(({ memory }) => memory.importance === MOST_IMPORTANT)
  const drafts = [...found, ...ordered]
  const { workingMemory } = answer
  return {
    answeredBy: answer.episodic === null && answer.facts === null ? 'rules' : 'model',
    drafts,
    rejected: drafts.length > 0 ? [] : declined(byRules, input),
    profile: answer.profile ?? byRules.profile,
    analysis:
      workingMemory === null || byRules.analysis === null
        ? byRules.analysis
        : {
            topic: workingMemory.topic ?? byRules.analysis.topic,
            contextVariables: { ...byRules.analysis.contextVariables, ...workingMemory.contextVariables },
            emotion: workingMemory.emotion ?? byRules.analysis.emotion,
          },
    ...(answer.title === null ? {} : { title: answer.title }),
    ...(answer.holding.length === 0 ? {} : { holding: answer.holding }),
  }
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

async function draftFrom(parts: DraftParts, said: string, input: ThinkInput): Promise<Draft> {
  const sources = sourceMessages(said, input.messages, parts.source === 'user_stated')
  return withSources(await draftOf(parts, datingMessage(sources, input), input), sources)
}

async function recordDrafts(records: readonly ExchangeRecord[], input: ThinkInput): Promise<readonly Draft[]> {
  const { userTerms } = exchangeSources({ messages: input.messages, now: input.now })
  return Promise.all(
    records.map((record) => {
      const isOwn = (shareFound(record.text, userTerms) ?? 0) >= OWN_SHARE
      return draftFrom(
        {
          text: record.text,
          memoryType: 'episodic',
          category: 'fact',
          importance: record.importance,
          source: isOwn ? 'user_stated' : 'inferred',
          confidence: isOwn ? STATED_CONFIDENCE : INFERRED_CONFIDENCE,
          facts: [],
          context: record.context,
          thing: record.thing,
          time: timeOf(record.time),
          who: record.who,
        },
        record.text,
        input,
      )
    }),
  )
}

function timeOf(time: string | null): number | null {
  const parsed = time === null ? Number.NaN : Date.parse(time)
  return Number.isNaN(parsed) ? null : parsed
}

async function factDrafts(facts: readonly ModelFact[], input: ThinkInput): Promise<readonly Draft[]> {
  return Promise.all(
    facts.map((found) => {
      const fact: Fact = { ...found, single: found.single ?? true }
      return draftFrom(
        {
          text: fact.text,
          memoryType: 'semantic',
          category: fact.category,
          importance: fact.category === 'fact' ? 0 : 1,
          source: fact.source,
          confidence: fact.confidence,
          facts: [fact],
          context: '',
          thing: '',
          time: null,
          who: fact.about,
        },
        `${fact.text} ${fact.value}`,
        input,
      )
    }),
  )
}
