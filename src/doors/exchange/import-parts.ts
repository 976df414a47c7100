/**
 * How does an import store what is no conversation: memories, working memories, session summaries, profile and settings?
 * A batch is stored whole or not at all; the user's own text wins over generated text.
 */

import type { SessionSummary } from '../../domain/contracts/documents.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { Profile } from '../../domain/contracts/profile-store.ts'
import type { WorkingMemory } from '../../domain/memory.ts'
import type { Core } from '../../usecases/core.ts'
import { restoreMemories } from '../../usecases/memories-edit.ts'
import { changeSettings, settingStates } from '../../usecases/options.ts'
import { restoreProfile, restoreSessionSummaries } from '../../usecases/restore-conversation.ts'
import { restoreWorkingMemory } from '../../usecases/working-memory.ts'
import { type Importing, orRefused } from './import-report.ts'

/** Stores a list in one call and empties it; `at` is the place of its last item. */
async function inOneCall<T>(
  importing: Importing,
  list: T[],
  { at, what }: { readonly at: string; readonly what: string },
  store: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  const batch = list.splice(0)
  if (batch.length > 0) await orRefused(importing, at, `${batch.length} ${what}`, () => store(batch))
}

/** Stores the memories read so far and empties their list. */
export function importMemories(importing: Importing, memories: RestoredMemory[], at: string): Promise<void> {
  const { core, userId, report } = importing
  return inOneCall(importing, memories, { at, what: 'memories' }, async (batch) => {
    const { added, existing } = await restoreMemories(core.store.memories, userId, batch, core.options.maxContentBytes)
    core.done('restore', userId, added)
    await core.thinking.embedSoon(userId)
    report.memoriesAdded += added
    report.memoriesExisting += existing
  })
}

/** Stores the working memories read so far and empties their list. */
export function importWorkingMemories(importing: Importing, working: WorkingMemory[], at: string): Promise<void> {
  const { core, userId, report } = importing
  return inOneCall(importing, working, { at, what: 'working memories' }, async (batch) => {
    const counts = await restoreWorkingMemory(core.store.workingMemory, core.options.clock, userId, batch)
    report.workingMemoriesAdded += counts.added
    report.workingMemoriesExisting += counts.existing
    report.workingMemoriesExpired += counts.expired
  })
}

/** Stores the session summaries and empties the list; their conversations come first. */
export function importSessionSummaries(importing: Importing, summaries: SessionSummary[], at: string): Promise<void> {
  const { core, userId, report } = importing
  return inOneCall(importing, summaries, { at, what: 'session summaries' }, async (batch) => {
    const { added, existing } = await restoreSessionSummaries(core.store.sessionSummaries, userId, batch)
    report.sessionSummariesAdded += added
    report.sessionSummariesExisting += existing
  })
}

/** Stores the profile. */
export function importProfile(importing: Importing, profile: Profile, at: string): Promise<void> {
  const { core, userId, report } = importing
  return orRefused(importing, at, 'the profile', async () => {
    const { added, existing } = await restoreProfile(core.store.profiles, userId, profile, {
      maxContentBytes: core.options.maxContentBytes,
      now: core.now(),
    })
    report.profileLinesAdded += added
    report.profileLinesExisting += existing
  })
}

/** Sets the settings that are still unset here, if that is wanted. */
export function importSettings(
  importing: Importing,
  settings: Readonly<Record<string, unknown>>,
  { at, isWanted }: { readonly at: string; readonly isWanted: boolean },
): Promise<void> {
  const { core, report } = importing
  return orRefused(importing, at, 'the settings', async () => {
    const added = isWanted ? await setFresh(core, settings) : 0
    report.settingsAdded += added
    report.settingsSkipped += Object.keys(settings).length - added
  })
}

async function setFresh(core: Core, settings: Readonly<Record<string, unknown>>): Promise<number> {
  const here = new Map(Object.entries(await settingStates(core.settings)))
  // An unknown name is kept, so that it is refused by name.
  const fresh = Object.entries(settings).filter(([name]) => (here.get(name)?.source ?? 'default') === 'default')
  if (fresh.length > 0) await changeSettings(core.settings, Object.fromEntries(fresh))
  return fresh.length
}
