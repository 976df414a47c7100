/** One open SQLite file: bound SQL, writes by `write`, snapshots by `read`, and the numbers of its users. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { checkOf, isText } from '../../../domain/checksum.ts'
import type { Page, PageRange } from '../../../domain/contracts/conversation-log.ts'
import { closedError } from '../../../domain/errors.ts'
import { plainFile } from '../../../domain/plain-file.ts'
import { withRoom } from './disk-reserve.ts'
import { OwnFile } from './own-file.ts'
import { asLists, number, type Row } from './rows.ts'
import { isBusy, isFull, refuseEmptied, storageError } from './storage-errors.ts'

/** A statement, or a part of one, with its values. */
export class Sql {
  readonly text: string
  readonly values: readonly SQLInputValue[]

  constructor(text: string, values: readonly SQLInputValue[]) {
    this.text = text
    this.values = values
  }
}

/** The statement of a template; a part that is itself `Sql` becomes text with its own values. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SQLInputValue | Sql)[]): Sql {
  let text = strings[0]!
  const values: SQLInputValue[] = []
  for (const [at, part] of parts.entries()) {
    if (part instanceof Sql) {
      text += part.text
      values.push(...part.values)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[at + 1]!
  }
  return new Sql(text, values)
}

/** Text of our own, such as a list of columns or the name of a table. */
export function raw(text: string): Sql {
  return new Sql(text, [])
}

/** Bytes of a page of a new file: half a kilobyte is lost on average for each of a hundred tables and indexes. */
const PAGE_BYTES = 2048
/** Bytes of the write-ahead log that a commit copies into the file. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024
/** Longest wait for another process's lock, in milliseconds; `errors.ts` says it in words. */
export const BUSY_MS = 5000
const CACHE_KIB = 8 * 1024

export class Connection {
  readonly path: string
  readonly users: Users = new Users(this)
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #depth = 0
  /** Transactions that this connection has committed; with `dataVersion` it tells whether anything is new. */
  commits = 0
  /** Called inside every writing transaction, last. */
  beforeCommit: () => void = () => {}
  /** Called once, after the first commit from now on. */
  onFirstCommit: (() => void) | null = null
  /** Called inside the write that takes out or overwrites words of a person. */
  onErasure: () => void = () => {}
  /** true: the file was in use when its write-ahead log went, with what was stored last. */
  lostLog = false
  /** true: a removal has taken the room that is kept for it. */
  spentReserve = false
  /** true inside a writing transaction, which may still be undone. */
  isWriting = false
  #atEnd: (() => void)[] = []
  #dataVersion: StatementSync
  readonly #ownFile: OwnFile | null

  /**
   * `still` makes no shared log files either; without `full` a power cut may take the last commits. `damaged` reads and
   * writes a list of tables that has entries SQLite cannot read.
   */
  constructor(
    path: string,
    {
      readOnly = false,
      still = false,
      full = false,
      damaged = false,
      pageBytes = PAGE_BYTES,
    }: {
      readonly readOnly?: boolean
      readonly still?: boolean
      readonly full?: boolean
      readonly damaged?: boolean
      readonly pageBytes?: number
    } = {},
  ) {
    this.path = path
    if (path !== ':memory:') for (const end of ['', '-journal']) plainFile(path + end, 'not_a_database')
    try {
      if (path !== ':memory:') refuseEmptied(path)
      this.#database = new DatabaseSync(still ? unchanging(path) : path, {
        enableForeignKeyConstraints: true,
        timeout: BUSY_MS,
        readOnly,
        defensive: false,
      })
    } catch (error) {
      throw storageError(error, path)
    }
    try {
      if (damaged) this.#database.exec('PRAGMA writable_schema=ON')
      this.#database.function('check_of', { varargs: true, deterministic: true }, checkOf)
      this.#database.function('is_text', { varargs: true, deterministic: true }, (...parts) => Number(isText(...parts)))
      if (!readOnly) this.#setUp(full ? 'FULL' : 'NORMAL', pageBytes)
      this.#ownFile = readOnly || path === ':memory:' ? null : new OwnFile(path)
      this.#dataVersion = this.#database.prepare('PRAGMA data_version')
    } catch (error) {
      this.#database.close()
      throw storageError(error, path)
    }
  }

  #setUp(synchronous: 'FULL' | 'NORMAL', pageBytes: number): void {
    // Both only take effect before the first table exists; on an existing file it would be a write.
    const isNew = this.#database.prepare('PRAGMA page_count').get()?.page_count === 0
    if (isNew) this.#database.exec(`PRAGMA page_size=${pageBytes}; PRAGMA auto_vacuum=INCREMENTAL`)
    this.#database.exec(`PRAGMA busy_timeout=${BUSY_MS}`)
    this.#useLog()
    const { page_size } = this.#database.prepare('PRAGMA page_size').get() as { page_size: number }
    this.#database.exec(`PRAGMA synchronous=${synchronous};
      PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=${CHECKPOINT_BYTES / page_size}; PRAGMA cache_size=-${CACHE_KIB};
      PRAGMA temp_store=MEMORY;`)
  }

  /** Switches to the write-ahead log, the one step for which SQLite does not wait while another process takes it. */
  #useLog(): void {
    const until = performance.now() + BUSY_MS
    for (;;)
      try {
        this.#database.exec('PRAGMA journal_mode=WAL')
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      }
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql))
  }

  /** The statement for this text, prepared on first use. */
  statement(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** Runs a writing statement; `lastInsertRowid` and `changes` as numbers. */
  run(query: string | Sql, ...values: SQLInputValue[]): { changes: number; lastInsertRowid: number } {
    const { changes, lastInsertRowid } = this.#asked(query, values, (statement, bound) => statement.run(...bound))
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
  }

  get(query: string | Sql, ...values: SQLInputValue[]): Row | undefined {
    return this.#asked(query, values, (statement, bound) => statement.get(...bound))
  }

  all(query: string | Sql, ...values: SQLInputValue[]): Row[] {
    return this.#asked(query, values, (statement, bound) => statement.all(...bound))
  }

  one<T>(as: (row: Row) => T, query: string | Sql, ...values: SQLInputValue[]): T | null {
    const row = this.get(query, ...values)
    return row === undefined ? null : as(row)
  }

  /** The number in the only column of the only row; 0 for no row and for NULL. */
  count(query: string | Sql, ...values: SQLInputValue[]): number {
    return Number(Object.values(this.get(query, ...values) ?? {})[0] ?? 0)
  }

  /** A page of rows from `source` (FROM and WHERE), and how many there are in all; on one snapshot. */
  page<T>(as: (row: Row) => T, columns: string, source: Sql, order: string, { limit, offset }: PageRange): Page<T> {
    const rows = sql`SELECT ${raw(columns)} ${source} ORDER BY ${raw(order)}
      LIMIT ${BigInt(limit)} OFFSET ${BigInt(offset)}`
    const count = (): number => this.count(sql`SELECT count(*) ${source}`)
    return limit === 0
      ? { items: [], total: count() }
      : this.read(() => ({ items: this.all(rows).map(as), total: count() }))
  }

  /** The rows as lists, read faster than objects; a statement's text must not be used in both ways. */
  lists(query: string, ...values: SQLInputValue[]): readonly (readonly unknown[])[] {
    return this.#asked(query, values, (statement, bound) => {
      statement.setReturnArrays(true)
      return asLists(statement.all(...bound))
    })
  }

  /**
   * Runs `work` in one BEGIN IMMEDIATE transaction, synchronously; a write inside a write joins it. `isMissed` false:
   * nobody misses it if the log is lost.
   */
  write<T>(work: () => T, isMissed = true): T {
    if (this.#depth > 0) return work()
    const result = withRoom(this, () => this.#writeOnce(work))
    if (!isMissed) return result
    const first = this.onFirstCommit
    this.onFirstCommit = null
    first?.()
    return result
  }

  /** Throws storage_failed where the path names another file by now, or none. */
  refuseLost(): void {
    this.#ownFile?.check()
  }

  #writeOnce<T>(work: () => T): T {
    this.#ownFile?.checkFromTimeToTime()
    this.isWriting = true
    try {
      const result = this.#transaction('BEGIN IMMEDIATE', () => {
        const done = work()
        this.beforeCommit()
        for (const step of this.#atEnd) step()
        return done
      })
      this.commits += 1
      return result
    } finally {
      this.isWriting = false
      this.#atEnd = []
    }
  }

  /** Inside a write: does `step` when everything else of it is done. */
  atEnd(step: () => void): void {
    this.#atEnd.push(step)
  }

  read<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    return this.#transaction('BEGIN', work)
  }

  /** A word that changes whenever anybody has committed. */
  stamp(): string {
    return `${this.dataVersion()}:${this.commits}`
  }

  /** A number that changes whenever another connection, of this process or another, has committed. */
  dataVersion(): number {
    return this.#guard(() => Number(this.#dataVersion.get()?.data_version))
  }

  /** Copies the log into the file; `truncate` also empties it. false, without waiting, when somebody or a full disk was in the way. */
  checkpoint(mode: 'passive' | 'truncate'): boolean {
    return this.#guard(() => {
      const waits = Number(this.#database.prepare('PRAGMA busy_timeout').get()?.timeout)
      this.#database.exec('PRAGMA busy_timeout=0')
      try {
        const row = this.#database.prepare(`PRAGMA wal_checkpoint(${mode.toUpperCase()})`).get()
        return row?.busy === 0
      } catch (error) {
        if (!isFull(storageError(error, this.path))) throw error
        return false
      } finally {
        this.#database.exec(`PRAGMA busy_timeout=${waits}`)
      }
    })
  }

  /** Limits the thread's wait for a lock from now on, in milliseconds; see `wait-for-lock.ts`. */
  holdThread(atMostMs: number): void {
    this.#guard(() => this.#database.exec(`PRAGMA busy_timeout=${atMostMs}`))
  }

  get isOpen(): boolean {
    return this.#database.isOpen
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.#guard(() => this.statement(begin).run())
    this.#depth += 1
    try {
      const result = work()
      this.statement('COMMIT').run()
      return result
    } catch (error) {
      this.#rollback()
      throw this.#said(error)
    } finally {
      this.#depth -= 1
    }
  }

  #rollback(): void {
    // SQLite itself has already rolled back after a full disk or an I/O error.
    if (this.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK')
  }

  /** Inside a transaction an error stays unconverted until its end, as an index may be able to do without. */
  #asked<T>(
    query: string | Sql,
    values: readonly SQLInputValue[],
    ask: (statement: StatementSync, bound: readonly SQLInputValue[]) => T,
  ): T {
    const { text, values: bound } = typeof query === 'string' ? { text: query, values } : query
    const work = (): T => ask(this.statement(text), bound)
    return this.#depth > 0 ? work() : this.#guard(work)
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw this.#said(error)
    }
  }

  /** Work under way when the file was closed says so, and not which statement it missed. */
  #said(error: unknown): unknown {
    return this.isOpen ? storageError(error, this.path) : closedError()
  }
}

function unchanging(path: string): URL {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return url
}

/** The numbers of the users of a file. */
class Users {
  readonly #connection: Connection
  readonly #known = new Map<string, number>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  find(userId: string): number | undefined {
    const known = this.#known.get(userId)
    if (known !== undefined) return known
    const row = this.#connection.get('SELECT user_no FROM users WHERE user_id = ?', userId)
    if (row === undefined) return undefined
    const userNo = number(row, 'user_no')
    // A new user's number may be undone, and be another's next.
    if (!this.#connection.isWriting) this.#known.set(userId, userNo)
    return userNo
  }

  /** A call of a contract as work on the user's number; `none` answers for a user who has stored nothing yet. */
  readonly ask =
    <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
    async (userId: string, ...given: A): Promise<None | Awaited<T>> => {
      const userNo = this.find(userId)
      return userNo === undefined ? none : await work(userNo, ...given)
    }

  /** As `ask`, on one snapshot. */
  readonly read = <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
    this.ask(none, (userNo: number, ...given: A) => this.#connection.read(() => work(userNo, ...given)))

  /** As `ask`, in one transaction. */
  readonly write = <None, A extends unknown[], T>(none: None, work: (userNo: number, ...given: A) => T) =>
    this.ask(none, (userNo: number, ...given: A) => this.#connection.write(() => work(userNo, ...given)))

  /** The user's number, given out now when new. Call it inside a write transaction. */
  ensure(userId: string): number {
    return this.find(userId) ?? this.#connection.run('INSERT INTO users (user_id) VALUES (?)', userId).lastInsertRowid
  }
}

/** Says to every process that something about the user's conversations is another now; returns the number. */
export function raiseChangeNo(connection: Connection, userNo: number): number {
  return connection.count('UPDATE users SET change_no = change_no + 1 WHERE user_no = ? RETURNING change_no', userNo)
}
