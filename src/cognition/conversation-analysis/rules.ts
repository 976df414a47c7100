/** ConversationAnalyzer without a model: topic, variables and emotion for working memory, well under a millisecond a turn. */
import type { ThinkMessage } from '../../domain/thought.ts'
import { withoutSecrets } from '../../text/secrets/mask-secrets.ts'
import { contextVariablesOf } from './context-variables.ts'
import { emotionOf } from './emotion.ts'
import { topicOf } from './topic.ts'
import type { ConversationAnalysis } from './types.ts'

export { contextVariablesOf } from './context-variables.ts'
export { emotionOf } from './emotion.ts'
export { topicOf } from './topic.ts'

/** Turns that are read, the last ones. */
const TURNS_READ = 8

/**
 * What the conversation is about, what is worked with, and how the user feels; no secret is any of it. `turns`: oldest
 * first.
 */
export function analyzeByRules(turns: readonly ThinkMessage[]): ConversationAnalysis {
  const recent = turns.slice(-TURNS_READ).map((turn) => ({ ...turn, content: withoutSecrets(turn.content) }))
  const last = recent.findLast(({ role }) => role === 'user')
  return {
    topic: topicOf(recent),
    contextVariables: contextVariablesOf(recent),
    emotion: last === undefined ? 'neutral' : emotionOf(last.content),
  }
}
