/**
 * How is recalled text marked in what a model sees, so that it is data there and is known again when it comes back?
 * Nothing inside a block can end it: whatever looks like one of the marks is broken up.
 */

const NAME = 'recalled-memory'
/** Begins what was recalled into a prompt. */
export const BLOCK_START = `<${NAME}>`
export const BLOCK_END = `</${NAME}>`

/** A mark however it is written; the name itself may be followed by attributes. */
const MARK = new RegExp(`<(\\s{0,40}/?\\s{0,40})(${NAME})`, 'giu')
const BLOCK = new RegExp(
  `<\\s{0,40}${NAME}\\b[^>]{0,200}>[\\s\\S]*?(?:<\\s{0,40}/\\s{0,40}${NAME}\\s{0,40}>|$)`,
  'giu',
)

/** The text as a block: quoted data with its origin in it, not to be obeyed. */
export function injectedBlock(text: string): string {
  return `${BLOCK_START}\n${text.replace(MARK, '<$1\u200b$2')}\n${BLOCK_END}`
}

/** The text without its blocks; one that was never closed reaches to the end. */
export function withoutInjectedBlocks(text: string): string {
  return text.includes('<') ? text.replace(BLOCK, ' ').trim() : text
}
