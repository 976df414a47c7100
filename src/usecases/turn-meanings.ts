/** The meanings of a user's turns, kept in memory and store; new ones are made in the background. */
import { placeIn } from '../domain/binary-search.ts'
import type { MeaningChunk, Store } from '../domain/contracts/store.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import type { Logger } from '../domain/logger.ts'
import { giveWay } from '../domain/scheduling.ts'
import { isLatin } from '../language/character-class.ts'
import { CODE_COUNT, loadWordVectors } from '../language/word-vectors.ts'
import { isCompared, type MeantTurns, meaningScores } from '../search/meaning/meaning-scores.ts'
import { MeaningArena, type MeaningStore } from '../search/meaning/meaning-store.ts'
import { placeOf } from '../search/turn-results.ts'
import { memoryMeanings } from './memory-meanings.ts'

export interface MeaningDependencies {
  readonly store: Pick<Store, 'index' | 'log' | 'meanings' | 'memories'>
  readonly logger: Logger
  /** false: no codes are made in the background; each question makes some of the missing ones. */
  readonly background: boolean
}

/** The quiet time before codes are made, so that storing many turns in a row is not slowed down. */
const PAUSE_MS = 200
const CHUNK_TURNS = 128
/** The terms of turns whose codes are made while somebody waits, about 20 ms. */
const TERMS_AT_ONCE = 8192
const TERMS_READ = 128
const PIECE = 32
/** Turns of all users that are kept in memory, 293 bytes each; questions of further users are answered by words. */
const KEPT_TURNS = 200_000
/** Milliseconds without a question after which a user's meanings may go. */
const IDLE_MS = 60_000
/** Codes of a longer log are read in the background, in 20 ms for 10,000 turns. */
const LOADED_AT_ONCE = 4096
/** The newest turns whose codes are read by a process that answers one question; older ones are found by words. */
const LOADED_FOR_ONE = 16_384

/** The codes of one user's turns, in ascending order of their rows. */
interface UserMeanings {
  readonly store: MeaningStore
  rows: number[]
  /** The row from which on turns have codes: later than the first one where only the newest were read. */
  from: number
  /** The number of texts that no chunk holds yet. */
  unkept: number
  /** The view for which gaps were looked for. */
  columns: TurnView['columns'] | null
  /** The time of the last use, on the clock of `performance`. */
  usedAt: number
}

/** The meanings of turns and memories by the table of word vectors. */
export type Meanings = ReturnType<typeof turnMeanings>

export function turnMeanings({ store, logger, background }: MeaningDependencies) {
  const arena = new MeaningArena()
  /** The turns of a log without meanings. */
  const noTurns: MeantTurns = { store: arena.open(), ordinalOf: () => -1, textOf: () => -1 }
  const closing = new AbortController()
  const remembered = memoryMeanings(store.memories, arena, closing.signal)
  /** Least recently used first. */
  const users = new Map<string, UserMeanings>()
  const due = new Set<string>()
  let working: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  const load = async (userId: string): Promise<UserMeanings> => {
    const known = users.get(userId)
    if (known !== undefined) {
      known.usedAt = performance.now()
      users.delete(userId)
      users.set(userId, known)
      return known
    }
    const most = background ? Number.MAX_SAFE_INTEGER : LOADED_FOR_ONE
    const chunks = await store.meanings.chunks(userId, most)
    const read = chunks.reduce((sum, { rows }) => sum + rows.length, 0)
    const from = read < most ? 0 : (chunks[0]?.rows[0] ?? 0)
    const loaded: UserMeanings = {
      store: arena.open(),
      rows: [],
      from,
      unkept: 0,
      columns: null,
      usedAt: performance.now(),
    }
    for (const { rows, codes } of chunks)
      rows.forEach((row, at) => {
        push(loaded, row, codes.subarray(at * CODE_COUNT, (at + 1) * CODE_COUNT))
      })
    users.set(userId, loaded)
    return loaded
  }

  /** true when there is room for so many turns more, after idle users have given theirs back. */
  const hasRoom = (turns: number): boolean => {
    let kept = turns
    for (const { rows } of users.values()) kept += rows.length
    for (const [userId, one] of users) {
      if (kept <= KEPT_TURNS || performance.now() - one.usedAt < IDLE_MS) break
      kept -= one.rows.length
      one.store.clear()
      users.delete(userId)
    }
    return kept <= KEPT_TURNS || users.size === 0
  }

  /** Ordinals whose codes are not there; where some are missing between others, all are made anew. */
  const missing = (user: UserMeanings, view: TurnView): readonly [from: number, to: number] => {
    const { row } = view.columns
    const last = user.rows.at(-1) ?? -1
    if (user.columns !== view.columns) {
      user.columns = view.columns
      const held = new Set(user.rows)
      for (let ordinal = 0; ordinal < view.size && row[ordinal]! <= last; ordinal += 1)
        if (row[ordinal]! >= user.from && !held.has(row[ordinal]!)) {
          user.store.clear()
          user.rows = []
          user.from = 0
          user.unkept = 0
          return [0, view.size]
        }
    }
    let from = view.size
    while (from > 0 && row[from - 1]! > last) from -= 1
    return [from, view.size]
  }

  const encode = async (userId: string, user: UserMeanings, view: TurnView, from: number, to: number) => {
    const places = Array.from({ length: to - from }, (_, at) => placeOf(from + at, view))
    const { rows } = user
    const turns = new Map((await store.log.turnsByRow(userId, places)).map((turn) => [turn.row, turn.content]))
    const { encode: codesOf } = await loadWordVectors()
    for (const [at, { row }] of places.entries()) {
      if (at % PIECE === PIECE - 1) await giveWay(userId)
      // Another call may have begun anew.
      if (user.rows !== rows) return
      // Another call may have been quicker.
      if (row <= (user.rows.at(-1) ?? -1)) continue
      const text = turns.get(row)
      push(user, row, text !== undefined && isLatin(text) ? codesOf(text) : null)
      user.unkept += 1
    }
  }

  const keep = async (userId: string, user: UserMeanings): Promise<void> => {
    while (user.unkept >= CHUNK_TURNS) {
      const first = user.rows.length - user.unkept
      const hasMeaning = (at: number): boolean => user.store.codes(at).some((code) => code !== 0)
      const chunks: MeaningChunk[] = []
      user.unkept -= CHUNK_TURNS
      // Turns of which the table knows no word, as Chinese ones, are in chunks of their own, which take no room.
      for (let from = first, to = from; from < first + CHUNK_TURNS; from = to) {
        const isMeant = hasMeaning(from)
        while (to < first + CHUNK_TURNS && hasMeaning(to) === isMeant) to += 1
        const codes = new Int8Array(isMeant ? (to - from) * CODE_COUNT : 1)
        for (let at = from; isMeant && at < to; at += 1) codes.set(user.store.codes(at), (at - from) * CODE_COUNT)
        chunks.push({ rows: Float64Array.from(user.rows.slice(from, to)), codes })
      }
      await store.meanings.keep(userId, chunks)
    }
  }

  const catchUp = async (userId: string): Promise<void> => {
    let view = await store.index.view(userId)
    if (!users.has(userId) && !hasRoom(view.size)) return
    const user = await load(userId)
    for (; ; view = await store.index.view(userId)) {
      const [from, to] = missing(user, view)
      if (to > from) await encode(userId, user, view, from, Math.min(to, from + PIECE))
      await keep(userId, user)
      if (from === to || closing.signal.aborted) break
      await giveWay(userId)
    }
  }

  const work = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    for (const userId of due) {
      due.delete(userId)
      if (closing.signal.aborted) break
      await catchUp(userId).catch((error: unknown) => {
        users.delete(userId)
        logger.warn('meanings of turns could not be made yet', { operation: 'meaning', reason: String(error) })
      })
    }
    working = null
    if (due.size > 0 && !closing.signal.aborted) working = work()
  }

  const begin = (): void => {
    working ??= work()
  }

  const soon = (userId: string): void => {
    if (closing.signal.aborted) return
    due.add(userId)
    if (!background || working !== null) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(begin, PAUSE_MS).unref()
  }

  /** Like `soon`; but questions in a row do not put it off. */
  const askedFor = (userId: string): void => {
    if (timer === null) soon(userId)
    else due.add(userId)
  }

  /** The meanings of a view's turns, as far as they are there or soon made. */
  const ofTurns = async (userId: string, view: TurnView): Promise<UserMeanings | null> => {
    if (view.size === 0) return null
    if (!users.has(userId)) {
      if (!hasRoom(view.size)) return null
      if (background && view.size > LOADED_AT_ONCE) {
        askedFor(userId)
        return null
      }
    }
    const user = await load(userId)
    const [from, to] = missing(user, view)
    let end = from
    for (let terms = 0; end < to && terms < TERMS_AT_ONCE; end += 1)
      terms += Math.min(TERMS_READ, view.columns.length[end]!)
    if (end > from) await encode(userId, user, view, from, end)
    if (!background) await keep(userId, user)
    else if (end < to || user.unkept >= CHUNK_TURNS) askedFor(userId)
    return user
  }

  return {
    /** The scores of the view's turns, and of memories if asked; null where no meaning is known. */
    scores: async (userId: string, view: TurnView, question: string, withMemories = false) => {
      if (!isLatin(question)) return null
      const memories = withMemories ? await remembered.of(userId) : null
      const user = await ofTurns(userId, view)
      return meaningScores(question, user === null ? noTurns : turnsOf(user, view), memories)
    },
    /** The meanings of a user's memories, and those alike enough to answer with any words; null for no known meaning. */
    ofMemories: async (userId: string, question: string) => {
      const memories = isLatin(question) && isCompared(question) ? await remembered.of(userId) : null
      const scores = memories === null ? null : await meaningScores(question, noTurns, memories)
      if (memories === null || scores === null) return null
      const least = closeEnough(memories.store.count)
      return { scores, close: scores.nearestMemories.filter(({ cosine }) => cosine >= least) }
    },
    /** Makes the codes of this user's stored turns, in the background. */
    soon,
    idle: async (): Promise<void> => {
      if (due.size > 0) begin()
      while (working !== null) await working
      await remembered.idle()
    },
    close: async (): Promise<void> => {
      closing.abort()
      if (timer !== null) clearTimeout(timer)
      await working
      await remembered.idle()
    },
  }
}

function push(user: UserMeanings, row: number, codes: Int8Array | null): void {
  user.rows.push(row)
  user.store.append(codes?.some((code) => code !== 0) === true ? codes : null)
}

function turnsOf({ store, rows }: UserMeanings, { columns: { row }, size }: TurnView): MeantTurns {
  return {
    store,
    // Mostly both stand at the same place.
    ordinalOf: (text) => (row[text] === rows[text] && text < size ? text : placeIn(row, rows[text]!, size)),
    textOf: (ordinal) => (row[ordinal] === rows[ordinal] ? ordinal : placeIn(rows, row[ordinal]!, rows.length)),
  }
}

/**
 * The cosine from which a text answers, whatever its words; higher for more texts, as some are alike by chance. One in
 * twenty messages without an answer passes (the same development data).
 */
function closeEnough(texts: number): number {
  return 0.33 + 0.028 * Math.log1p(texts)
}
