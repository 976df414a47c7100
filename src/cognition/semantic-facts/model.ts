/** SemanticWriter with a model (002 R6): the lasting facts that an episode gives away, or why it gives none. */
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { bounded, oneLine, snakeCase } from '../answers/bounded.ts'
import { quotedMemory } from '../answers/data-message.ts'
import { faultOf } from '../answers/fault.ts'
import { SEMANTIC_PROMPT } from './prompt.ts'
import { type Episode, OFTEN_USED } from './rules.ts'
import { semanticFactSchema, semanticSchema } from './schema.ts'
import type { SemanticAnswer, SemanticFact } from './types.ts'

const STEP = 'semantic_facts'
const MOST_TOKENS = 1000
const MOST_FACTS = 5
const MOST_SIMILAR = 5
const LONGEST_FACT = 400

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function semanticFactsByModel(
  episode: Episode,
  others: readonly Episode[],
  ask: AskContext,
): Promise<SemanticAnswer | null> {
  // What another person did or said is no fact about the user: nothing to ask.
  if (episode.who !== null && episode.who.toLowerCase() !== 'user') return { facts: [], refusal: 'about_other' }
  const similar = others.filter(({ id, who }) => id !== episode.id && who === episode.who).slice(0, MOST_SIMILAR)
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: SEMANTIC_PROMPT,
    data: {
      episode: quotedMemory(episode),
      used: episode.accessCount,
      similar: similar.map(quotedMemory),
    },
    schema: semanticSchema,
    maxTokens: MOST_TOKENS,
  })
  if (answer === null) return null
  const faults: string[] = []
  const facts = answer.facts.slice(0, MOST_FACTS).flatMap((given) => {
    const fact = readFact(given, episode, similar)
    if (typeof fact !== 'string') return [fact]
    faults.push(fact)
    return []
  })
  if (facts.length > 0) return { facts, refusal: null }
  if (faults.length > 0) {
    rejectAnswer(ask, STEP, faults.join('; '))
    return null
  }
  return { facts, refusal: answer.refusal ?? 'nothing_lasting' }
}

/** The fact, or what is wrong with it. */
function readFact(given: unknown, episode: Episode, similar: readonly Episode[]): SemanticFact | string {
  const read = semanticFactSchema.safeParse(given)
  if (!read.success) return 'a fact of another shape'
  const { category, key, value, confidence, ground } = read.data
  if (ground === 'often_used' && episode.accessCount <= OFTEN_USED) return 'a fact that has not been used often'
  const text = bounded(read.data.text, LONGEST_FACT)
  const fault = faultOf(text, [episode.text])
  if (fault !== null) return fault
  const [name, held] = [snakeCase(key ?? ''), oneLine(value, LONGEST_FACT)]
  const keyed = name !== '' && held !== '' && faultOf(held, [episode.text]) === null
  // A liking that was told twice was first seen in the earlier of the two.
  const sources = ground === 'habit' ? [episode, ...similar] : [episode]
  const inOrder = sources
    .filter((one) => one === episode || faultOf(text, [one.text]) === null)
    .toSorted((a, b) => a.occurredAt - b.occurredAt)
  const first = inOrder[0]!
  return {
    text,
    category,
    key: keyed ? name : null,
    value: keyed ? held : null,
    confidence: Math.min(confidence, ...inOrder.map((one) => one.confidence)),
    ground,
    metadata: { fact: text, source_chatid: first.conversationId, first_seen: new Date(first.occurredAt).toISOString() },
    sourceIds: inOrder.map(({ id }) => id),
  }
}
