/** How is a text quoted without the key in it? Also when a server echoes the header, or the quotation cuts the key. */

const MASK = '***'
/** The beginning of a key that is too short to give anything away. */
const HARMLESS = 4
const AUTHORIZATION = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi

/** A function that masks this key, in every spelling in which a body may hold it, and any credentials of a header. */
export function secretMask(key: string | null): (text: string) => string {
  const spellings = key === null ? [] : [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
  return (text) => {
    let masked = text
    for (const spelling of spellings) masked = maskEnd(masked.replaceAll(spelling, MASK), spelling)
    return masked.replace(AUTHORIZATION, `$1 ${MASK}`)
  }
}

/** A text that was cut inside the key ends with the key's beginning. */
function maskEnd(text: string, key: string): string {
  for (let length = Math.min(key.length - 1, text.length); length > HARMLESS; length--)
    if (text.endsWith(key.slice(0, length))) return text.slice(0, -length) + MASK
  return text
}
