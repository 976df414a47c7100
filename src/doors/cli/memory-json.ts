/** Long-term memories as JSON: their own fields in snake_case, what a caller stored in them as it is. */
import type { AddView } from '../library/memories.ts'
import { snakeNames } from '../operations/names.ts'

/** What became of the memories of one call. */
export function addedJson({ results, rejected, jobId }: AddView) {
  return {
    results: results.map(snakeNames),
    rejected: rejected.map(snakeNames),
    ...(jobId === undefined ? {} : { job_id: jobId }),
  }
}
