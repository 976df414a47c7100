/** Shows the entries of the memory file inside other files (CLAUDE.md, AGENTS.md), between two marks. */
import { basename, dirname } from 'node:path'
import { reasonOf } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS } from '../domain/memory-file.ts'
import { maskSecrets } from '../language/secrets/mask-secrets.ts'
import type { NotesDependencies } from './dependencies.ts'
import { rewriteFile } from './disk.ts'
import { entriesOf, type FileEntry, type FilePart, sectionName } from './document.ts'
import { isInDoubt, isOver } from './entry-line.ts'

/** The files whose block was changed, those that still have one, and messages about both. */
interface BlockReport {
  readonly changed: readonly string[]
  readonly kept: readonly string[]
  readonly warnings: readonly string[]
}

const BLOCK_BEGIN = '<!-- mneme:begin (kept by Mneme; edit MEMORY.md instead) -->'
const BLOCK_END = '<!-- mneme:end -->'
const BEGIN = Buffer.from('<!-- mneme:begin')
const END = Buffer.from(BLOCK_END)

/** Brings the block of each file up to date; those in `wanted` get one, others without a mark are let go. */
export async function refreshBlocks(
  { settings, logger }: Pick<NotesDependencies, 'settings' | 'logger'>,
  parts: readonly FilePart[],
  known: readonly string[],
  wanted: readonly string[],
): Promise<BlockReport> {
  const changed: string[] = []
  const kept: string[] = []
  const warnings: string[] = []
  const paths = new Set([...known, ...wanted])
  const text = paths.size === 0 ? '' : blockText(parts, settings)
  for (const path of paths) {
    try {
      let hasBlock = false
      let isBroken = false
      const isWritten = await rewriteFile(path, (bytes) => {
        const next = withBlock(bytes, text, wanted.includes(path))
        hasBlock = next !== null
        isBroken = next === null && Buffer.from(bytes).includes(BEGIN)
        return next
      })
      if (hasBlock || isBroken) kept.push(path)
      if (isBroken)
        warnings.push(
          `The block in ${nameInFolder(path)} was not brought up to date: its last line, ${BLOCK_END}, is missing. Put it back, or delete the block's first line, too.`,
        )
      else if (!hasBlock && wanted.includes(path))
        warnings.push(`${nameInFolder(path)} has no place for the block: there is no such file.`)
      if (isWritten) changed.push(path)
    } catch (error) {
      kept.push(path)
      warnings.push(`The block in ${nameInFolder(path)} was not brought up to date: ${reasonOf(error)}`)
      logger.error('a block was not written', { file: path, reason: String(error), stack: stackOf(error) })
    }
  }
  return { changed, kept, warnings }
}

/** The bytes with `text` as the block; without marks in them null, or with `append` a new block at the end. */
export function withBlock(bytes: Uint8Array, text: string, append: boolean): Uint8Array | null {
  const file = Buffer.from(bytes)
  const eol = file.includes('\r\n') ? '\r\n' : '\n'
  const block = Buffer.from(`${BLOCK_BEGIN}\n${text.trimEnd()}\n${BLOCK_END}`.replaceAll('\n', eol))
  const from = file.indexOf(BEGIN)
  const to = from < 0 ? -1 : file.indexOf(END, from)
  if (to >= 0) return Buffer.concat([file.subarray(0, from), block, file.subarray(to + END.length)])
  if (!append || from >= 0) return null
  const gap = file.length === 0 ? '' : file.at(-1) === 0x0a ? eol : eol + eol
  return Buffer.concat([file, Buffer.from(gap), block, Buffer.from(eol)])
}

/** The entries by section, without ids, with secrets masked. */
function blockText(parts: readonly FilePart[], { headings }: Pick<NotesDependencies['settings'], 'headings'>): string {
  const entries = entriesOf(parts)
  const sections = MEMORY_FILE_SECTIONS.flatMap((section) => {
    const lines = entries.filter((entry) => entry.section === section).map(lineOf)
    return lines.length === 0 ? [] : [`## ${sectionName(section, headings)}\n${lines.join('\n')}`]
  })
  const elsewhere = entries.filter(({ section }) => section === null).map(lineOf)
  return [...(elsewhere.length === 0 ? [] : [elsewhere.join('\n')]), ...sections].join('\n\n')
}

function lineOf({ raw, text: said }: FileEntry): string {
  // Words that look like a mark would end the block.
  const text = maskSecrets(said).replaceAll('\n', '\n  ').replaceAll('<!--', '<\u200b!--')
  // Comments stay behind, so a reader must be told in words.
  const isHan = /\p{Script=Han}/u.test(text)
  if (isOver(raw)) return `- ${text}${isHan ? '（已不成立）' : ' (no longer holds)'}`
  return `- ${text}${isInDoubt(raw) ? (isHan ? '（可能已不成立）' : ' (may no longer hold)') : ''}`
}

/** The name of a file with its folder's: a report names no more of the machine than a reader needs. */
export function nameInFolder(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`
}

/** The place where an error was thrown. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
