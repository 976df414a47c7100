/** Where does a fenced code block of Markdown begin and end? Lines inside one are never marks of speakers. */

/** An open fence: its characters, at least three. */
export type Fence = string

const OPENING = /^ {0,3}(`{3,}|~{3,})(.*)$/
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

/** The fence that is open after this line, given the one that was open before it. */
export function fenceAfter(line: string, open: Fence | null): Fence | null {
  if (open !== null) {
    const close = CLOSING.exec(line)?.[1]
    return close !== undefined && close[0] === open[0] && close.length >= open.length ? null : open
  }
  const match = OPENING.exec(line)
  if (match === null) return null
  // A backtick behind the opening makes it code within a line.
  return match[1]!.startsWith('`') && match[2]!.includes('`') ? null : match[1]!
}
