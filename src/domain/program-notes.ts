/** Which parts of a user's message did the assistant's program add? They are recognised here, and taken out. */

/** Tags of notes that the program and its hooks put into a message: nobody said them. */
const NOTES = ['system-reminder', 'user-prompt-submit-hook', 'session-start-hook', 'recalled-memory'].map(
  (name) => [`<${name}>`, `</${name}>`] as const,
)

/** The text without the notes; an unclosed note reaches to the end. */
export function withoutNotes(content: string): string {
  if (!NOTES.some(([start]) => content.includes(start))) return content
  let text = content
  for (const [start, end] of NOTES) {
    const parts = text.split(start)
    text = [
      parts[0],
      ...parts.slice(1).map((part) => (part.includes(end) ? part.slice(part.indexOf(end) + end.length) : '')),
    ].join('')
  }
  return text.trim()
}
