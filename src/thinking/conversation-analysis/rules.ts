/** ConversationAnalyzer without a model: topic, variables and emotion for working memory, well under a millisecond a turn. */
import type { ThinkMessage } from '../../domain/thought.ts'
import { splitSentences } from '../../language/sentences.ts'
import { proseOf, withoutSecretsIn } from '../summarizer/prose.ts'
import { type Said, topicOf } from '../topic/topic.ts'
import { contextVariablesOf } from './context-variables.ts'
import { emotionOf, withoutFeelings } from './emotion.ts'
import { type ConversationAnalysis, TOPIC_CHARACTERS } from './types.ts'

export { contextVariablesOf } from './context-variables.ts'
export { emotionOf } from './emotion.ts'

/** Turns that are read, the last ones. */
const TURNS_READ = 8
/** The weight of each turn of the user before the last, against the next one; answers do not count. */
const FADING = 0.75
const CHARACTERS_READ = 600

/**
 * The topic of the conversation, the things worked with, and the user's feeling, without secrets. The `turns` come
 * oldest first.
 */
export function analyzeByRules(turns: readonly ThinkMessage[]): ConversationAnalysis {
  const recent = withoutSecretsIn(turns.slice(-TURNS_READ))
  const last = recent.findLast(({ role }) => role === 'user')
  return {
    topic: topicOf(saidIn(recent), TOPIC_CHARACTERS)?.text ?? null,
    contextVariables: contextVariablesOf(recent),
    emotion: last === undefined ? null : emotionOf(last.content),
  }
}

function saidIn(turns: readonly ThinkMessage[]): readonly Said[] {
  const own = turns.filter(({ role }) => role === 'user')
  return own.flatMap(({ content }, turn) =>
    splitSentences(withoutFeelings(proseOf(content, CHARACTERS_READ))).map((text) => ({
      text,
      turn,
      weight: FADING ** (own.length - 1 - turn),
      namesOf: () => 1,
    })),
  )
}
