/** Which facts did the model find? Nothing counts as the user's statement whose words the user did not write. */

import { STATED_CONFIDENCE } from '../../domain/limits.ts'
import { bounded, oneLine } from '../answers/bounded.ts'
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { snakeCase } from '../answers/snake-case.ts'
import { holdsUnsaidDetail } from '../answers/unsaid-details.ts'
import { judgeValue, type ValueOrigin } from './judge-value.ts'
import { personName } from './people.ts'
import { itemSchema, updateSchema } from './schema.ts'
import type { ExchangeSources } from './sources.ts'
import type { ModelFact } from './types.ts'

const MOST_ITEMS = 20
const MOST_VALUES = 5
const LONGEST_VALUE = 300
const LONGEST_TEXT = 600
/** From this share on what the model calls the words that say so stand there. */
const COPIED_SHARE = 0.5
/** What was inferred is never as sure as what was stated. */
const MOST_INFERRED_CONFIDENCE = 0.85
const MOST_CONCLUDED_CONFIDENCE = 0.7
const DEFAULT_INFERRED_CONFIDENCE = 0.6

/** The part `memory_update`; null when the rules should answer instead. */
export function readFacts(update: unknown, sources: ExchangeSources, problems: string[]): readonly ModelFact[] | null {
  const read = updateSchema.safeParse(update)
  if (!read.success) {
    const refused = updateSchema.shape.should_store.safeParse(
      (update as { should_store?: unknown } | null)?.should_store,
    )
    if (refused.success && refused.data === false) return []
    problems.push('memory_update: missing or of another shape')
    return null
  }
  const { should_store: store, items } = read.data
  if (store === false || items.length === 0) return []
  if (items.length > MOST_ITEMS) problems.push(`items: ${items.length}, only the first ${MOST_ITEMS} are taken`)
  const facts: ModelFact[] = []
  let repeated = 0
  items.slice(0, MOST_ITEMS).forEach((item, index) => {
    const name = `items[${index}]`
    const found = readItem(item, name, sources, problems)
    if (found === 'repeated') repeated++
    else facts.push(...found)
  })
  return facts.length > 0 ? facts : repeated === items.length ? [] : null
}

function readItem(
  item: unknown,
  name: string,
  sources: ExchangeSources,
  problems: string[],
): readonly ModelFact[] | 'repeated' {
  const read = itemSchema.safeParse(item)
  if (!read.success) {
    problems.push(`${name}: ${read.error.issues[0]?.path.join('.') || 'item'} is missing or not known`)
    return []
  }
  const { data } = read
  const key = snakeCase(data.key)
  const about = personName(data.about, sources)
  if (about === null) {
    // Whose it is would be guessed, and it might become the user's.
    problems.push(`${name}: nobody spoke of its person`)
    return []
  }
  const values = data.value.slice(0, MOST_VALUES).map((value) => bounded(value, LONGEST_VALUE))
  const facts: ModelFact[] = []
  let repeated = false
  for (const value of values) {
    if (key === '' || value === '') {
      problems.push(`${name}: has no key or no value`)
      continue
    }
    const judged = judgeValue(value, data.text ?? '', sources)
    if ('refusal' in judged) {
      problems.push(`${name}: ${judged.refusal}`)
      repeated ||= judged.refusal === 'repeats what was already remembered'
      continue
    }
    const stated = data.source === 'user_stated' && judged.origin === 'stated'
    if (data.source === 'user_stated' && !stated) problems.push(`${name}: not the user's words, so inferred`)
    facts.push({
      category: data.category,
      key,
      value,
      about,
      standing: data.standing,
      single: values.length > 1 ? false : (data.single ?? null),
      text: statement(value, data.text ?? '', sources),
      confidence: confidence(data.confidence, data.source === 'user_stated' ? judged.origin : 'heard'),
      source: stated ? 'user_stated' : 'inferred',
    })
  }
  return facts.length === 0 && repeated ? 'repeated' : facts
}

/** The words that say so: as the model copied them, else the user's sentence with most of the value, else the value. */
function statement(value: string, copied: string, sources: ExchangeSources): string {
  const given = oneLine(copied, LONGEST_TEXT)
  const isSaid =
    (shareFound(given, sources.allTerms) ?? 0) >= COPIED_SHARE && !holdsUnsaidDetail(given, sources.details)
  if (given !== '' && isSaid) return given
  const wanted = [...tellingTerms(value)]
  const best = sources.userSentences
    .map(({ text, terms }) => ({ text, found: wanted.filter((term) => terms.has(term)).length }))
    .reduce((most, one) => (one.found > most.found ? one : most), { text: value, found: 0 })
  return oneLine(best.text, LONGEST_TEXT)
}

function confidence(given: number, origin: ValueOrigin): number {
  const clamped = Number.isFinite(given) ? Math.min(1, Math.max(0, given)) : null
  if (origin === 'stated') return Math.max(STATED_CONFIDENCE, clamped ?? STATED_CONFIDENCE)
  const most = origin === 'heard' ? MOST_INFERRED_CONFIDENCE : MOST_CONCLUDED_CONFIDENCE
  return Math.min(most, clamped ?? DEFAULT_INFERRED_CONFIDENCE)
}
