/** The answer of `memory_store` for one turn, as specification 003 writes it. */
import type { StoredTurnView } from '../library/index.ts'

/** JSON for stdout. `existed`: the same external id was there before and nothing was written. */
export function storedJson(turn: StoredTurnView): Record<string, unknown> {
  const { turnId, conversationId, symbolsExtracted, storedAt, externalId, existed } = turn
  return {
    turn_id: turnId,
    conversation_id: conversationId,
    symbols_extracted: symbolsExtracted,
    stored_at: storedAt,
    ...(externalId === undefined ? {} : { external_id: externalId }),
    existed,
  }
}
