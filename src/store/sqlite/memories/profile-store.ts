/** The contract ProfileStore: the document, its machine lines, and hashes of the lines that the user took out. */
import { createHash } from 'node:crypto'
import { type Clock, isoTime } from '../../../domain/clock.ts'
import {
  type NewProfileLine,
  PROFILE_LINES,
  PROFILE_SECTIONS,
  type Profile,
  type ProfileLine,
  type ProfileSection,
  type ProfileStore,
  type TakenBackTurns,
  type Telling,
} from '../../../domain/contracts/small-stores.ts'
import { CHANGED_BY, REST_MAY_HOLD } from '../../../domain/memory.ts'
import {
  comparableStatement,
  profileLines,
  withoutStatements,
  withStatement,
} from '../../../language/profile-document.ts'
import type { Connection } from '../file/connection.ts'
import { noteErasure, noteWipeDue } from '../file/reclaim.ts'
import { json, jsonStrings, number, type Row, text, textOrNull, time, timeOrNull } from '../file/rows.ts'

export function sqliteProfileStore(connection: Connection, clock: Clock): ProfileStore {
  const read = (userNo: number | undefined, sql = OVER): StoredProfile =>
    userNo === undefined ? EMPTY : connection.read(() => readProfile(connection, userNo, clock().getTime(), sql))
  const leave = (userId: string, at: number, left: (machine: Lines) => Lines): number => {
    const userNo = connection.users.find(userId)
    if (userNo === undefined || read(userNo).machine.length === 0) return 0
    return connection.write(() => {
      const before = readProfile(connection, userNo, at)
      const kept = left(before.machine)
      const gone = before.machine.length - kept.length
      if (gone === 0 && kept.every((line, index) => line === before.machine[index])) return 0
      writeProfile(connection, userNo, profileLeft(before, kept, at))
      noteWipeDue(connection)
      return gone
    })
  }
  return {
    get: async (userId, { muted = true } = {}) => {
      const userNo = connection.users.find(userId)
      const whole = read(userNo, OVER_OR_CHANGED)
      if (muted || userNo === undefined) return profileOf(whole)
      const sources = new Set(connection.all(MUTED, userNo).map((row) => text(row, 'source')))
      if (sources.size === 0) return profileOf(whole)
      return profileOf(profileLeft(whole, withoutSources(whole.machine, sources), whole.updatedAt ?? 0))
    },

    setText: async (userId, document, at) =>
      connection.write(() => {
        const userNo = connection.users.ensure(userId)
        const edited = editedProfile(readProfile(connection, userNo, at, OVER_OR_CHANGED), document, at)
        writeProfile(connection, userNo, edited)
        noteErasure(connection)
        return profileOf(edited)
      }),

    addLines: async (userId, lines, at) => {
      const known = read(connection.users.find(userId))
      if (extendedProfile(known, lines, at).profile === known) return []
      return connection.write(() => addLinesTo(connection, connection.users.ensure(userId), lines, at))
    },

    clear: async (userId, at) => void leave(userId, at, () => []),

    takeBack: async (userId, taken, at) => leave(userId, at, (machine) => takenBack(machine, taken)),
  }
}

const READ = 'SELECT document, machine_lines, unwanted, updated_at, edited_at FROM profiles WHERE user_no = ?'
const READ_SOURCES = `SELECT item, telling, origin, source, turn FROM other_sources WHERE user_no = ? AND kind = 'line'
  ORDER BY CAST(item AS INTEGER), telling, source, turn`
const WRITE = `INSERT INTO profiles (user_no, document, machine_lines, unwanted, updated_at, edited_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_no) DO UPDATE SET document = excluded.document,
  machine_lines = excluded.machine_lines, unwanted = excluded.unwanted, updated_at = excluded.updated_at,
  edited_at = excluded.edited_at`
const OF_MEMORY = `user_no = ? AND kind = 'line' AND origin = 'memory' AND source = ?`

const OVER = `SELECT DISTINCT s.source, m.text, m.valid_to, m.suspect_reason FROM other_sources s JOIN memories m ON m.user_no = s.user_no AND m.id = s.source
  WHERE s.user_no = ? AND s.kind = 'line' AND s.origin = 'memory' AND m.valid_to <= ?`

/** In a shown profile, a line stays away as well while another statement of the same matter speaks against it. */
const OVER_OR_CHANGED = OVER.replace(
  'm.valid_to <= ?',
  `(m.valid_to <= ? OR (m.suspect_reason IS NOT NULL AND m.metadata ->> '$.${CHANGED_BY}' IS NOT NULL))`,
)

/** The muted conversations that lines come from, and the memories of such that no other tells. */
const MUTED = `SELECT DISTINCT s.source FROM other_sources s
  LEFT JOIN memories m ON s.origin = 'memory' AND m.user_no = s.user_no AND m.id = s.source
  JOIN conversations c ON c.user_no = s.user_no AND c.public_id = iif(s.origin = 'memory', m.conversation_id, s.source)
  WHERE s.user_no = ? AND s.kind = 'line' AND c.is_muted = 1 AND NOT EXISTS (SELECT 1 FROM other_sources o
    JOIN conversations h ON h.user_no = o.user_no AND h.public_id = o.source AND h.is_muted = 0
    WHERE o.user_no = s.user_no AND o.kind = 'memory' AND o.item = s.source)`

/** The profile without the lines of memories that are over by now; an empty one where there is none. */
function readProfile(connection: Connection, userNo: number, now: number, over = OVER): StoredProfile {
  const row = connection.get(READ, userNo)
  if (row === undefined) return EMPTY
  const machine = json(row, 'machine_lines')
  const tellings = tellingsOf(connection.all(READ_SOURCES, userNo))
  const whole: StoredProfile = {
    document: text(row, 'document'),
    machine: (Array.isArray(machine) ? machine.flatMap(machineLineOf) : []).map((line) => ({
      ...line,
      tellings: tellings.get(line.id) ?? [],
    })),
    unwanted: jsonStrings(row, 'unwanted'),
    updatedAt: time(row, 'updated_at'),
    editedAt: timeOrNull(row, 'edited_at'),
  }
  return connection.all(over, userNo, isoTime(now)).reduce((left, row) => withoutOver(left, row, now), whole)
}

/** A line that says all of a memory stays where only a part of that is over, behind what took the place of that. */
function withoutOver(profile: StoredProfile, memory: Row, now: number): StoredProfile {
  const whole = comparableStatement(text(memory, 'text'))
  const isHeld = textOrNull(memory, 'valid_to') === null
  const isPart = isHeld && textOrNull(memory, 'suspect_reason')?.endsWith(REST_MAY_HOLD) === true
  const part = isPart ? profile.machine.find((line) => comparableStatement(line.text) === whole) : undefined
  const others = profile.machine.filter((line) => line !== part)
  const kept = withoutMemory(others, text(memory, 'source'))
  const left = profileLeft(profile, part === undefined ? kept : [...kept, part], profile.updatedAt ?? now)
  if (part === undefined) return left
  const document = withStatement(withoutStatements(left.document, new Set([part.text])), part.section, part.text)
  return { ...left, document }
}

/** Writes the profile with the tellings of its lines. Call it inside a write. */
function writeProfile(connection: Connection, userNo: number, profile: StoredProfile): void {
  const { document, machine, unwanted, updatedAt, editedAt } = profile
  const times = [isoTime(updatedAt ?? 0), editedAt === null ? null : isoTime(editedAt)]
  const lines = machine.map(({ tellings: _, ...line }) => line)
  connection.run(WRITE, userNo, document, JSON.stringify(lines), JSON.stringify(unwanted), ...times)
  connection.run(`DELETE FROM other_sources WHERE user_no = ? AND kind = 'line'`, userNo)
  for (const line of machine)
    for (const source of sourcesOf(line)) connection.run(INSERT_SOURCE, userNo, String(line.id), ...source)
}

/** See `ProfileStore.addLines`. Call it inside a write. */
export function addLinesTo(
  connection: Connection,
  userNo: number,
  lines: readonly NewProfileLine[],
  at: number,
): readonly NewProfileLine[] {
  const before = readProfile(connection, userNo, at)
  const { profile, added } = extendedProfile(before, lines, at)
  if (profile !== before) writeProfile(connection, userNo, profile)
  return added
}

/** Removes the lines that only this memory tells; true when it told any. Call it inside a write. */
export function dropLinesOf(connection: Connection, userNo: number, memoryId: string, at: number): boolean {
  if (connection.get(`SELECT 1 FROM other_sources WHERE ${OF_MEMORY}`, userNo, memoryId) === undefined) return false
  const before = readProfile(connection, userNo, at)
  writeProfile(connection, userNo, profileLeft(before, withoutMemory(before.machine, memoryId), at))
  noteWipeDue(connection)
  return true
}

/** Passes the lines of these memories on to `heir`, or with null takes them out of the sources. Inside a write. */
export function passLinesOn(connection: Connection, userNo: number, ids: readonly string[], heir: string | null): void {
  for (const id of ids) {
    if (heir !== null)
      connection.run(`UPDATE OR IGNORE other_sources SET source = ? WHERE ${OF_MEMORY}`, heir, userNo, id)
    connection.run(`DELETE FROM other_sources WHERE ${OF_MEMORY}`, userNo, id)
  }
}

/** The tellings of each line, by its number. */
function tellingsOf(rows: readonly Row[]): ReadonlyMap<number, readonly Telling[]> {
  const lines = Map.groupBy(rows, (row) => Number(text(row, 'item')))
  return new Map(
    [...lines].map(([item, ofLine]) => {
      const tellings = Map.groupBy(ofLine, (row) => number(row, 'telling'))
      return [item, [...tellings.values()].map(tellingOf)]
    }),
  )
}

function tellingOf(rows: readonly Row[]): Telling {
  const sources = rows.map((row) => text(row, 'source'))
  if (text(rows[0]!, 'origin') === 'memory') return { memoryIds: sources }
  return { conversationId: sources[0]!, turnIds: rows.map((row) => number(row, 'turn')).filter((turn) => turn !== 0) }
}

const INSERT_SOURCE = `INSERT OR IGNORE INTO other_sources (user_no, kind, item, telling, origin, source, turn)
  VALUES (?, 'line', ?, ?, ?, ?, ?)`

type SourceRow = readonly [telling: number, origin: string, source: string, turn: number]

function sourcesOf({ tellings }: MachineLine): readonly SourceRow[] {
  return tellings.flatMap((telling, at): readonly SourceRow[] => {
    if ('memoryIds' in telling) return telling.memoryIds.map((memoryId) => [at, 'memory', memoryId, 0])
    const turns = telling.turnIds.length === 0 ? [0] : telling.turnIds
    return turns.map((turn) => [at, 'turn', telling.conversationId, turn])
  })
}

/** Hashes kept of lines that were taken out, the newest. */
const UNWANTED_KEPT = 1000

interface StoredProfile {
  readonly document: string
  readonly machine: readonly MachineLine[]
  readonly unwanted: readonly string[]
  readonly updatedAt: number | null
  readonly editedAt: number | null
}

const EMPTY: StoredProfile = { document: '', machine: [], unwanted: [], updatedAt: null, editedAt: null }

/** The user's edited document. Machine lines that it changed are the user's now, and missing ones were taken out. */
function editedProfile(before: StoredProfile, document: string, at: number): StoredProfile {
  const statements = statementsOf(document)
  const machine = before.machine.filter((line) => statements.has(line.text))
  const taken = before.machine.filter((line) => !statements.has(line.text)).map((line) => hashOf(line.text))
  const out = new Set([...before.unwanted, ...taken])
  // A line that the user writes again is wanted again.
  if (out.size > 0) for (const statement of statements) out.delete(hashOf(statement))
  const unwanted = [...out]
  return { document, machine, unwanted: unwanted.slice(-UNWANTED_KEPT), updatedAt: at, editedAt: at }
}

/** The profile with the lines added that are new to it; the unchanged profile where none is. */
function extendedProfile(
  before: StoredProfile,
  lines: readonly NewProfileLine[],
  at: number,
): { readonly profile: StoredProfile; readonly added: readonly NewProfileLine[] } {
  const unwanted = new Set(before.unwanted)
  const present = new Set([...statementsOf(before.document)].map(comparableStatement))
  const added: NewProfileLine[] = []
  // A memory already told brings nothing new in other words, and a line that the user kept is not doubled.
  const telling = new Set(before.machine.flatMap((line) => line.tellings.flatMap(memoriesOf)))
  let profile = before
  for (const line of lines) {
    const statement = line.text.replaceAll(/\s+/gu, ' ').trim()
    const comparable = comparableStatement(statement)
    if (comparable === '' || unwanted.has(hashOf(statement))) continue
    if (present.has(comparable)) {
      profile = toldAgain(profile, comparable, line.telling)
      continue
    }
    if (memoriesOf(line.telling).some((id) => telling.has(id))) continue
    const id = Math.max(0, ...profile.machine.map((one) => one.id)) + 1
    present.add(comparable)
    added.push({ section: line.section, text: statement })
    const document = withStatement(profile.document, line.section, statement)
    const tellings = line.telling === undefined ? [] : [line.telling]
    const machine = [...profile.machine, { id, section: line.section, text: statement, at, tellings }]
    profile = withoutOldest({ ...profile, document, machine, updatedAt: at }, line.section)
  }
  return { profile, added }
}

function profileLeft(before: StoredProfile, kept: Lines, at: number): StoredProfile {
  const ids = new Set(kept.map(({ id }) => id))
  const gone = before.machine.filter(({ id }) => !ids.has(id))
  const left = { ...withoutMachineLines(before, gone), machine: kept }
  return gone.length === 0 ? left : { ...left, updatedAt: at }
}

function memoriesOf(telling: Telling | undefined): readonly string[] {
  return telling !== undefined && 'memoryIds' in telling ? telling.memoryIds : []
}

/** The profile with one telling more; unchanged where the line is not the machine's or the telling is known. */
function toldAgain(profile: StoredProfile, comparable: string, telling: Telling | undefined): StoredProfile {
  const at = profile.machine.findIndex(({ text }) => comparableStatement(text) === comparable)
  const line = profile.machine[at]
  // A line without a known telling may have any source, so one telling must not stand for all.
  if (line === undefined || telling === undefined || line.tellings.length === 0) return profile
  if (line.tellings.some((one) => JSON.stringify(one) === JSON.stringify(telling))) return profile
  const told = { ...line, tellings: [...line.tellings, telling].slice(-TELLINGS_KEPT) }
  return { ...profile, machine: profile.machine.with(at, told) }
}

/** Beyond PROFILE_LINES the oldest machine lines of the section leave. */
function withoutOldest(profile: StoredProfile, section: ProfileSection): StoredProfile {
  const lines = profile.machine.filter((line) => line.section === section)
  return lines.length <= PROFILE_LINES ? profile : withoutMachineLines(profile, lines.slice(0, -PROFILE_LINES))
}

/** The profile without these lines of the machine's; headings that only the machine wrote go with the last of them. */
function withoutMachineLines(profile: StoredProfile, gone: Lines): StoredProfile {
  const machine = profile.machine.filter((line) => !gone.includes(line))
  if (machine.length === 0 && profile.editedAt === null) return { ...profile, machine, document: '' }
  return { ...profile, machine, document: withoutStatements(profile.document, new Set(gone.map(({ text }) => text))) }
}

function profileOf({ document, machine, updatedAt, editedAt }: StoredProfile): Profile {
  const written = new Map(machine.map((line) => [line.text, line]))
  const lines = statementsIn(document).map(({ section, text: statement }): ProfileLine => {
    const own = written.get(statement)
    const known = PROFILE_SECTIONS.find((one) => one === section) ?? null
    return own === undefined
      ? { section: known, text: statement, source: 'user', updatedAt: editedAt ?? updatedAt ?? 0 }
      : { ...shownLine(own), section: known }
  })
  return { text: document, lines, updatedAt }
}

function statementsIn(document: string) {
  return profileLines(document).filter(({ kind }) => kind === 'statement')
}

function statementsOf(document: string): ReadonlySet<string> {
  return new Set(statementsIn(document).map((line) => line.text))
}

function hashOf(statement: string): string {
  return createHash('sha256').update(comparableStatement(statement)).digest('base64url').slice(0, 22)
}

/** A line that the machine wrote and nobody touched since, by its exact text. */
interface MachineLine {
  /** Number of the line, by which its sources name it. */
  readonly id: number
  readonly section: ProfileSection
  readonly text: string
  readonly at: number
  /** None where none is known. */
  readonly tellings: readonly Telling[]
}

type Lines = readonly MachineLine[]

/** Tellings of one line that are kept, the newest. */
const TELLINGS_KEPT = 64

/** The lines without those told by these turns alone; lines without a known telling stay. */
function takenBack(lines: Lines, { turns, whole }: TakenBackTurns): Lines {
  const isTaken = (telling: Telling): boolean =>
    'conversationId' in telling &&
    (whole.has(telling.conversationId) ||
      telling.turnIds.some((turnId) => turns.get(telling.conversationId)?.has(turnId) === true))
  return leftOf(lines, isTaken)
}

/** The lines without those that only these conversations or memories tell. */
function withoutSources(lines: Lines, sources: ReadonlySet<string>): Lines {
  return leftOf(lines, (telling) =>
    'memoryIds' in telling ? telling.memoryIds.some((id) => sources.has(id)) : sources.has(telling.conversationId),
  )
}

/** Without this memory: those go that no other one says. */
function withoutMemory(lines: Lines, memoryId: string): Lines {
  return leftOf(
    lines,
    (telling) => 'memoryIds' in telling && telling.memoryIds.includes(memoryId),
    (line, left) => left.length < line.tellings.length && !left.some((telling) => 'memoryIds' in telling),
  )
}

function leftOf(
  lines: Lines,
  isTaken: (telling: Telling) => boolean,
  goes = (line: MachineLine, left: readonly Telling[]): boolean => left.length === 0 && line.tellings.length > 0,
): Lines {
  return lines.flatMap((line) => {
    const left = line.tellings.filter((telling) => !isTaken(telling))
    if (goes(line, left)) return []
    return left.length === line.tellings.length ? line : { ...line, tellings: left }
  })
}

/** A machine line from the column, without its tellings; none for an invalid value. */
function machineLineOf(value: unknown): readonly MachineLine[] {
  if (typeof value !== 'object' || value === null) return []
  const { id, section: named, text, at } = value as Record<string, unknown>
  const section = PROFILE_SECTIONS.find((known) => known === named)
  if (section === undefined || typeof id !== 'number' || typeof text !== 'string' || typeof at !== 'number') return []
  return [{ id, section, text, at, tellings: [] }]
}

function shownLine({ section, text, at, tellings }: MachineLine): ProfileLine {
  const line = { section, text, source: 'machine' as const, updatedAt: at }
  return tellings.length === 0 ? line : { ...line, tellings }
}
