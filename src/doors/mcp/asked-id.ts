/** Which request is refused? A client waits for the answer with its id, and takes one without for nobody's. */

/** The id of a JSON-RPC message; null where it has none. */
export function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Bytes at either end of a message in which its id is looked for, where the message is not kept. */
export const ID_WITHIN = 512

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,255}")`
/** Names of the envelope that clients write in front of the id. */
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`)
/** What closes at the end of a message closes the message: an id in front of it is the message's own. */
const LAST = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`)

/** The same of a message of which only the first and the last bytes are there; null where it stands at neither end. */
export function idAtEnds(head: string, tail: string): string | number | null {
  const id = (FIRST.exec(head) ?? LAST.exec(tail))?.[1]
  return id === undefined ? null : (JSON.parse(id) as string | number)
}

/** The same of text that is refused although it may be JSON: it is too deep, or names something twice. Never throws. */
export function idInText(text: string): string | number | null {
  try {
    return idOf(JSON.parse(text))
  } catch {
    return null
  }
}
