/**
 * Consolidation (002 R5, R6, R10.5): new and changed episodes are merged, told apart, and turned into facts. A run goes
 * on from a mark, memory by memory, and lets others take turns.
 */

import { checkInteger } from '../../../domain/checks.ts'
import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/pieces.ts'
import { isLivingEpisode } from '../../../thinking/merge/may-merge.ts'
import { findSimilar, TermCounts } from './find-similar.ts'
import { joinOrPart } from './join-or-part.ts'
import { promote } from './promote.ts'
import type { ConsolidateDependencies, ConsolidateOptions, ConsolidationCounts } from './types.ts'
import { noCounts, type Run, runOf } from './types.ts'

/** Changes that are read, and behind which the mark is set, at once. */
const MEMORIES_A_PIECE = 50
const USERS_A_PIECE = 100
/** Attempts at one memory while others write; then it and the rest are left to the next run. */
const ATTEMPTS = 5

/** Consolidates one user, or every user with news. Rejects `aborted`; work done before is kept. */
export async function consolidate(
  dependencies: ConsolidateDependencies,
  options: ConsolidateOptions = {},
): Promise<ConsolidationCounts> {
  if (options.maxModelCalls !== undefined)
    checkInteger('maxModelCalls', options.maxModelCalls, 0, Number.MAX_SAFE_INTEGER)
  const counts = noCounts()
  if (options.userId !== undefined) await consolidateUser(runOf(dependencies, options.userId, options, counts), options)
  else
    for (let after = ''; ; ) {
      const users = await dependencies.memories.changedUsers('consolidate', USERS_A_PIECE, after)
      for (const userId of users) await consolidateUser(runOf(dependencies, userId, options, counts), options)
      if (users.length < USERS_A_PIECE) break
      after = users.at(-1)!
    }
  return { ...counts }
}

async function consolidateUser(run: Run, { onProgress }: ConsolidateOptions): Promise<void> {
  const { memories, logger, prepare } = run.dependencies
  const before = { ...run.counts }
  const seen = new TermCounts()
  try {
    await prepare?.(run.userId)
    for (let mark = await memories.readMark(run.userId, 'consolidate'); ; ) {
      const changed = await memories.changedSince(run.userId, mark, MEMORIES_A_PIECE)
      if (changed.memories.length === 0) break
      for (const memory of changed.memories) {
        await breathe(run.signal)
        if (!(await consolidateOne(run, memory, seen))) return
      }
      mark = changed.mark
      await memories.setMark(run.userId, 'consolidate', mark)
      onProgress?.({ ...run.counts })
    }
  } finally {
    logRun(run, before, logger)
  }
}

/** false when others wrote so often in between that nothing could be planned. */
async function consolidateOne(run: Run, listed: Memory, seen: TermCounts): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const memory = await run.dependencies.memories.get(run.userId, listed.id)
    // Gone, or changed since it was listed: then it is listed again, further on.
    if (memory === null || (attempt === 0 && memory.text !== listed.text)) return true
    if (!isLivingEpisode(memory)) {
      run.counts.skipped += 1
      return true
    }
    if ((await thinkAbout(run, memory, seen)) === 'done') {
      run.counts.processed += 1
      return true
    }
  }
  return false
}

async function thinkAbout(run: Run, memory: Memory, seen: TermCounts): Promise<'done' | 'stale'> {
  const { similar, compared } = await findSimilar(run, memory, seen)
  if (!(await promote(run, memory, compared))) return 'stale'
  await breathe(run.signal)
  return (await joinOrPart(run, memory, similar)) ? 'done' : 'stale'
}

/** 002 R10.4, R10.5: operation, user and counts; a run that found nothing new says so quietly. */
function logRun(run: Run, before: ConsolidationCounts, logger: ConsolidateDependencies['logger']): void {
  const counts = Object.fromEntries(
    Object.entries(run.counts).map(([name, value]) => [name, value - before[name as keyof ConsolidationCounts]]),
  )
  const details = { operation: 'consolidate', user: run.userId, ...counts }
  if (Object.values(counts).every((count) => count === 0)) logger.debug('nothing new to consolidate', details)
  else logger.info('consolidated', details)
}
