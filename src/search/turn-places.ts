/** Where in a view is a turn that is known by its conversation and its number? */
import type { TurnColumns, TurnView } from '../domain/contracts/turn-index.ts'

interface Places {
  size: number
  /** By index of the conversation, the ordinals of its turns in order. */
  readonly ordinals: number[][]
  /** Index by id, of as many conversations as there were. */
  byId: ReadonlyMap<string, number>
}

/** Columns only grow, so that a later look adds only the new. */
const known = new WeakMap<TurnColumns, Places>()

function placesOf({ columns, size, conversations }: TurnView): Places {
  let places = known.get(columns)
  if (places === undefined) {
    places = { size: 0, ordinals: [], byId: new Map() }
    known.set(columns, places)
  }
  for (; places.size < size; places.size++) {
    const index = columns.conversation[places.size]!
    const list = places.ordinals[index]
    if (list === undefined) places.ordinals[index] = [places.size]
    else list.push(places.size)
  }
  if (places.byId.size !== conversations.length)
    places.byId = new Map(conversations.map(({ conversationId }, index) => [conversationId, index]))
  return places
}

/** Ordinal of the turn with this number; -1 when the view has no such turn. */
export function ordinalOfTurn(conversationId: string, number: number, view: TurnView): number {
  const { byId, ordinals } = placesOf(view)
  const index = byId.get(conversationId)
  const list = index === undefined ? undefined : ordinals[index]
  if (list === undefined) return -1
  const numbers = view.columns.number
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[list[middle]!]! < number) low = middle + 1
    else high = middle
  }
  const found = list[low]
  return found !== undefined && found < view.size && numbers[found] === number ? found : -1
}
