/** What a model was shown counts as used; that it could not be counted is no reason not to answer. */
import { reasonOf } from '../../domain/errors.ts'
import { within } from '../../domain/within.ts'
import type { OpenMemory } from '../library/index.ts'

/** Whoever asks does not wait longer for what is only counted. */
const PATIENCE_MS = 200

/** Counts these memories as used. Resolves to a warning where that failed. */
export async function countUse(memory: OpenMemory, userId: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  try {
    await within(memory.touch([...new Set(ids)], { userId }), PATIENCE_MS)
    return []
  } catch (error) {
    return [`That these were used could not be noted: ${reasonOf(error)}`]
  }
}
