/** Which memories that these turns told have an end or are in doubt? Found by the columns of the index, whatever was asked. */
import type { Store } from '../domain/contracts/store.ts'
import { MEMORY_DELETED, MEMORY_IN_DOUBT, MEMORY_SUPERSEDED } from '../domain/contracts/text-index.ts'
import type { Memory } from '../domain/memory.ts'
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
  const shown = new Set(turns.map(({ conversationId }) => conversationId))
  const isShown = conversations.map(({ conversationId }) => shown.has(conversationId))
  const rows: number[] = []
  for (let at = 0; at < size; at += 1) {
    const flags = columns.flags[at]!
    if (!isShown[columns.conversation[at]!] || (flags & MEMORY_DELETED) !== 0) continue
    const isOutdated = (flags & OUTDATED) !== 0 || columns.validTo[at] !== Number.POSITIVE_INFINITY
    if (isOutdated) rows.push(columns.row[at]!)
  }
  const read = rows.length === 0 ? [] : await getRows(userId, rows, { includePast: true })
  const outdated = Map.groupBy(
    read.filter((memory) => memory !== null),
    (memory) => memory.conversationId,
  )
  return turns.map(({ conversationId, turnId }) =>
    (outdated.get(conversationId) ?? []).filter(({ sourceTurnIds }) => sourceTurnIds.includes(turnId)),
  )
}
