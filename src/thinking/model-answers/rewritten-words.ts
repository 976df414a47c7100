/** May a model's words replace stored ones? They must come from these and keep their content. */
import { z } from 'zod'
import { splitSentences } from '../../language/sentences.ts'
import { boundedLine } from './bounded-text.ts'
import { holdsUnsaidDetail, inSameScript, saidDetails, shareFound, steersAssistant, tellingTerms } from './grounding.ts'

/** The words of a record that a model wrote anew; everything else of it is computed. */
export interface RewrittenWords {
  /** In the user's language. */
  readonly text: string
  /** The setting; '' when none is told. */
  readonly context: string
  /** The event in a few words; '' when it is not told. */
  readonly thing: string
}

const optional = z.string().nullish().catch(null)

/** The shape in which a model gives them. */
export const wordsSchema = z.object({ text: optional, context: optional, thing: optional })

/** The share of its words from which a rewritten text comes from its sources. */
const FROM_SOURCES = 0.5
/** As `FROM_SOURCES`, for each of its sentences by itself. */
const SENTENCE_FROM_SOURCES = 0.3
/** A rewritten text keeps at least this share of the words of each text that it takes the place of. */
const KEPT_OF_EACH = 0.5
const LONGEST_TEXT = 4000
const LONGEST_FIELD = 300

/** The words, or their fault: they keep the content of each of `kept`, and may draw from `besides` too. */
export function rewrittenWords(
  given: z.infer<typeof wordsSchema>,
  kept: readonly string[],
  besides: readonly string[] = [],
): RewrittenWords | string {
  const sources = [...kept, ...besides]
  const text = (given.text ?? '').trim()
  const fault = text.length > LONGEST_TEXT ? 'a text that is too long' : rewriteFault(text, kept, sources)
  const field = (name: 'context' | 'thing'): string => {
    const line = boundedLine(given[name], LONGEST_FIELD)
    return faultOf(line, sources, 0) === null ? line : ''
  }
  return fault ?? { text, context: field('context'), thing: field('thing') }
}

/** The fault of a text that was made of `sources`, in a few words; null when it has none. */
export function faultOf(text: string, sources: readonly string[], least: number = FROM_SOURCES): string | null {
  if (text.trim() === '') return 'an empty text'
  if (steersAssistant(text)) return 'a text that steers the assistant'
  const all = sources.join('\n')
  if (!inSameScript(all, text)) return 'a text in another language'
  const share = shareFound(text, tellingTerms(all))
  if (share !== null && share < least) return 'a text that says what its sources do not'
  return holdsUnsaidDetail(text, saidDetails(all)) ? 'a number or a name that its sources do not hold' : null
}

function rewriteFault(text: string, kept: readonly string[], sources: readonly string[]): string | null {
  const fault = faultOf(text, sources)
  if (fault !== null) return fault
  const known = tellingTerms(sources.join('\n'))
  if (splitSentences(text).some((sentence) => (shareFound(sentence, known) ?? 1) < SENTENCE_FROM_SOURCES))
    return 'a sentence that says what its sources do not'
  const terms = tellingTerms(text)
  return kept.some((one) => (shareFound(one, terms) ?? 1) < KEPT_OF_EACH)
    ? 'a text that leaves out what was known'
    : null
}
