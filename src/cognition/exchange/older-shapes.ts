/**
 * What do answers in the shapes of 000 (`should_store`, items with key and value) and 002 (`write_episodic`, records)
 * mean as statements? They name no quote and no ids: the sentence that says it is looked up, and a value that is told as
 * the only one takes the place of the shown memory of the same person and key.
 */
import { z } from 'zod'
import { CATEGORIES } from '../../domain/memory.ts'
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { snakeCase } from '../answers/snake-case.ts'
import { listSchema, looseBoolean, looseText } from './schema.ts'
import { type ExchangeSources, folded, sentenceSaying, standsIn } from './sources.ts'

const recordSchema = z.object({
  text: z.string(),
  who: looseText,
  time: looseText,
  importance: z.union([z.number(), z.string().transform(Number)]).catch(0),
})
const itemSchema = z.object({
  category: z.enum(CATEGORIES),
  key: z.string(),
  value: z.unknown().optional(),
  about: looseText,
  standing: z.string().catch('holds'),
  single: looseBoolean,
  text: looseText,
  confidence: z.union([z.number(), z.string().transform(Number)]).catch(Number.NaN),
  source: z.enum(['user_stated', 'inferred']).catch('inferred'),
})

/** From this share of its telling words on a record, which has no quote, is the user's statement, and anybody's. */
const OWN_SHARE = 0.5
const SAID_SHARE = 0.2

/** The statements of such an answer, not checked yet; null when it has none of these parts, or not in their shape. */
export function olderStatements(
  answer: Readonly<Record<string, unknown>>,
  sources: ExchangeSources,
): readonly unknown[] | null {
  const update = z.record(z.string(), z.unknown()).safeParse(answer.memory_update ?? answer).data ?? {}
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
  if (looseBoolean.parse(decision) === false) return []
  return listSchema.safeParse(part).data ?? null
}

function ofRecord(record: unknown, sources: ExchangeSources): unknown {
  const read = recordSchema.safeParse(typeof record === 'string' ? { text: record } : record)
  if (!read.success) return record
  const { text, who, time, importance } = read.data
  const isOwn = (shareFound(text, tellingTerms(sources.userText)) ?? 0) >= OWN_SHARE
  const isSaid = isOwn || (shareFound(text, sources.allTerms) ?? 1) >= SAID_SHARE
  return {
    text,
    about: who,
    kind: 'event',
    time: time ?? undefined,
    by: isOwn ? 'said' : 'heard',
    quote: isSaid ? sentenceSaying(text, isOwn ? sources.userText : sources.exchangeText) : '',
    importance,
  }
}

/** The copied words are its text; a second value from the same words stands before them. */
function ofItem(item: unknown, sources: ExchangeSources, used: Set<string>): unknown {
  const read = itemSchema.safeParse(item)
  if (!read.success) return item
  const { category, key, value, about, standing, single, text: copied, confidence, source } = read.data
  const attribute = snakeCase(key)
  const words = Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : `${value}`
  const quote =
    copied !== null && copied !== undefined && standsIn(copied, sources.exchangeText)
      ? copied
      : sentenceSaying(words, sources.userText) || sentenceSaying(words, sources.exchangeText)
  const text = quote === '' || used.has(quote) ? `${words} (${quote})` : quote
  used.add(quote)
  const isOver = standing === 'ended'
  const isOnly = single === true && (standing === 'holds' || standing === 'corrects')
  const before = [...sources.shown].filter(([, known]) => {
    const isSame = folded(String(known.value ?? '')) === folded(words)
    return known.key === attribute && (known.who ?? 'user') === (about ?? 'user') && (isOver ? isSame : !isSame)
  })
  return {
    text,
    about,
    kind: category === 'preference' ? 'preference' : 'fact',
    // What is over, or was so once, is told in words: as a value it would be taken for what holds.
    ...(isOver || standing === 'held' ? {} : { attribute, value }),
    replaces: isOver || isOnly ? before.map(([id]) => id) : [],
    by: source === 'user_stated' ? 'said' : 'inferred',
    quote,
    confidence,
    importance: category === 'preference' ? 1 : 0,
  }
}
