/** How is the key of a fact spelled? One way only, so that the same key always is the same key. */

const LONGEST_KEY = 64

/** "Favourite drink", "favouriteDrink" → favourite_drink; '' when nothing is left. */
export function snakeCase(key: string): string {
  return key
    .slice(0, 4 * LONGEST_KEY)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, LONGEST_KEY)
    .replace(/^_+|_+$/g, '')
    .toWellFormed()
}
