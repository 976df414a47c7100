/** Shows the entries of the memory file inside files of somebody else's, such as CLAUDE.md, between two marks. */
import { basename, dirname } from 'node:path'
import { reasonOf } from '../../domain/errors.ts'
import { MEMORY_FILE_SECTIONS } from '../../domain/memory-file.ts'
import { BLOCK_END, hasBeginning, withBlock } from '../../text/memory-file/block.ts'
import { entriesOf, parseMemoryFile } from '../../text/memory-file/document.ts'
import { beginsItem, idIn, isInDoubt, textIn } from '../../text/memory-file/entry-line.ts'
import { sectionName } from '../../text/memory-file/headings.ts'
import { maskSecrets } from '../../text/secrets/mask-secrets.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

/** Files whose block was changed, those that have one still, and what has to be said. */
export interface BlockReport {
  readonly changed: readonly string[]
  readonly kept: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Brings the block of each file up to date. `wanted` get one if they have none; of the others those that have lost their
 * first mark are let go.
 */
export async function refreshBlocks(
  { files, settings, logger }: Pick<MemoryFileDependencies, 'files' | 'settings' | 'logger'>,
  file: Uint8Array,
  known: readonly string[],
  wanted: readonly string[],
): Promise<BlockReport> {
  if (known.length + wanted.length === 0) return { changed: [], kept: [], warnings: [] }
  const text = blockText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(file), settings)
  const changed: string[] = []
  const kept: string[] = []
  const warnings: string[] = []
  for (const path of new Set([...known, ...wanted])) {
    try {
      let hasBlock = false
      let isBroken = false
      const isWritten = await files.rewrite(path, (bytes) => {
        const next = withBlock(bytes, text, wanted.includes(path))
        hasBlock = next !== null
        isBroken = next === null && hasBeginning(bytes)
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

/** The entries by section, without ids, with secrets masked. */
export function blockText(
  fileText: string,
  { headings }: Pick<MemoryFileDependencies['settings'], 'headings'>,
): string {
  const entries = entriesOf(parseMemoryFile(fileText, headings))
  const sections = MEMORY_FILE_SECTIONS.flatMap((section) => {
    const lines = entries.filter((entry) => entry.section === section).map(({ raw }) => lineOf(raw))
    return lines.length === 0 ? [] : [`## ${sectionName(section, headings)}\n${lines.join('\n')}`]
  })
  const elsewhere = entries.filter(({ section, raw }) => section === null && idIn(raw) !== null)
  const rest = elsewhere.length === 0 ? [] : [elsewhere.map(({ raw }) => lineOf(raw)).join('\n')]
  return [...rest, ...sections].join('\n\n')
}

function lineOf(raw: string): string {
  // What looks like a mark would end the block.
  const text = maskSecrets(textIn(raw)).replaceAll('\n', '\n  ').replaceAll('<!--', '<\u200b!--')
  // Comments stay behind, so a reader must be told in words.
  const doubt = isInDoubt(raw) ? (/\p{Script=Han}/u.test(text) ? '（可能已不成立）' : ' (may no longer hold)') : ''
  return beginsItem(raw) ? `- ${text}${doubt}` : text
}

/** A file by its name and that of its folder: a report names no more of the machine than a reader needs. */
export function nameInFolder(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`
}

/** Where an error was thrown. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
