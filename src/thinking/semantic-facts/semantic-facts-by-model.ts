/** SemanticWriter with a model (002 R6): the lasting facts of an episode, or the reason for none. */
import { z } from 'zod'
import { CATEGORIES } from '../../domain/memory.ts'
import { type AskContext, askForAnswer, quotedMemory } from '../model-answers/ask-model.ts'
import { boundedLine, boundedText, snakeCase } from '../model-answers/bounded-text.ts'
import { faultOf } from '../model-answers/rewritten-words.ts'
import { SEMANTIC_REFUSALS, type SemanticAnswer, type SemanticFact } from './semantic-fact.ts'
import { type Episode, OFTEN_USED, sourcedFact } from './semantic-facts-by-rules.ts'

const RULES = `DATA holds one memory of an event, \`episode\`, how often it has been used since, and \`similar\`: other memories of the user that speak of the like.
Which stable facts about the user does the episode give away, of use for years rather than days?
Take: who they are - major, job, employer, place, field of research, family, health ("identity"); lasting interests, repeated preferences, habits ("habit"; a liking that is told once counts only when \`similar\` tells it of another day); what was ordered to be remembered ("ordered"); what has been used more than ten times and describes the user lastingly ("often_used").
Refuse: passing states ("temporary_state"), plans for the near future ("short_term_plan"), wishes for the style of answers ("style_preference"), guesses and maybes ("speculation"), what is true of another person only ("about_other"), everything else ("nothing_lasting").
{"facts": [{"text": "one sentence", "category": "preference|fact|pattern", "key": "English snake_case, or null", "value": "a few words, or null", "confidence": 0.9, "ground": "identity|habit|often_used|ordered"}], "refusal": null or the main reason why there are none}`

const schema = z.object({ facts: z.array(z.unknown()), refusal: z.enum(SEMANTIC_REFUSALS).nullish().catch(null) })
/** Each fact is checked by itself. */
const factSchema = z.object({
  text: z.string(),
  category: z.enum(CATEGORIES),
  key: z.string().nullish().catch(null),
  value: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  confidence: z.coerce.number().min(0).max(1).catch(0.7),
  ground: z.enum(['identity', 'habit', 'often_used', 'ordered']),
})
const MOST_FACTS = 5
const MOST_SIMILAR = 5
const LONGEST_FACT = 400

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function semanticFactsByModel(
  episode: Episode,
  others: readonly Episode[],
  ask: AskContext,
): Promise<SemanticAnswer | null> {
  // Another person's acts and words are no fact about the user: nothing to ask.
  if (episode.who !== null && episode.who.toLowerCase() !== 'user') return { facts: [], refusal: 'about_other' }
  const similar = others.filter(({ id, who }) => id !== episode.id && who === episode.who).slice(0, MOST_SIMILAR)
  return askForAnswer(ask, {
    step: 'semantic_facts',
    rules: RULES,
    data: { episode: quotedMemory(episode), used: episode.accessCount, similar: similar.map(quotedMemory) },
    schema,
    maxTokens: 1000,
    read: (answer): SemanticAnswer | string => {
      const read = answer.facts.slice(0, MOST_FACTS).map((given) => readFact(given, episode, similar))
      const facts = read.filter((fact) => typeof fact !== 'string')
      if (facts.length > 0) return { facts, refusal: null }
      return read.join('; ') || { facts, refusal: answer.refusal ?? 'nothing_lasting' }
    },
  })
}

/** The fact, or its fault. */
function readFact(given: unknown, episode: Episode, similar: readonly Episode[]): SemanticFact | string {
  const read = factSchema.safeParse(given)
  if (!read.success) return 'a fact of another shape'
  const { category, key, value, confidence, ground } = read.data
  if (ground === 'often_used' && episode.accessCount <= OFTEN_USED) return 'a fact that has not been used often'
  const text = boundedText(read.data.text, LONGEST_FACT)
  const fault = faultOf(text, [episode.text])
  if (fault !== null) return fault
  const [name, held] = [snakeCase(key ?? ''), boundedLine(value, LONGEST_FACT)]
  const isKeyed = name !== '' && held !== '' && faultOf(held, [episode.text]) === null
  // A liking that was told twice was first seen in the earlier of the two.
  const telling = ground === 'habit' ? similar.filter((one) => faultOf(text, [one.text]) === null) : []
  const told = { text, category, key: isKeyed ? name : null, value: isKeyed ? held : null, confidence, ground }
  return sourcedFact(told, [episode, ...telling])
}
