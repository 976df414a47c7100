/**
 * Does a message ask for more than one thing ("What is my sister called, and where did I park?")? Each part is a
 * question of its own, so that one's words do not hide the other's answers.
 */

/** Borders between questions of one message. */
const BORDER =
  /([?？;；\n]+|,\s{0,40}(?:and\s{1,40})?(?:also\s{1,40})?(?=wh|how)|\band\s{1,40}(?:also\s{1,40})?(?=(?:(?:at|by|for|from|in|on|since|to|until|with)\s{1,40})?(?:what|when|where|who|whom|whose|which|why|how)\b)|[，,。]\s*|还有|另外|以及)/iu
const ASKS = /\b(?:what|when|where|who|whom|whose|which|why|how)\b|什么|谁|哪|几|多少|怎么|怎样|为何|吗|呢/iu
/** A part has at least so many characters, or it belongs to the one before. */
const SHORTEST = 4
/** The most parts of a question; more parts are a list. */
const MOST_PARTS = 4
/** A longer message tells more than it asks. */
const LONGEST = 1000

/** The parts of a message that asks for several things; none of one that asks for one. */
export function questionParts(message: string): readonly string[] {
  if (message.length > LONGEST) return []
  const parts: string[] = []
  let part = ''
  // Borders come along, so that joined pieces read as before.
  const pieces = message.split(BORDER)
  for (let at = 0; at < pieces.length; at += 2) {
    part += pieces[at]!
    if (ASKS.test(pieces[at]!) && part.trim().length >= SHORTEST) {
      parts.push(part.trim())
      part = ''
    } else part += pieces[at + 1] ?? ''
  }
  const rest = part.trim()
  if (rest !== '' && parts.length > 0) parts.push(`${parts.pop()} ${rest}`)
  return parts.length < 2 || parts.length > MOST_PARTS ? [] : parts
}
