/** Asks the engine's own recall over turns in memory, and answers with the positions of the turns found. */
import type { RecallRequest } from '../../src/domain/recall.ts'
import { recallTurns } from '../../src/search/recall.ts'
import { inMemorySources, type PlainTurn } from '../../test/support/in-memory-view.ts'
import type { SimilarTurns } from './local-similarity.ts'

/** Positions in the list of turns, best first. */
export type Ask = (query: string, now: number) => Promise<readonly number[]>

/** Indexes the turns as one user's; every question is answered by `hybrid` with 50 turns. `similar`: with vectors. */
export function asker(
  turns: readonly PlainTurn[],
  ranking: RecallRequest['ranking'] = 'hybrid',
  similar: SimilarTurns | null = null,
): Ask {
  const { view, log } = inMemorySources(turns)
  const positions = new Map<string, number>()
  const { columns } = view
  for (let at = 0; at < view.size; at++) {
    const { conversationId } = view.conversations[columns.conversation[at]!]!
    positions.set(`${columns.number[at]!}/${conversationId}`, at)
  }
  return async (query, now) => {
    const similarity = similar === null ? null : await similar(query)
    const { results } = await recallTurns(
      {
        query,
        userId: 'user',
        conversationId: null,
        projectRoot: null,
        limit: 50,
        ranking,
        kinds: ['turn'],
        now,
        since: null,
        until: null,
        explain: false,
      },
      { view, log, similarity },
    )
    return results.flatMap(({ conversationId, turnId }) => positions.get(`${turnId}/${conversationId}`) ?? [])
  }
}
