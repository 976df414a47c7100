/** The dependencies of keeping the memory file, the path of a user's file, and the days of a digest. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { check, type InputOf, orElse, orNull } from '../domain/checks.ts'
import { type Clock, DAY_MS, isoDay, momentOfWall, type TimeZone } from '../domain/clock.ts'
import type { Store } from '../domain/contracts/store.ts'
import { invalid, MnemeError, notFound } from '../domain/errors.ts'
import type { Logger } from '../domain/logger.ts'
import {
  MEMORY_FILE_DEFAULTS,
  MEMORY_FILE_HEADINGS,
  MEMORY_FILE_NAME,
  type MemoryFileHeadings,
} from '../domain/memory-file.ts'
import { notOurOwn } from '../domain/plain-file.ts'
import { lazy } from '../domain/scheduling.ts'
import type { ThinkInput, Thoughts } from '../usecases/think/draft.ts'
import type { Notable, Note } from './choose-notes.ts'

export interface NotesDependencies {
  readonly store: Pick<Store, 'memories' | 'log' | 'memoryFile' | 'sessionSummaries'>
  readonly settings: MemoryFileSettings
  /** The database, absolute; null when it is in memory only. */
  readonly database: string | null
  readonly clock: Clock
  /** The zone of the days in the file; null: the computer's. */
  readonly timeZone: TimeZone
  readonly logger: Logger
  readonly newId: () => string
  readonly maxCharacters: () => Promise<number>
  /** Thinks without a model. */
  readonly byRules: (input: ThinkInput) => Promise<Thoughts>
  /** Chooses notes with a model: null for none, undefined where the rules decide. null: there is no model. */
  readonly notesByModel:
    | ((
        userId: string,
        memories: readonly Notable[],
        signal?: AbortSignal,
      ) => Promise<readonly (Note | null | undefined)[] | null>)
    | null
  /** Resolves when all messages that are due have been thought about. */
  readonly thinkDue: () => Promise<void>
  /** Called for new memories: they are embedded in the background. */
  readonly embedSoon: (userId: string) => Promise<void>
}

/** The keeping of one user's file. */
export interface Keeping extends NotesDependencies {
  readonly userId: string
  readonly signal?: AbortSignal | undefined
}

const USER = '{user}'
const disk = lazy(() => import('./locked-file.ts'))

/** The absolute path of the user's file. Throws `invalid` where none is known, `conflict` for somebody else's. */
export async function notesFileOf(
  { settings, database, store }: Pick<NotesDependencies, 'settings' | 'database' | 'store'>,
  userId: string,
): Promise<string> {
  const { path } = settings
  if (path === null && database === null)
    throw invalid('memoryFile.path', 'is missing', 'Name a file: a database in memory has no folder for it.')
  const beside = (...names: readonly string[]): string => join(dirname(database ?? ''), [...names, 'md'].join('.'))
  const names = [MEMORY_FILE_NAME]
  // Another database in the folder came first.
  if (path === null && (await isOfAnother(beside(...names), database)))
    names.push(fileNameOf(basename(database ?? '', extname(database ?? ''))))
  const usual = path?.replaceAll(USER, fileNameOf(userId)) ?? beside(...names)
  const owner = path?.includes(USER) ? null : await store.memoryFile.ownerOf(usual)
  const isOthers = owner !== null && owner !== userId
  const file = isOthers && path === null ? beside(...names, fileNameOf(userId)) : usual
  await checkKeeper(file, database)
  if (!isOthers || path === null) return file
  throw new MnemeError('conflict', `${path} is the memory file of another user.`, {
    field: 'memoryFile.path',
    remedy: 'Put {user} into its name, such as MEMORY.{user}.md, so that each user has a file.',
    place: path,
  })
}

/** Throws `conflict` where another database keeps the file, `invalid` where it is one of the database's own. */
export async function checkKeeper(file: string, database: string | null): Promise<void> {
  notOurOwn('memoryFile.path', file, database)
  if (await isOfAnother(file, database))
    throw new MnemeError('conflict', `${file} is the memory file of another database.`, {
      field: 'memoryFile.path',
      remedy: 'Name another memory file.',
      place: file,
    })
}

async function isOfAnother(file: string, database: string | null): Promise<boolean> {
  const keeper = await (await disk()).keeperOf(file)
  return keeper !== null && keeper !== (database === null ? null : await realpath(database).catch(() => database))
}

/** A user's id, or another name, as part of a file's name: no other gives the same. */
function fileNameOf(userId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,40}$/.test(userId)) return userId
  const readable = userId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256').update(userId).digest('hex').slice(0, 12)
  return `${readable === '' ? 'user' : readable}.${hash}`
}

const MOST_ENTRIES = 100_000
const MOST_BACKUPS = 1000
const { maxEntries, dedupThreshold, backups, headings } = MEMORY_FILE_DEFAULTS
const OPTIONS = {
  /** Default: MEMORY.md beside the database, with `{user}` for the user. */
  path: orNull((field, value) => resolve(check.id(field, value))),
  /** 1 to 100,000. Default 100. */
  maxEntries: orElse(maxEntries, check.integer, 1, MOST_ENTRIES),
  /** The similarity, 0 to 1, from which an entry repeats another one. Default 0.8. */
  dedupThreshold: orElse(dedupThreshold, check.number, 0, 1),
  /** Backups that are kept, 0 to 1,000. Default 5. */
  backups: orElse(backups, check.integer, 0, MOST_BACKUPS),
  /** `both` (用户信息 / User information), `en` or `zh`. Default `both`. */
  headings: orElse(headings, check.oneOf<MemoryFileHeadings>, MEMORY_FILE_HEADINGS),
  /** true: secrets are written out, into a file that only its owner can read. Default false: masked. */
  withSecrets: orElse(false, check.boolean),
}

/** The notes that a person can open (specification 004). */
export type MemoryFileOptions = InputOf<typeof OPTIONS>

/** How the file is kept: `path` is absolute, with `{user}` for the user; null: MEMORY.md beside the database. */
export type MemoryFileSettings = ReturnType<typeof resolveMemoryFile>

/** Checks the option; throws `invalid` naming the field. */
export function resolveMemoryFile(options: MemoryFileOptions = {}) {
  return check.fields('memoryFile', options, OPTIONS)
}

/** A stretch of time, `to` not part of it. */
export interface Stretch {
  /** YYYY-MM-DD: its last day. */
  readonly date: string
  readonly from: number
  readonly to: number
  /** Memories changed since then are looked at, too; null: only those said in the stretch. */
  readonly changedSince: number | null
  /** Only memories said in this conversation; null: in any. */
  readonly conversationId: string | null
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const computer = lazy(() => new Intl.DateTimeFormat().resolvedOptions())

/** YYYY-MM-DD in the zone; null: in local time. */
export function localDay(moment: number, zone: TimeZone): string {
  return isoDay(moment, zone ?? computer().timeZone)
}

/** The beginning of a day, YYYY-MM-DD, or of another so many days later. */
function startOf(day: string, zone: TimeZone, later = 0): number {
  return momentOfWall(Date.parse(day) + later * DAY_MS, zone ?? computer().timeZone)
}

function checkDay(field: string, value: unknown): string {
  const start = typeof value === 'string' && DAY.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(start) && isoDay(start) === value) return value
  throw invalid(field, `${JSON.stringify(value)} is no day`, 'Pass one such as 2026-05-07.')
}

/** The days that a digest is about, or the conversation. */
export interface StretchInput {
  readonly date?: string | undefined
  readonly since?: string | undefined
  readonly conversationId?: string | undefined
}

/**
 * The named days or conversation; by default all since the day before the last digest, with its changes. Throws `invalid`
 * naming the field, `not_found` for a conversation that there is not.
 */
export async function stretchFor(
  { store, clock, timeZone: zone }: Pick<NotesDependencies, 'store' | 'clock' | 'timeZone'>,
  userId: string,
  { date, since, conversationId }: StretchInput,
): Promise<Stretch> {
  const now = clock().getTime()
  if (conversationId !== undefined) {
    const id = check.id('conversationId', conversationId)
    if (date !== undefined || since !== undefined)
      throw invalid('conversationId', 'goes with no day', 'Leave out date and since, or the conversation.')
    const conversation = await store.log.conversation(userId, id)
    if (conversation === null) throw notFound('conversation', id, 'List the conversations to see their ids.')
    // All of it up to now: it ends while other work of the day goes on.
    const { createdAt: from } = conversation
    return { date: localDay(now, zone), from, to: now + DAY_MS, changedSince: null, conversationId: id }
  }
  const last = date === undefined ? localDay(now, zone) : checkDay('date', date)
  const first = since === undefined ? date : checkDay('since', since)
  if (first !== undefined && first > last) throw invalid('since', 'is later than the last day', 'Pass an earlier day.')
  const digestedAt = first === undefined ? ((await store.memoryFile.file(userId))?.digestedAt ?? null) : null
  const from =
    first === undefined ? startOf(localDay(Math.min(digestedAt ?? now, now), zone), zone, -1) : startOf(first, zone)
  return { date: last, from, to: startOf(last, zone, 1), changedSince: digestedAt, conversationId: null }
}
