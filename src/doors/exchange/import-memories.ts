/** How do memories that were read come into the memory? A batch at a time: all of it or none, and told so. */

import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { WorkingMemory } from '../../domain/memory.ts'
import type { Core } from '../../usecases/core.ts'
import { restoreMemories } from '../../usecases/memories-edit.ts'
import { restoreWorkingMemory } from '../../usecases/working-memory.ts'
import type { GrowingReport } from './import-report.ts'
import { isRefusal } from './is-refusal.ts'

/** Stores the memories read so far and empties their list; refused ones are reported. */
export async function importMemories(
  core: Core,
  userId: string,
  memories: RestoredMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = memories.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing } = await restoreMemories(core.store.memories, userId, batch, core.options.maxContentBytes)
    core.done('restore', userId, added)
    await core.thinking.embedSoon(userId)
    report.memoriesAdded += added
    report.memoriesExisting += existing
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} memories`, reason: error.message, remedy: error.remedy })
  }
}

/** Stores the working memories read so far and empties their list; refused ones are reported. */
export async function importWorkingMemories(
  core: Core,
  userId: string,
  working: WorkingMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = working.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing, expired } = await restoreWorkingMemory(
      core.store.workingMemory,
      core.options.clock,
      userId,
      batch,
    )
    report.workingMemoriesAdded += added
    report.workingMemoriesExisting += existing
    report.workingMemoriesExpired += expired
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} working memories`, reason: error.message, remedy: error.remedy })
  }
}
