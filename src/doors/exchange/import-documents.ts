/**
 * Takes in what stands behind the conversations and memories of an export: session summaries, the profile, and settings
 * where they were asked for. What the user wrote wins over what the machine wrote.
 */

import type { Profile } from '../../domain/contracts/profile-store.ts'
import type { SessionSummary } from '../../domain/contracts/session-summary-store.ts'
import type { Core } from '../../usecases/core.ts'
import { restoreProfile, restoreSessionSummaries } from '../../usecases/restore-documents.ts'
import { changeSettings, settingStates } from '../../usecases/settings.ts'
import type { GrowingReport } from './import-report.ts'
import { isRefusal } from './is-refusal.ts'

/** The documents that were read, and the position of the last one in the file. */
export interface ReadDocuments {
  readonly sessionSummaries: SessionSummary[]
  profile: Profile | null
  settings: Readonly<Record<string, unknown>>
}

/** Nothing yet. */
export function noDocuments(): ReadDocuments {
  return { sessionSummaries: [], profile: null, settings: {} }
}

/** Stores them and empties `documents`; each by itself, so that one that is refused keeps nothing else out. */
export async function importDocuments(
  core: Core,
  userId: string,
  documents: ReadDocuments,
  { at, withSettings }: { readonly at: string; readonly withSettings: boolean },
  report: GrowingReport,
): Promise<void> {
  const { profile, settings } = documents
  await importSessionSummaries(core, userId, documents.sessionSummaries, at, report)
  documents.profile = null
  documents.settings = {}
  const refusable = async (what: string, task: () => Promise<void>): Promise<void> => {
    try {
      await task()
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.refused.push({ at, what, reason: error.message, remedy: error.remedy })
    }
  }
  if (profile !== null)
    await refusable('the profile', async () => {
      const { added, existing } = await restoreProfile(core.store.profiles, userId, profile, {
        maxContentBytes: core.options.maxContentBytes,
        now: core.now(),
      })
      report.profileLinesAdded += added
      report.profileLinesExisting += existing
    })
  if (Object.keys(settings).length > 0)
    await refusable('the settings', async () => {
      const added = withSettings ? await importSettings(core, settings) : 0
      report.settingsAdded += added
      report.settingsSkipped += Object.keys(settings).length - added
    })
}

/** Stores the session summaries and empties the list; their conversations first. */
export async function importSessionSummaries(
  core: Core,
  userId: string,
  sessionSummaries: SessionSummary[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = sessionSummaries.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing } = await restoreSessionSummaries(core.store.sessionSummaries, userId, batch)
    report.sessionSummariesAdded += added
    report.sessionSummariesExisting += existing
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} session summaries`, reason: error.message, remedy: error.remedy })
  }
}

/** Sets those that nobody has set here; the number of them. */
async function importSettings(core: Core, settings: Readonly<Record<string, unknown>>): Promise<number> {
  const here = new Map(Object.entries(await settingStates(core.settings)))
  // A name that is not known goes along, to be refused by name.
  const fresh = Object.entries(settings).filter(([name]) => (here.get(name)?.source ?? 'default') === 'default')
  if (fresh.length > 0) await changeSettings(core.settings, Object.fromEntries(fresh))
  return fresh.length
}
