/** The content of a user's memory file for people and assistants, and the lines of a damaged one that are intact. */
import { distance } from 'fastest-levenshtein'
import { notFound } from '../domain/errors.ts'
import { MEMORY_FILE_SECTIONS, type MemoryFileSection } from '../domain/memory-file.ts'
import { maskSecrets } from '../language/secrets/mask-secrets.ts'
import { type NotesDependencies, notesFileOf } from './dependencies.ts'
import { readBackup, readNotesFile } from './locked-file.ts'
import { dateIn, entriesOf, markIn, parseNotes, sectionName } from './parse-notes.ts'

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
    entries: entriesOf(parseNotes(text)).map(({ section, raw, id, text: said }) => ({
      section,
      text: show(said),
      date: dateIn(raw),
      memoryId: id === null ? null : (memoryIds.get(id) ?? null),
      mark: markIn(raw),
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

/** A file's text with the damage in it, which is never taken for a person's words. */
export interface ReadableText {
  /** Damage still stands in it, as NUL and U+FFFD. */
  readonly text: string
  /** The damage and its repair, as sentences; empty: none. */
  readonly repairs: readonly string[]
  /** true: the end may be missing, so that absent lines were not taken out by a person. */
  readonly cut: boolean
}

/** Whether a text holds remnants of broken bytes: controls, which nobody types, and what stands for no character. */
export function isDamaged(text: string): boolean {
  return /[\p{Cc}--[\t\n\r]]|\ufffd/v.test(text) || isRemnant(text)
}

/** A comment from end to end: within it stands no other, and no two hyphens. */
const WHOLE_COMMENT = /<!--(?:(?!\s{0,40}mneme)|\s{0,40}mneme:[0-9a-f]{12}\b)(?:(?!--)[^>]){0,200}-->/g
/** The remains of a comment of ours: a beginning that other words follow, or an end that ends the line. */
const BROKEN_COMMENT = /<!--[ \t]{0,4}mn(?!(?:e(?:m(?:e(?::[^>\n]{0,200})?)?)?)?[ \t-]{0,6}$)|-->[ \t]{0,40}$/m

/** Whether an entry is what damage left of a line of ours: with NUL, or a broken comment. Nobody's words are lost with it. */
export function isRemnant(raw: string): boolean {
  return raw.includes('\0') || BROKEN_COMMENT.test(raw.replace(WHOLE_COMMENT, ''))
}

/** Most signs that damage changes in front of the words of a line and behind them, each. */
const MOST_HURT = 3
const MARK = '- [0000-00-00] '
/** Forms that people and their editors give it: another mark of a list, another form of the day, or none. */
const PERSONS_MARK =
  /^[ \t>]{0,8}(?:[-*+•]|0{1,3}[.)])?[ \t]{0,4}(?:\\?[[(（【]?0{1,4}(?:[-/.年]0{1,2}){1,2}[月]?(?:0{1,2}日)?\\?[\])）】]?)?:?\s{0,4}$/

/** Whether a line has our words whole, and what we write around them nearly or in part: a person changes words alone. */
export function isHurtAround(raw: string, own: string, id: string): boolean {
  const line = raw.trimEnd()
  const at = line.indexOf(own)
  if (at < 0 || line.includes('\n')) return false
  const mark = line.slice(0, at).replace(/\d/g, '0')
  const comment = line.slice(at + own.length)
  const written = ` <!-- mneme:${id} -->`
  // Behind the id stand words for people.
  const told = comment.startsWith(written.slice(0, -4)) && comment.endsWith('-->') ? written : comment
  const isSet = PERSONS_MARK.test(mark) && (told === written || told === '')
  const isAround = mark.startsWith(MARK) && told.endsWith(written)
  return !isSet && !isAround && isNear(mark, MARK) && isNear(told, written)
}

/** Whether a text is another one with some signs changed, or without some. */
function isNear(text: string, whole: string): boolean {
  let at = 0
  for (const sign of whole) if (sign === text[at]) at += 1
  return at === text.length || distance(text, whole) <= MOST_HURT
}

/** Encodings that systems took UTF-8 for. */
const TAKEN_FOR = ['windows-1252', 'gb18030', 'big5', 'shift_jis', 'euc-kr', 'windows-1251']

/** Whether one bit of a letter, number or space has made a sign of it. */
function isFlipped(own: string | undefined, sign: string): boolean {
  const bits = own === undefined ? 0 : own.codePointAt(0)! ^ sign.codePointAt(0)!
  return (bits & (bits - 1)) === 0 && /^[\p{L}\p{N} ]$/u.test(own!) && /^[\p{P}\p{S}]$/u.test(sign)
}

/** Whether a text is what ours becomes when a bit flips, when it is read as another encoding, or when one cannot write its letters. */
export function isDamageOf(own: string, text: string): boolean {
  const bytes = Buffer.from(own)
  if (TAKEN_FOR.some((encoding) => new TextDecoder(encoding).decode(bytes).trim() === text)) return true
  const [letters, signs] = [[...own], [...text]]
  const lost = letters.filter((letter, index) => letter !== signs[index])
  const sign = signs.find((one, index) => one !== letters[index]) ?? ''
  if (letters.length === signs.length && lost.length === 1 && isFlipped(lost[0], sign)) return true
  // One sign stands in the place of all that is lost: letters, and nothing of ASCII.
  return (
    letters.length === signs.length &&
    /^[^\p{L}\p{N}\s]$/u.test(sign) &&
    lost.some((letter) => /\p{L}/u.test(letter)) &&
    letters.every((letter, index) => letter === signs[index] || (sign === signs[index] && letter > '\x7f'))
  )
}

export function readableText(bytes: Uint8Array): ReadableText {
  const { text: decoded, lost } = decode(bytes)
  const repairs =
    lost === 0 ? [] : [`${lost} lines were no text; entries among them were written anew from the memory.`]
  let text = decoded
  const isEmpty = bytes.length > 0 && text.replaceAll('\0', '').trim() === ''
  // Where a line is no text any more, its entry was not taken out.
  let cut = isEmpty || lost > 0
  if (isEmpty) repairs.push('The file was empty; it was built anew from the memory.')
  if (text.includes('\0')) {
    cut = true
    repairs.push('NUL characters, as a crash of the system leaves them, were taken out.')
  }
  if (text.includes('\r') && !text.includes('\n')) {
    text = text.replaceAll('\r', '\n')
    repairs.push('The lines ended as on old Macs; they were written with the usual ends.')
  }
  const lastLine = text.lastIndexOf('\n') + 1
  const open = /<!--[^\S\n]{0,200}mneme:[^>\n]{0,200}$/.exec(text.slice(lastLine))
  if (open !== null) {
    text = `${text.slice(0, lastLine + open.index).trimEnd()}\n`
    cut = true
    repairs.push('The file ended in the middle of an entry; what was missing was written anew from the memory.')
  }
  return { text, repairs, cut }
}

/** The text of the bytes, and the number of lines that are no UTF-8, whose letters are lost. */
function decode(bytes: Uint8Array): { readonly text: string; readonly lost: number } {
  let lost = 0
  const lines = linesOf(bytes).map((line) => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
    } catch {
      lost += 1
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(line)
    }
  })
  return { text: lines.join(''), lost }
}

/** Lines with their ends, as bytes. */
export function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from)
    const to = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(from, to))
    from = to
  }
  return lines
}
