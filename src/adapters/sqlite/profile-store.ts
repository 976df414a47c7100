/**
 * The profile of each user in the SQLite file: the contract ProfileStore. The document is kept as the user sees it;
 * beside it stands which of its lines are the machine's, and hashes, not texts, of those that the user took out.
 */
import { createHash } from 'node:crypto'
import {
  type NewProfileLine,
  PROFILE_LINES,
  type Profile,
  type ProfileLineOrigin,
  type ProfileStore,
} from '../../contracts/profile-store.ts'
import { PROFILE_SECTIONS, type ProfileSection } from '../../domain/profile.ts'
import { comparableStatement, profileLines, withoutStatements, withStatement } from '../../text/profile-document.ts'
import type { Connection, Row } from './connection.ts'
import { reclaim } from './log/reclaim.ts'
import { type MachineLine, machineLineOf, takenBack, withOrigin } from './profile-lines.ts'
import { isoTime, json, jsonStrings, text, time, timeOrNull } from './rows.ts'
import type { Users } from './users.ts'
import { noteWipeDue } from './wipe-due.ts'

/** Hashes kept of lines that were taken out, the newest. */
const UNWANTED_KEPT = 1000

const READ = 'SELECT document, machine_lines, unwanted, updated_at, edited_at FROM profiles WHERE user_no = ?'
const WRITE = `INSERT INTO profiles (user_no, document, machine_lines, unwanted, updated_at, edited_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_no) DO UPDATE SET document = excluded.document,
  machine_lines = excluded.machine_lines, unwanted = excluded.unwanted, updated_at = excluded.updated_at,
  edited_at = excluded.edited_at`

/** A profile as it lies in the table. */
interface StoredProfile {
  readonly document: string
  readonly machine: readonly MachineLine[]
  readonly unwanted: readonly string[]
  readonly updatedAt: number | null
  readonly editedAt: number | null
}

const EMPTY: StoredProfile = { document: '', machine: [], unwanted: [], updatedAt: null, editedAt: null }

/** The store over an open, migrated database. */
export function sqliteProfileStore(connection: Connection, users: Users): ProfileStore {
  const read = (userNo: number | undefined): StoredProfile => {
    const row = userNo === undefined ? undefined : connection.get(READ, userNo)
    return row === undefined ? EMPTY : storedProfileOf(row)
  }
  const write = (userNo: number, { document, machine, unwanted, updatedAt, editedAt }: StoredProfile): void => {
    const times = [isoTime(updatedAt ?? 0), editedAt === null ? null : isoTime(editedAt)]
    connection.run(WRITE, userNo, document, JSON.stringify(machine), JSON.stringify(unwanted), ...times)
  }
  return {
    get: async (userId) => profileOf(read(users.find(userId))),

    setText: async (userId, document, at) =>
      connection.write(() => {
        const userNo = users.ensure(userId)
        const edited = editedProfile(read(userNo), document, at)
        write(userNo, edited)
        noteWipeDue(connection)
        return profileOf(edited)
      }),

    addLines: async (userId, lines, at) => {
      const known = read(users.find(userId))
      if (extendedProfile(known, lines, at).profile === known) return []
      return connection.write(() => {
        const userNo = users.ensure(userId)
        const before = read(userNo)
        const { profile, added } = extendedProfile(before, lines, at)
        if (profile !== before) write(userNo, profile)
        return added
      })
    },

    removeLines: async (userId, texts, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return 0
      return connection.write(() => {
        const before = read(userNo)
        const named = new Set(texts.map(comparableStatement))
        const gone = before.machine.filter((line) => named.has(comparableStatement(line.text)))
        if (gone.length === 0) return 0
        write(userNo, { ...withoutMachineLines(before, gone), updatedAt: at })
        noteWipeDue(connection)
        return gone.length
      })
    },

    takeBack: async (userId, taken, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return 0
      return connection.write(() => {
        const before = read(userNo)
        const { kept, gone } = takenBack(before.machine, taken)
        if (gone.length === 0 && kept.every((line, index) => line === before.machine[index])) return 0
        const left = { ...withoutMachineLines(before, gone), machine: kept }
        write(userNo, gone.length === 0 ? left : { ...left, updatedAt: at })
        noteWipeDue(connection)
        return gone.length
      })
    },

    remove: async (userId) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return false
      const sql = 'DELETE FROM profiles WHERE user_no = ?'
      const removed = connection.write(() => connection.run(sql, userNo).changes > 0)
      if (removed) await reclaim(connection)
      return removed
    },
  }
}

/** The user's document; machine lines that are not in it as they were are the user's, or were taken out. */
function editedProfile(before: StoredProfile, document: string, at: number): StoredProfile {
  const statements = statementsOf(document)
  const machine = before.machine.filter((line) => statements.has(line.text))
  const taken = before.machine.filter((line) => !statements.has(line.text)).map((line) => hashOf(line.text))
  // Who writes a line again wants it again.
  const wanted = new Set([...statements].map(hashOf))
  const unwanted = [...new Set([...before.unwanted, ...taken])].filter((hash) => !wanted.has(hash))
  return { document, machine, unwanted: unwanted.slice(-UNWANTED_KEPT), updatedAt: at, editedAt: at }
}

function extendedProfile(
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
    present.add(comparable)
    added.push({ section: line.section, text: statement })
    const document = withStatement(profile.document, line.section, statement)
    const origins = line.origin === undefined ? {} : { origins: [line.origin] }
    const machine = [...profile.machine, { section: line.section, text: statement, at, ...origins }]
    profile = withoutOldest({ ...profile, document, machine, updatedAt: at }, line.section)
  }
  return { profile, added }
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

function withoutMachineLines(profile: StoredProfile, gone: readonly MachineLine[]): StoredProfile {
  return {
    ...profile,
    document: withoutStatements(profile.document, new Set(gone.map((line) => line.text))),
    machine: profile.machine.filter((line) => !gone.includes(line)),
  }
}

function profileOf({ document, machine, updatedAt, editedAt }: StoredProfile): Profile {
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
      }
    })
  return { text: document, lines, updatedAt }
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

function storedProfileOf(row: Row): StoredProfile {
  const machine = json(row, 'machine_lines')
  return {
    document: text(row, 'document'),
    machine: Array.isArray(machine) ? machine.flatMap(machineLineOf) : [],
    unwanted: jsonStrings(row, 'unwanted'),
    updatedAt: time(row, 'updated_at'),
    editedAt: timeOrNull(row, 'edited_at'),
  }
}
