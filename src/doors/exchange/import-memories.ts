/** How do memories that were read come into the engine? A batch at a time: all of it or none, and told so. */
import type { WorkingMemory } from '../../domain/memory.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RestoredMemory } from '../../engine/memories.ts'
import type { GrowingReport } from './import-report.ts'
import { isRefusal } from './is-refusal.ts'

/** Hands over the memories that were read and empties their list; what is refused is reported. */
export async function importMemories(
  engine: Engine,
  userId: string,
  memories: RestoredMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = memories.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing } = await engine.memories.restore(userId, batch)
    report.memoriesAdded += added
    report.memoriesExisting += existing
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} memories`, reason: error.message, remedy: error.remedy })
  }
}

/** Hands over the working memories that were read and empties their list; what is refused is reported. */
export async function importWorkingMemories(
  engine: Engine,
  userId: string,
  working: WorkingMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = working.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing, expired } = await engine.workingMemory.restore(userId, batch)
    report.workingMemoriesAdded += added
    report.workingMemoriesExisting += existing
    report.workingMemoriesExpired += expired
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} working memories`, reason: error.message, remedy: error.remedy })
  }
}
