/** EpisodicSeparator with a model (002 R5.3, R5.5): two similar records of different events, reworded. */
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { oneLine } from '../answers/bounded.ts'
import { quotedMemory } from '../answers/data-message.ts'
import { faultOf, rewriteFault } from '../answers/fault.ts'
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { SEPARATE_PROMPT } from './prompt.ts'
import { type SeparationSide, withoutLabel } from './rules.ts'
import { separateSchema } from './schema.ts'
import type { SeparatedWords, Separation } from './types.ts'

const STEP = 'separate'
const MOST_TOKENS = 2000
const LONGEST_TEXT = 4000
const LONGEST_FIELD = 300

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function separateByModel(
  a: SeparationSide,
  b: SeparationSide,
  ask: AskContext,
): Promise<Separation | null> {
  const [first, second] = [
    { ...a, text: withoutLabel(a) },
    { ...b, text: withoutLabel(b) },
  ]
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: SEPARATE_PROMPT,
    data: { first: quotedMemory(first), second: quotedMemory(second) },
    schema: separateSchema,
    maxTokens: MOST_TOKENS,
  })
  if (answer === null) return null
  const fault =
    sideFault(answer.first.text, first, second) ??
    sideFault(answer.second.text, second, first) ??
    (answer.first.text.trim() === answer.second.text.trim() ? 'two records that are still the same' : null)
  if (fault !== null) {
    rejectAnswer(ask, STEP, fault)
    return null
  }
  return { first: words(answer.first, first), second: words(answer.second, second) }
}

/** A side draws on its own record and on when it was; what only the other record says must not turn up in it. */
function sideFault(text: string, own: SeparationSide, other: SeparationSide): string | null {
  if (text.length > LONGEST_TEXT) return 'a text that is too long'
  const fault = rewriteFault(text, [own.text], [whenText(own)])
  if (fault !== null) return fault
  const ownTerms = tellingTerms(`${own.text}\n${whenText(own)}`)
  const foreign = [...tellingTerms(other.text)].filter((term) => !ownTerms.has(term))
  return foreign.length > 0 && (shareFound(text, new Set(foreign)) ?? 0) > MOST_FOREIGN
    ? 'statements of the other record'
    : null
}

/** Share of a record's words that may by chance be words which only the other record has. */
const MOST_FOREIGN = 0.15

function whenText({ occurredAt, who }: SeparationSide): string {
  const at = new Date(occurredAt)
  const named = (locale: string): string => at.toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' })
  return `${who ?? ''} ${at.toISOString()} ${named('en')} ${named('zh')}`
}

function words(
  side: { text: string; context?: string | null | undefined; thing?: string | null | undefined },
  own: SeparationSide,
): SeparatedWords {
  const field = (given: string | null | undefined): string => {
    const line = oneLine(given, LONGEST_FIELD)
    return line === '' || faultOf(line, [own.text, whenText(own)], 0) !== null ? '' : line
  }
  return { text: side.text.trim(), context: field(side.context), thing: field(side.thing) }
}
