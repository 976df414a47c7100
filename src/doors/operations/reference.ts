/** Names a memory or turn by one word, for `fetch` and resources. */
import { invalid } from '../../domain/errors.ts'

/** The target of a reference. */
export type Referred =
  | { readonly kind: 'memory'; readonly id: string }
  | { readonly kind: 'turn'; readonly conversationId: string; readonly turnId: number }

const TURN = /^turn:(\d{1,15}):(.+)$/s
/** Resources of one memory or turn. */
const SCHEME = 'mneme://'
const MEMORY_URI = /^mneme:\/\/memory\/([^/]+)$/
const TURN_URI = /^mneme:\/\/turn\/([^/]+)\/(\d{1,15})$/

/** The reference of a turn, such as `turn:12:conv-20260117-3f9a1c07d2`; a memory's reference is its id. */
export function turnReference(conversationId: string, turnId: number): string {
  return `turn:${turnId}:${conversationId}`
}

/** The target of `fetch`: a memory by its id, or a turn. */
export function readReference(id: string): Referred {
  const turn = TURN.exec(id)
  if (turn === null) return { kind: 'memory', id }
  return { kind: 'turn', turnId: turnNumber(turn[1]), conversationId: turn[2] ?? '' }
}

/** The address of the resource. */
export function referenceUri(referred: Referred): string {
  if (referred.kind === 'memory') return `${SCHEME}memory/${encodeURIComponent(referred.id)}`
  return `${SCHEME}turn/${encodeURIComponent(referred.conversationId)}/${referred.turnId}`
}

/** The target of a resource's address; null when it is neither a memory nor a turn. */
export function readReferenceUri(uri: string): Referred | null {
  const memory = MEMORY_URI.exec(uri)?.[1]
  const turn = TURN_URI.exec(uri)
  try {
    if (memory !== undefined) return { kind: 'memory', id: decodeURIComponent(memory) }
    if (turn?.[1] === undefined) return null
    return { kind: 'turn', conversationId: decodeURIComponent(turn[1]), turnId: turnNumber(turn[2]) }
  } catch {
    return null
  }
}

function turnNumber(digits: string | undefined): number {
  const number = Number(digits)
  if (number < 1) throw invalid('id', 'names turn 0', 'Turns are numbered from 1.')
  return number
}
