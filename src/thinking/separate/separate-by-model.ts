/** EpisodicSeparator with a model (002 R5.3, R5.5): two similar records of different events, reworded. */
import { z } from 'zod'
import { withoutLabel } from '../merge/episode-metadata.ts'
import { type AskContext, askForAnswer, quotedMemory } from '../model-answers/ask-model.ts'
import { shareFound, tellingTerms } from '../model-answers/grounding.ts'
import { type RewrittenWords, rewrittenWords, wordsSchema } from '../model-answers/rewritten-words.ts'
import type { Separation, SeparationSide } from './separate-by-rules.ts'

const RULES = `DATA holds two memories, \`first\` and \`second\`, of two different events that sound alike and could be mixed up.
Rewrite each so that it can be told from the other by itself: put in front what is its own - day, place, person, object, outcome. Every statement of a record stays in that record; nothing passes from one to the other.
{"first": {"text": "", "context": "the setting, a few words", "thing": "what happened, a few words"}, "second": {"text": "", "context": "", "thing": ""}}`
/** Share of a record's words that may by chance be words which only the other record has. */
const MOST_FOREIGN = 0.15

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export function separateByModel(a: SeparationSide, b: SeparationSide, ask: AskContext): Promise<Separation | null> {
  const [one, other] = [a, b].map((side) => ({ ...side, text: withoutLabel(side) })) as [SeparationSide, SeparationSide]
  return askForAnswer(ask, {
    step: 'separate',
    rules: RULES,
    data: { first: quotedMemory(one), second: quotedMemory(other) },
    schema: z.object({ first: wordsSchema, second: wordsSchema }),
    maxTokens: 2000,
    read: (answer): Separation | string => {
      const [first, second] = [wordsOf(answer.first, one, other), wordsOf(answer.second, other, one)]
      if (typeof first === 'string') return first
      if (typeof second === 'string') return second
      return first.text === second.text ? 'two records that are still the same' : { first, second }
    },
  })
}

/** A side draws on its own record and its time; words of the other record alone must not turn up in it. */
function wordsOf(
  given: z.infer<typeof wordsSchema>,
  own: SeparationSide,
  other: SeparationSide,
): RewrittenWords | string {
  const at = new Date(own.occurredAt)
  const days = ['en', 'zh'].map((locale) => at.toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' }))
  const when = `${own.who ?? ''} ${at.toISOString()} ${days.join(' ')}`
  const words = rewrittenWords(given, [own.text], [when])
  if (typeof words === 'string') return words
  const ownTerms = tellingTerms(`${own.text}\n${when}`)
  const foreign = [...tellingTerms(other.text)].filter((term) => !ownTerms.has(term))
  const share = shareFound(words.text, new Set(foreign)) ?? 0
  return share > MOST_FOREIGN ? 'statements of the other record' : words
}
