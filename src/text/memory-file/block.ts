/**
 * Where in a file of somebody else's (CLAUDE.md, AGENTS.md) stands our block? Between two marks; every byte outside them
 * stays as it is, whatever the file's encoding.
 */

/** Before and behind what is ours. */
export const BLOCK_BEGIN = '<!-- mneme:begin (kept by Mneme; edit MEMORY.md instead) -->'
export const BLOCK_END = '<!-- mneme:end -->'
const BEGIN = Buffer.from('<!-- mneme:begin')
const END = Buffer.from(BLOCK_END)

/** The bytes with `text` as the block; without marks in them null, or with `append` a new block at the end. */
export function withBlock(bytes: Uint8Array, text: string, append: boolean): Uint8Array | null {
  const file = Buffer.from(bytes)
  const crlf = file.includes('\r\n')
  const lines = `${BLOCK_BEGIN}\n${text.trimEnd()}\n${BLOCK_END}`
  const block = Buffer.from(crlf ? lines.replaceAll('\n', '\r\n') : lines)
  const from = file.indexOf(BEGIN)
  const to = from < 0 ? -1 : file.indexOf(END, from)
  if (to >= 0) return Buffer.concat([file.subarray(0, from), block, file.subarray(to + END.length)])
  if (!append || from >= 0) return null
  const eol = crlf ? '\r\n' : '\n'
  const gap = file.length === 0 ? '' : file.at(-1) === 0x0a ? eol : eol + eol
  return Buffer.concat([file, Buffer.from(gap), block, Buffer.from(eol)])
}

/** Whether the bytes hold the mark with which a block begins. */
export function hasBeginning(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(BEGIN)
}
