/** What stands in a user's memory file, for whoever reads it: a person at a page, an assistant at the beginning of a session. */
import { MEMORY_FILE_SECTIONS, type MemoryFileSection } from '../../domain/memory-file.ts'
import { entriesOf, parseMemoryFile } from '../../text/memory-file/document.ts'
import { dateIn, textIn } from '../../text/memory-file/entry-line.ts'
import { sectionName } from '../../text/memory-file/headings.ts'
import { readableText } from '../../text/memory-file/repair.ts'
import { maskSecrets } from '../../text/secrets/mask-secrets.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { memoryFileOf } from './where.ts'

/** A memory file as it stands on the disk. */
export interface MemoryFileText {
  readonly file: string
  /** The whole file, '' when there is none. */
  readonly text: string
  /** Milliseconds since the epoch; null when there is none. */
  readonly updatedAt: number | null
  readonly entries: readonly {
    /** null: below a heading of the person's own. */
    readonly section: MemoryFileSection | null
    readonly text: string
    /** YYYY-MM-DD; null when it shows none. */
    readonly date: string | null
    /** null: nothing has looked at it since a person wrote it. */
    readonly memoryId: string | null
  }[]
  /** The headings in use, in the order of the sections. */
  readonly sections: readonly { readonly section: MemoryFileSection; readonly name: string }[]
}

/** Reads it. Secrets in it are masked unless `revealSecrets`. */
export async function readMemoryFile(
  dependencies: MemoryFileDependencies,
  userId: string,
  revealSecrets: boolean,
): Promise<MemoryFileText> {
  const { store, files, settings } = dependencies
  const file = await memoryFileOf(dependencies, userId)
  const content = await files.read(file)
  const show = revealSecrets ? (text: string) => text : (text: string) => maskSecrets(text)
  const text = content === null ? '' : readableText(content.bytes).text
  const memoryIds = await store.memoryFile.memoryIds(userId)
  return {
    file,
    text: show(text),
    updatedAt: content?.changedAt ?? null,
    entries: entriesOf(parseMemoryFile(text, settings.headings)).map(({ section, raw, id }) => ({
      section,
      text: show(textIn(raw)),
      date: dateIn(raw),
      memoryId: id === null ? null : (memoryIds.get(id) ?? null),
    })),
    sections: MEMORY_FILE_SECTIONS.map((section) => ({ section, name: sectionName(section, settings.headings) })),
  }
}
