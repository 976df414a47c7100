/**
 * Which turns is no model shown outside of their conversation? Those that tell a buried or left out
 * memory, that may not be kept or were taken back, and their answers.
 */
import type { Store } from '../domain/contracts/store.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import { type Memory, sourcesOf } from '../domain/memory.ts'
import { ROLES } from '../domain/turn.ts'
import { forbidsKeeping, isForgottenAfter } from '../language/forget-orders.ts'
import type { RankedPiece } from '../search/rank-hybrid.ts'
import { placeOf } from '../search/turn-results.ts'
import { turnName } from './read-window.ts'

const USER = ROLES.indexOf('user')
/** Turns of tools between a message and its answer that are passed over. */
const MOST_BETWEEN = 8
/** Index terms of a message that can order nothing but to forget. */
const LONGEST_ORDER = 24

type FoundTurn = Awaited<ReturnType<Store['log']['turnsByRow']>>[number]

/** The memories that no model is shown: the buried ones, and those of these ids. */
export async function leftOutOf(
  { memories }: Pick<Store, 'memories'>,
  userId: string,
  ids: readonly string[] = [],
): Promise<readonly Memory[]> {
  const named = ids.length === 0 ? [] : await memories.getMany(userId, ids, { includePast: true, includeBuried: true })
  return [...named, ...(await memories.buried(userId))]
}

/** The names of the turns that tell these. */
export function turnsTelling(memories: readonly Memory[]): ReadonlySet<string> {
  return new Set(
    memories
      .flatMap(sourcesOf)
      .flatMap(({ conversation_id: id, turn_ids }) => (id === null ? [] : turn_ids.map((turn) => turnName(id, turn)))),
  )
}

/** The conversations that tell these: a title or the words at their end may do so, too. */
export function conversationsTelling(memories: readonly Memory[]): ReadonlySet<string | null> {
  return new Set(memories.flatMap(sourcesOf).map(({ conversation_id: id }) => id))
}

/** The name of the turn in this place. */
export function nameOf(ordinal: number, view: TurnView): string {
  return turnName(placeOf(ordinal, view).conversationId, view.columns.number[ordinal]!)
}

/** The places of these pieces whose turns are hidden, as they have one of these names, answer one, or may not be kept. */
export async function hiddenAmong(
  log: Pick<Store['log'], 'turnsByRow'>,
  userId: string,
  pieces: readonly RankedPiece[],
  { view, turns, hidden }: { view: TurnView; turns: readonly FoundTurn[]; hidden: ReadonlySet<string> },
): Promise<ReadonlySet<number>> {
  const { previous, next, length, row } = view.columns
  const rounds = pieces.flatMap(({ ordinal }) => {
    const message = nearestMessage(ordinal, previous, view)
    if (message < 0) return []
    const reply = nearestMessage(next[message]!, next, view)
    return [{ ordinal, message, reply: reply >= 0 && length[reply]! <= LONGEST_ORDER ? reply : -1 }]
  })
  const texts = new Map(turns.map((turn) => [turn.row, turn.content]))
  const asked = new Set(rounds.flatMap(({ message, reply }) => (reply < 0 ? [message] : [message, reply])))
  const others = [...asked].filter((ordinal) => !texts.has(row[ordinal]!)).map((ordinal) => placeOf(ordinal, view))
  for (const turn of await log.turnsByRow(userId, others)) texts.set(turn.row, turn.content)
  const textOf = (ordinal: number): string => texts.get(row[ordinal]!) ?? ''
  const isOut = ({ message, reply }: (typeof rounds)[number]): boolean =>
    hidden.has(nameOf(message, view)) ||
    forbidsKeeping(textOf(message)) ||
    (reply >= 0 && isForgottenAfter(textOf(message), textOf(reply)))
  return new Set(rounds.filter(isOut).map(({ ordinal }) => ordinal))
}

/** The nearest message of a user from a place on, itself among them; -1 for none. */
function nearestMessage(ordinal: number, following: Int32Array, { columns, size }: TurnView): number {
  let at = ordinal
  for (let steps = 0; at >= 0 && at < size && columns.role[at] !== USER; steps += 1)
    at = steps < MOST_BETWEEN ? following[at]! : -1
  return at < size ? at : -1
}
