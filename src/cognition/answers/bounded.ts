/** A short text out of whatever a model wrote: on one line or as it is, well-formed, never longer than the bound. */

/** One line; '' for null. */
export function oneLine(text: string | null | undefined, longest: number): string {
  return bounded((text ?? '').replace(/\s+/g, ' '), longest)
}

/** Trimmed, cut at the end of a sentence when there is one in the second half, else at the bound. */
export function bounded(text: string, longest: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed().trim()
  if (clean.length <= longest) return clean
  const head = clean.slice(0, longest)
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？', '\n'].map((mark) => head.lastIndexOf(mark)))
  return (end >= longest / 2 ? head.slice(0, end + 1) : head).toWellFormed().trim()
}
