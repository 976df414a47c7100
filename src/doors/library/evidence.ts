/** `memory.recall`: the turns and memories that answer a message, as a list. */
import type { Engine, RecallEvidenceInput, RecalledEvidence } from '../../engine/engine.ts'
import { isoTime, isoTimeOrNull } from './render.ts'
import type { ChooseUser, WithUser } from './users.ts'

type Item = RecalledEvidence['results'][number]

/** One text that answers: a turn, or a memory with its validity. */
export interface EvidenceView
  extends Pick<
    Item,
    'kind' | 'conversationId' | 'turnId' | 'projectRoot' | 'role' | 'speaker' | 'text' | 'excerpt' | 'score' | 'tokens'
  > {
  /** Of a memory. */
  readonly id?: string
  readonly createdAt: string
  /** Ids of memories whose whole text stands in this turn; absent where there are none. */
  readonly tells?: readonly string[]
  readonly validFrom?: string
  readonly validTo?: string | null
  readonly supersededBy?: string | null
  readonly suspect?: { readonly reason: string; readonly since: string } | null
  readonly confidence?: number
  readonly sourceTurnIds?: readonly number[]
  readonly explanation?: NonNullable<Item['explanation']>
}

/** The answer, best first. */
export interface EvidenceAnswer {
  readonly results: readonly EvidenceView[]
  /** Of all results together, as lines of a context. */
  readonly tokens: number
  readonly latencyMs: number
  readonly warnings: readonly string[]
}

/** Recalls evidence. */
export type RecallEvidence = (
  message: string,
  input?: Omit<RecallEvidenceInput, 'userId'> & WithUser,
) => Promise<EvidenceAnswer>

/** The facade over an engine. */
export function recallEvidence(engine: Engine, user: ChooseUser): RecallEvidence {
  return async (message, input) => {
    const answer = await engine.recall(message, { ...input, userId: user(input) })
    return { ...answer, results: answer.results.map(evidenceView) }
  }
}

function evidenceView({ memory, told, explanation, createdAt, ...item }: Item): EvidenceView {
  return {
    ...item,
    createdAt: isoTime(createdAt),
    ...(told.length === 0 ? {} : { tells: told.map(({ id }) => id) }),
    ...(memory === null
      ? {}
      : {
          id: memory.id,
          validFrom: isoTime(memory.validFrom),
          validTo: isoTimeOrNull(memory.validTo),
          supersededBy: memory.supersededBy,
          suspect:
            memory.suspect === null ? null : { reason: memory.suspect.reason, since: isoTime(memory.suspect.since) },
          confidence: memory.confidence,
          sourceTurnIds: memory.sourceTurnIds,
        }),
    ...(explanation === null ? {} : { explanation }),
  }
}
