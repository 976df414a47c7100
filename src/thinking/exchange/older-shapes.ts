/**
 * Which statements do answers in the shapes of 000 (`should_store`, key and value) and 002 (`write_episodic`, records)
 * mean? They name no quote, so its sentence is looked up; a sole value replaces the shown memory of that person and
 * key.
 */
import { z } from 'zod'
import { CATEGORIES } from '../../domain/memory.ts'
import { plainValue, snakeCase } from '../answers/bounded.ts'
import { listSchema, looseBoolean, looseText } from './schema.ts'
import { coreOf, type ExchangeSources, sentenceSaying, standsIn } from './sources.ts'

const itemSchema = z.object({
  category: z.enum(CATEGORIES),
  key: z.string(),
  value: z.unknown(),
  about: looseText,
  standing: z.string().catch('holds'),
  single: looseBoolean,
  text: z.string().catch(''),
  confidence: z.unknown(),
  source: z.string().catch('inferred'),
})

/** The statements of such an answer, not checked yet; null when it has none of these parts, or not in their shape. */
export function olderStatements(
  answer: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
): readonly unknown[] | null {
  const update = Object(answer.memory_update ?? answer) as Readonly<Record<string, unknown>>
  const records = listOf(answer.write_episodic, answer.records)
  const items = listOf(update.should_store, update.items)
  if (records === null && items === null) return null
  // A promise without anything that keeps it is no answer.
  if (records?.length === 0 && items === null && looseBoolean.parse(answer.write_episodic) !== false) return null
  const used = new Set<string>()
  return [
    ...(items ?? []).map((item) => ofItem(item, sources, used)),
    ...(records ?? []).map((record) => ofRecord(record, sources)),
  ]
}

/** The list, empty where the model decided against it; null where there is none. */
function listOf(decision: unknown, part: unknown): readonly unknown[] | null {
  return looseBoolean.parse(decision) === false ? [] : (listSchema.safeParse(part).data ?? null)
}

function ofRecord(record: unknown, sources: ExchangeSources): unknown {
  const { text, who, time, importance } = Object(typeof record === 'string' ? { text: record } : record)
  return { text, about: who, kind: 'event', time, by: 'said', quote: quoteFor(String(text), sources), importance }
}

/** The copied words are its text; a second value from the same words stands before them. */
function ofItem(item: unknown, sources: ExchangeSources, used: Set<string>): unknown {
  const read = itemSchema.safeParse(item)
  // An answer without a text is refused, and the rules answer for its words.
  if (!read.success) return { quote: Object(item).text }
  const { category, key, value, about, standing, single, text, confidence, source } = read.data
  const attribute = snakeCase(key)
  const words = plainValue(value)
  const quote = standsIn(text, sources.exchangeFolded) ? text : quoteFor(words, sources)
  const isUsed = used.has(quote)
  used.add(quote)
  const isOver = standing === 'ended'
  const replaces = [...sources.shown].filter(([, known]) => {
    const isSame = coreOf(plainValue(known.value)) === coreOf(words)
    return known.key === attribute && (known.who ?? 'user') === (about ?? 'user') && (isOver ? isSame : !isSame)
  })
  return {
    text: isUsed || quote === '' ? `${words} (${quote})` : quote,
    about,
    kind: category === 'preference' ? 'preference' : 'fact',
    // A past or ended state is told in words: as a value it would be taken for the present one.
    ...(isOver || standing === 'held' ? {} : { attribute, value }),
    replaces: isOver || (single === true && standing !== 'held') ? replaces.map(([id]) => id) : [],
    by: source === 'user_stated' ? 'said' : 'inferred',
    quote,
    confidence,
    importance: category === 'preference' ? 1 : 0,
  }
}

/** The sentence that says it: the user's own where there is one, else anybody's. */
function quoteFor(words: string, { userText, exchangeText }: ExchangeSources): string {
  return sentenceSaying(words, userText) || sentenceSaying(words, exchangeText)
}
