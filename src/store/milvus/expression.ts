/** Which rows does a filter mean, in Milvus's language? Every value is escaped, so that it stays a value. */
import type { VectorFilter } from '../../domain/contracts/vector-index.ts'

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A text literal. Only these five characters are escaped, as the server takes all else as it stands and Milvus Lite
 * refuses other escapes (JSON's \u0007).
 */
export function literal(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character]!)}"`
}

/** A list of text literals. */
export function literals(texts: Iterable<string>): string {
  return `[${[...texts].map(literal).join(', ')}]`
}

/** The rows of a user that a filter accepts. */
export function filterOf(
  userId: string,
  { kind, conversationId, who, since, until }: VectorFilter,
  isKindKnown: boolean,
): string {
  return [
    `user_id == ${literal(userId)}`,
    ...(kind === undefined || isKindKnown ? [] : [`memory_type == ${literal(kind)}`]),
    ...(conversationId === undefined ? [] : [`chat_id == ${literal(conversationId)}`]),
    ...(who === undefined ? [] : [`who == ${literal(who)}`]),
    ...(since === undefined ? [] : [`ts >= ${wholeAtLeast(since)}`]),
    ...(until === undefined ? [] : [`ts < ${wholeAtLeast(until)}`]),
  ].join(' and ')
}

/** The least whole number that is not below the value; times are whole, so the filter stays equivalent. */
function wholeAtLeast(value: number): number {
  return Math.min(Math.max(Math.ceil(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}
