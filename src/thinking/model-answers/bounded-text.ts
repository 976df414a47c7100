/**
 * A short text out of a model's output: a line, a text, a key or a value, well-formed, never longer than the bound.
 */

/** One line; '' for null. */
export function boundedLine(text: string | null | undefined, longest: number): string {
  return boundedText((text ?? '').replace(/\s+/g, ' '), longest)
}

/** Trimmed, cut at the end of a sentence when there is one in the second half, else at the bound. */
export function boundedText(text: string, longest: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed().trim()
  if (clean.length <= longest) return clean
  const head = clean.slice(0, longest)
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？', '\n'].map((mark) => head.lastIndexOf(mark)))
  return (end >= longest / 2 ? head.slice(0, end + 1) : head).toWellFormed().trim()
}

const LONGEST_KEY = 64

/** The key of a fact, spelled one way only: "Favourite drink", "favouriteDrink" → favourite_drink; '' when nothing is left. */
export function snakeCase(key: string): string {
  return key
    .slice(0, 4 * LONGEST_KEY)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, LONGEST_KEY)
    .replace(/^_+|_{1,40}$/g, '')
    .toWellFormed()
}

/** A value in words: the content of a list or an object, in its order. */
export function plainValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(plainValue).join(', ')
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${plainValue(one)}`)
    .join(', ')
}

/** The texts and numbers of a value, without the names of its fields, which are the format's. */
export function wordsOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value).map(wordsOfValue).join(', ')
}
