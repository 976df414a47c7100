/** EpisodicMerger with a model (002 R5.2, R9.2): whether two records tell of one event, and the words of the one record. */
import { z } from 'zod'
import type { Memory } from '../../domain/memory.ts'
import { type AskContext, askForAnswer, quotedMemory } from '../model-answers/ask-model.ts'
import { type RewrittenWords, rewrittenWords, wordsSchema } from '../model-answers/rewritten-words.ts'

/** The model's answer: one event and its words, or two. */
export type ModelMerge = { readonly sameEvent: true; readonly words: RewrittenWords } | { readonly sameEvent: false }

const RULES = `DATA holds two memories, \`first\` and \`second\`, that may tell of one and the same event.
Decide whether they do: the same happening on the same occasion, not merely the same subject. A ride to work on Monday and another on Tuesday are two events; the plan of a trip and its booking are one.
If they do, write one record that keeps every statement of both, each once, in the order of time. Where they differ, keep both and say which is later.
{"same_event": true or false, "text": "the merged record", "context": "the setting, a few words", "thing": "what happened, a few words"}
When same_event is false, text, context and thing are "".`

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export function mergeByModel(a: Memory, b: Memory, ask: AskContext): Promise<ModelMerge | null> {
  return askForAnswer(ask, {
    step: 'merge',
    rules: RULES,
    data: { first: quotedMemory(a), second: quotedMemory(b) },
    schema: wordsSchema.extend({ same_event: z.boolean() }),
    maxTokens: 1500,
    read: (answer): ModelMerge | string => {
      if (!answer.same_event) return { sameEvent: false }
      const words = rewrittenWords(answer, [a.text, b.text])
      return typeof words === 'string' ? words : { sameEvent: true, words }
    },
  })
}
