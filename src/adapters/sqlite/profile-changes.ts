/**
 * What becomes of a stored profile when the user edits it, and when the machine adds to it or changes its own lines?
 * Functions on plain data.
 */
import { createHash } from 'node:crypto'
import {
  type NewProfileLine,
  PROFILE_LINES,
  type Profile,
  type ProfileLine,
  type ProfileLineOrigin,
} from '../../contracts/profile-store.ts'
import { PROFILE_SECTIONS, type ProfileSection } from '../../domain/profile.ts'
import {
  comparableStatement,
  profileLines,
  withoutStatements,
  withStatement,
  withStatementsReplaced,
} from '../../text/profile-document.ts'
import { type MachineLine, withOrigin } from './profile-lines.ts'

/** Hashes kept of lines that were taken out, the newest. */
const UNWANTED_KEPT = 1000

/** A profile as it lies in the table. */
export interface StoredProfile {
  readonly document: string
  readonly machine: readonly MachineLine[]
  readonly unwanted: readonly string[]
  readonly updatedAt: number | null
  readonly editedAt: number | null
}

/** Of a user who has none. */
export const EMPTY: StoredProfile = { document: '', machine: [], unwanted: [], updatedAt: null, editedAt: null }

/** The user's document; machine lines that are not in it as they were are the user's, or were taken out. */
export function editedProfile(before: StoredProfile, document: string, at: number): StoredProfile {
  const statements = statementsOf(document)
  const machine = before.machine.filter((line) => statements.has(line.text))
  const taken = before.machine.filter((line) => !statements.has(line.text)).map((line) => hashOf(line.text))
  // Who writes a line again wants it again.
  const wanted = new Set([...statements].map(hashOf))
  const unwanted = [...new Set([...before.unwanted, ...taken])].filter((hash) => !wanted.has(hash))
  return { document, machine, unwanted: unwanted.slice(-UNWANTED_KEPT), updatedAt: at, editedAt: at }
}

/** The profile with the lines that are new to it, and these. The profile itself where nothing is. */
export function extendedProfile(
  before: StoredProfile,
  lines: readonly NewProfileLine[],
  at: number,
): { readonly profile: StoredProfile; readonly added: readonly NewProfileLine[] } {
  const unwanted = new Set(before.unwanted)
  const present = new Set([...statementsOf(before.document)].map(comparableStatement))
  const added: NewProfileLine[] = []
  let profile = before
  for (const line of lines) {
    const statement = line.text.replaceAll(/\s+/gu, ' ').trim()
    const comparable = comparableStatement(statement)
    if (comparable === '' || unwanted.has(hashOf(statement))) continue
    if (present.has(comparable)) {
      profile = toldAgain(profile, comparable, line.origin)
      continue
    }
    const over = new Set((line.replaces ?? []).map(comparableStatement))
    const gone = profile.machine.filter(
      (one) => one.section === line.section && over.has(comparableStatement(one.text)),
    )
    if (gone.length > 0) profile = withoutMachineLines(profile, gone)
    present.add(comparable)
    added.push({ section: line.section, text: statement })
    const document = withStatement(profile.document, line.section, statement)
    const origins = line.origin === undefined ? {} : { origins: [line.origin] }
    const machine = [...profile.machine, { section: line.section, text: statement, at, ...origins }]
    profile = withoutOldest({ ...profile, document, machine, updatedAt: at }, line.section)
  }
  return { profile, added }
}

/** The profile with the machine's lines as they are revised, and how many changed. */
export function revisedProfile(
  before: StoredProfile,
  revise: (line: ProfileLine) => readonly string[],
  at: number,
): { readonly profile: StoredProfile; readonly changed: number } {
  const unwanted = new Set(before.unwanted)
  const present = new Set([...statementsOf(before.document)].map(comparableStatement))
  const instead = new Map<string, readonly string[]>()
  const machine = before.machine.flatMap((line) => {
    const revised = revise(machineLine(line))
    if (revised.length === 1 && revised[0] === line.text) return [line]
    const texts: string[] = []
    for (const one of revised) {
      const statement = one.replaceAll(/\s+/gu, ' ').trim()
      const comparable = comparableStatement(statement)
      const isThere = present.has(comparable) && comparable !== comparableStatement(line.text)
      if (comparable === '' || isThere || unwanted.has(hashOf(statement))) continue
      present.add(comparable)
      texts.push(statement)
    }
    instead.set(line.text, texts)
    return texts.map((statement) => ({ ...line, text: statement, at }))
  })
  const document = withStatementsReplaced(before.document, instead)
  const profile = withoutBareHeadings({ ...before, document, machine, updatedAt: at })
  return { profile, changed: instead.size }
}

/** The profile itself where the line is not the machine's or its teller is known. */
function toldAgain(profile: StoredProfile, comparable: string, origin: ProfileLineOrigin | undefined): StoredProfile {
  const at = profile.machine.findIndex(({ text }) => comparableStatement(text) === comparable)
  const line = profile.machine[at]
  const told = line === undefined ? undefined : withOrigin(line, origin)
  return told === undefined || told === line ? profile : { ...profile, machine: profile.machine.with(at, told) }
}

/** Beyond PROFILE_LINES the oldest machine lines of the section leave. */
function withoutOldest(profile: StoredProfile, section: ProfileSection): StoredProfile {
  const lines = profile.machine.filter((line) => line.section === section)
  return lines.length <= PROFILE_LINES ? profile : withoutMachineLines(profile, lines.slice(0, -PROFILE_LINES))
}

/** The profile without these lines of the machine's. */
export function withoutMachineLines(profile: StoredProfile, gone: readonly MachineLine[]): StoredProfile {
  return withoutBareHeadings({
    ...profile,
    document: withoutStatements(profile.document, new Set(gone.map((line) => line.text))),
    machine: profile.machine.filter((line) => !gone.includes(line)),
  })
}

/** Headings that only the machine wrote say nothing when all its lines are gone. */
function withoutBareHeadings(profile: StoredProfile): StoredProfile {
  return profile.machine.length === 0 && profile.editedAt === null ? { ...profile, document: '' } : profile
}

/** The profile as the contract shows it. */
export function profileOf({ document, machine, updatedAt, editedAt }: StoredProfile): Profile {
  const written = new Map(machine.map((line) => [line.text, line]))
  const lines = profileLines(document)
    .filter(({ kind }) => kind === 'statement')
    .map(({ section, text: statement }) => {
      const own = written.get(statement)
      return {
        section: PROFILE_SECTIONS.find((known) => known === section) ?? null,
        text: statement,
        source: own === undefined ? ('user' as const) : ('machine' as const),
        updatedAt: own?.at ?? editedAt ?? updatedAt ?? 0,
        ...(own?.origins === undefined ? {} : { origins: own.origins }),
      }
    })
  return { text: document, lines, updatedAt }
}

function machineLine({ section, text: statement, at, origins }: MachineLine): ProfileLine {
  const line = { section, text: statement, source: 'machine' as const, updatedAt: at }
  return origins === undefined ? line : { ...line, origins }
}

function statementsOf(document: string): ReadonlySet<string> {
  return new Set(
    profileLines(document)
      .filter(({ kind }) => kind === 'statement')
      .map((line) => line.text),
  )
}

function hashOf(statement: string): string {
  return createHash('sha256').update(comparableStatement(statement)).digest('base64url').slice(0, 22)
}
