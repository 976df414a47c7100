/** What does a JSON text hold whose numbers must go on as they came? It is parsed once, for the door and for the use case. */
import { readOnce } from './read-once.ts'

/** Characters of texts that are kept; of longer ones only the last, until memory is wanted. */
const MOST_KEPT = 65_536
/** Every number that JavaScript writes otherwise has a part like this; so may other numbers and texts. */
const MAY_CHANGE = /\de[+-]?\d|\.\d{0,20}0(?!\d)|\.0{6}|[\d.]{16}|-0(?![\d.])/i

/** The value, shared by all who ask: a number that JavaScript would write otherwise is an object that is written as it came. */
export const parseAsWritten = readOnce(
  'json',
  (text): unknown => JSON.parse(text, MAY_CHANGE.test(text) ? asWritten : undefined),
  MOST_KEPT,
)

function asWritten(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source)
}
