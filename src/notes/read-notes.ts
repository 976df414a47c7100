/** The content of a user's memory file, for a person at a page and an assistant at the beginning of a session. */
import { notFound } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileSection } from '../domain/memory-file.ts'
import { maskSecrets } from '../language/secrets/mask-secrets.ts'
import { type NotesDependencies, notesFileOf } from './dependencies.ts'
import { readBackup, readNotesFile } from './disk.ts'
import { dateIn, entriesOf, isInDoubt, isOver, parseNotes, sectionName } from './document.ts'
import { readableText } from './repair.ts'

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
    /** `over`: it holds no longer; `doubt`: it may not; null: it holds. */
    readonly mark: 'over' | 'doubt' | null
  }[]
  /** The headings in use, in the order of the sections. */
  readonly sections: readonly { readonly section: MemoryFileSection; readonly name: string }[]
}

/** Reads it. Secrets in it are masked unless `revealSecrets`. */
export async function readNotes(
  dependencies: NotesDependencies,
  userId: string,
  revealSecrets: boolean,
): Promise<MemoryFileText> {
  const { store, settings } = dependencies
  const file = await notesFileOf(dependencies, userId)
  const content = await readNotesFile(file)
  const show = revealSecrets ? (text: string) => text : (text: string) => maskSecrets(text)
  const text = content === null ? '' : readableText(content.bytes).text
  // Among rows with one id the one in the file comes last.
  const rows = (await store.memoryFile.entries(userId)).toSorted(
    (a, b) =>
      Number((a.nextState ?? a.state) === 'listed') - Number((b.nextState ?? b.state) === 'listed') ||
      a.changedAt - b.changedAt ||
      (a.memoryId < b.memoryId ? -1 : 1),
  )
  const memoryIds = new Map(
    rows.flatMap(({ state, entryId, memoryId }) => (state === 'replaced' ? [] : [[entryId, memoryId] as const])),
  )
  return {
    file,
    text: show(text),
    updatedAt: content?.changedAt ?? null,
    entries: entriesOf(parseNotes(text, settings.headings)).map(({ section, raw, id, text: said }) => ({
      section,
      text: show(said),
      date: dateIn(raw),
      memoryId: id === null ? null : (memoryIds.get(id) ?? null),
      mark: isOver(raw) ? 'over' : isInDoubt(raw) ? 'doubt' : null,
    })),
    sections: MEMORY_FILE_SECTIONS.map((section) => ({ section, name: sectionName(section, settings.headings) })),
  }
}

/** The text of a backup, secrets masked. Rejects `not_found` where there is none of this name. */
export async function readNotesBackup(dependencies: NotesDependencies, userId: string, name: string): Promise<string> {
  const content = await readBackup(await notesFileOf(dependencies, userId), name)
  if (content === null) throw notFound('backup', name, 'List the backups to see their names.')
  return maskSecrets(readableText(content.bytes).text)
}
