/** Which memories that these turns told have an end, are in doubt or were corrected? Found by the columns of the index, whatever was asked. */
import type { Store } from '../domain/contracts/store.ts'
import { MEMORY_DELETED, MEMORY_IN_DOUBT, MEMORY_SUPERSEDED } from '../domain/contracts/text-index.ts'
import { CORRECTED_AT, type Memory } from '../domain/memory.ts'
import type { Turn } from '../domain/turn.ts'

const OUTDATED = MEMORY_SUPERSEDED | MEMORY_IN_DOUBT

/** By turn, in their order; none of the buried, and none at all while the index is being read in. */
export async function outdatedOf(
  { index, getRows }: Pick<Store['memories'], 'index' | 'getRows'>,
  userId: string,
  turns: readonly Turn[],
): Promise<readonly (readonly Memory[])[]> {
  if (!index.isReady(userId)) return turns.map(() => [])
  const { columns, conversations, size } = await index.view(userId)
  const shown = Map.groupBy(turns, ({ conversationId }) => conversationId)
  const numbers = conversations.map(({ conversationId }) => {
    const said = shown.get(conversationId)
    return said === undefined ? null : new Set(said.map(({ turnId }) => turnId))
  })
  const rows: number[] = []
  for (let at = 0; at < size; at += 1) {
    const [flags, said] = [columns.flags[at]!, numbers[columns.conversation[at]!]!]
    if (said === null || (flags & MEMORY_DELETED) !== 0) continue
    const isOutdated = (flags & OUTDATED) !== 0 || columns.validTo[at] !== Number.POSITIVE_INFINITY
    // Only the memory itself tells whether it was corrected.
    if (isOutdated || said.has(columns.turn[at]!)) rows.push(columns.row[at]!)
  }
  const read = rows.length === 0 ? [] : await getRows(userId, rows, { includePast: true })
  const outdated = Map.groupBy(
    read.filter((memory) => memory !== null).filter(isNoLongerSo),
    (memory) => memory.conversationId,
  )
  return turns.map(({ conversationId, turnId }) =>
    (outdated.get(conversationId) ?? []).filter(({ sourceTurnIds }) => sourceTurnIds.includes(turnId)),
  )
}

function isNoLongerSo({ validTo, supersededBy, suspect, metadata }: Memory): boolean {
  return validTo !== null || supersededBy !== null || suspect !== null || metadata?.[CORRECTED_AT] !== undefined
}
