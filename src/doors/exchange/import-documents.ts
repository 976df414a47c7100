/**
 * Imports the documents at the end of an export: session summaries, profile and, if requested, settings. The user's own
 * text wins over generated text.
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

/** Stores the documents one by one and empties `documents`; a refused one does not stop the others. */
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

/** Sets the settings that are still unset here; resolves to their number. */
async function importSettings(core: Core, settings: Readonly<Record<string, unknown>>): Promise<number> {
  const here = new Map(Object.entries(await settingStates(core.settings)))
  // An unknown name is kept, so that it is refused by name.
  const fresh = Object.entries(settings).filter(([name]) => (here.get(name)?.source ?? 'default') === 'default')
  if (fresh.length > 0) await changeSettings(core.settings, Object.fromEntries(fresh))
  return fresh.length
}
