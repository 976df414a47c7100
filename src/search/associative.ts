/**
 * How strongly is a memory associated with a message (002, R3.4, which leaves the weights open)? Similarity first,
 * semantic above episodic, recent episodes and often used ones above others.
 */
import { DAY_MS } from '../domain/clock.ts'
import type { Memory } from '../domain/memory.ts'
import type { FeatureScore } from '../domain/recall.ts'
import { frequencyScore } from './long-term.ts'
import { weightsOf } from './rankings.ts'

const ASSOCIATIVE_WEIGHTS = weightsOf<'similarity' | 'type' | 'decay' | 'hits'>('associative')
/** 002 R3.3: so many of each type at the most. */
export const K_SEMANTIC = 5
export const K_EPISODIC = 5
/** The worth of an episode beside a lasting fact. */
const EPISODIC_TYPE = 0.5
/** The time after which half of an episode's freshness is gone. */
const EPISODE_HALF_LIFE_MS = 30 * DAY_MS

/** The four factors with their parts in the score; `similarity` in [0, 1], and lasting facts do not decay. */
export function associativeFeatures(
  memory: Pick<Memory, 'memoryType' | 'occurredAt' | 'accessCount'>,
  similarity: number,
  now: number,
): readonly FeatureScore[] {
  const isEpisode = memory.memoryType === 'episodic'
  const age = Math.max(0, now - memory.occurredAt)
  const values: Readonly<Record<keyof typeof ASSOCIATIVE_WEIGHTS, number>> = {
    similarity: Math.min(1, Math.max(0, similarity)),
    type: isEpisode ? EPISODIC_TYPE : 1,
    decay: isEpisode ? 0.5 ** (age / EPISODE_HALF_LIFE_MS) : 1,
    hits: frequencyScore(memory.accessCount),
  }
  return Object.entries(ASSOCIATIVE_WEIGHTS).map(([feature, weight]) => {
    const value = values[feature as keyof typeof ASSOCIATIVE_WEIGHTS]
    return { feature, value, weight, contribution: weight * value }
  })
}
