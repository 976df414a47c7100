/**
 * How does a removal end? Freed pages go back to the file system, the write-ahead log is emptied, and remains are
 * wiped.
 */
import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from './connection.ts'
import { eraseGoneWords } from './erase-words.ts'
import { patiently, writePatiently } from './patient.ts'
import { number } from './rows.ts'
import { scrub } from './scrub.ts'

const PAGES_A_PIECE = 500

/** Finishes a removal that was killed, stopped, left for later, or hindered by another process's reader. */
export async function reclaimWhatIsDue(connection: Connection): Promise<void> {
  if (wipeDue(connection) > 0) await share(connection, true)
}

/**
 * Shrinks the file and resolves the bytes saved; deletions during a wipe of the whole file share the next one. With
 * `ofMemories`, words of removed memories may still stand in the index.
 */
export async function reclaim(
  connection: Connection,
  { signal, ofMemories = false }: { readonly signal?: AbortSignal | undefined; readonly ofMemories?: boolean } = {},
): Promise<number> {
  // A plan may have removed memories and left their last traces to whoever wipes next.
  const erasesWords = ofMemories || wipeDue(connection) > 0
  await patiently(connection, () => noteWipeDue(connection))
  return share(connection, erasesWords, signal)
}

/** Joins the next wipe: a new one, or the one after a running one. */
function share(connection: Connection, erasesWords: boolean, signal?: AbortSignal): Promise<number> {
  const running = wipes.get(connection)
  if (running === undefined) return begin(connection, erasesWords, signal)
  const follow = (): Promise<number> => begin(connection, true)
  running.next ??= running.wipe.then(follow, follow)
  return running.next
}

/** A wipe that runs, and the one that follows it. */
interface RunningWipe {
  readonly wipe: Promise<number>
  next: Promise<number> | null
}

const wipes = new WeakMap<Connection, RunningWipe>()

function begin(connection: Connection, erasesWords: boolean, signal?: AbortSignal): Promise<number> {
  const started = (async () => {
    if (erasesWords) await patiently(connection, () => eraseGoneWords(connection, signal))
    return wipe(connection, signal)
  })()
  const running: RunningWipe = { wipe: started, next: null }
  wipes.set(connection, running)
  return started.finally(() => {
    if (running.next === null) wipes.delete(connection)
  })
}

async function wipe(connection: Connection, signal?: AbortSignal): Promise<number> {
  const due = wipeDue(connection)
  const before = pragma(connection, 'page_count')
  await shrink(connection, Number.POSITIVE_INFINITY, signal)
  const after = pragma(connection, 'page_count')
  if (await scrub(connection.path, signal)) await patiently(connection, () => noteWiped(connection, due))
  connection.checkpoint('truncate')
  return Math.max(0, before - after) * pragma(connection, 'page_size')
}

/**
 * Gives free pages, such as those from merging segments, back to the file system, in at most so many pieces of two
 * megabytes.
 */
export async function shrink(connection: Connection, pieces: number, signal?: AbortSignal): Promise<void> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const free = pragma(connection, 'freelist_count')
    if (free === 0) return
    await writePatiently(connection, () => connection.all(`PRAGMA incremental_vacuum(${PAGES_A_PIECE})`))
    if (pragma(connection, 'freelist_count') === free) return
    await breathe(signal)
  }
}

function pragma(connection: Connection, name: string): number {
  const row = connection.get(`PRAGMA ${name}`)
  return row === undefined ? 0 : number(row, name)
}

/** Notes it. */
export function noteWipeDue(connection: Connection): void {
  connection.write(() =>
    connection.run(
      `INSERT INTO counters (name, value) VALUES ('wipe_due', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1`,
    ),
  )
}

/** A number that grows with every removal; 0 when nothing is left to be wiped. */
export function wipeDue(connection: Connection): number {
  return connection.count(`SELECT value FROM counters WHERE name = 'wipe_due'`)
}

/** Takes the note back, unless another removal began after `seen`. */
function noteWiped(connection: Connection, seen: number): void {
  connection.write(() => connection.run(`UPDATE counters SET value = 0 WHERE name = 'wipe_due' AND value = ?`, seen))
}
