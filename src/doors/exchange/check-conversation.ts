/**
 * Checks a whole conversation before several calls store it in parts. A refused turn late in a long conversation thus
 * leaves nothing behind.
 */

import { checkContent, checkMetadata } from '../../domain/checks.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { Turn } from '../../domain/turn.ts'
import { isSameOrMasked } from '../../language/secrets/mask-secrets.ts'
import { listTurns } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import type { ExportedTurn } from './export-record.ts'

/** Rejects with `conflict` or `invalid_input` when a turn of the parts would be refused. */
export async function checkConversation(
  core: Core,
  userId: string,
  conversationId: string,
  parts: AsyncIterable<readonly ExportedTurn[]>,
): Promise<void> {
  for await (const part of parts) {
    const numbers = part.map(({ turnId }) => turnId)
    const present = await turnsBetween(core, userId, conversationId, Math.min(...numbers), Math.max(...numbers))
    for (const { turnId, role, content, metadata } of part) {
      checkContent(`turn ${turnId}.content`, content, core.options.maxContentBytes)
      checkMetadata(`turn ${turnId}.metadata`, metadata)
      const there = present.get(turnId)
      if (there !== undefined && (there.role !== role || !isSameOrMasked(there.content, content)))
        throw new MnemeError(
          'conflict',
          `Turn ${turnId} of conversation ${JSON.stringify(conversationId)} is another turn here; nothing of the conversation was stored.`,
          { remedy: 'Import it under another conversation id, or remove the conversation that is here first.' },
        )
    }
  }
}

/** The turns that are here already by their numbers; none when the conversation is new. */
async function turnsBetween(
  core: Core,
  userId: string,
  conversationId: string,
  fromTurn: number,
  toTurn: number,
): Promise<ReadonlyMap<number, Turn>> {
  try {
    const { items } = await listTurns(core.store.log, userId, conversationId, { fromTurn, toTurn, limit: 10_000 })
    return new Map(items.map((turn) => [turn.turnId, turn]))
  } catch (error) {
    if (error instanceof MnemeError && error.code === 'not_found') return new Map()
    throw error
  }
}
