/** Profile and session summaries of an export: the user's win over the machine's, else the present ones. */
import { checkId, checkText } from '../domain/checks.ts'
import type { SessionSummary, SessionSummaryStore } from '../domain/contracts/documents.ts'
import type { NewProfileLine, Profile, ProfileStore } from '../domain/contracts/profile-store.ts'
import { withStatement } from '../language/profile-document.ts'

/** Session summaries that are new or took the place of the machine's, and those that were left out. */
export interface RestoredSessionSummaries {
  readonly added: number
  /** Those here already, those without their conversation, and those that the user has removed. */
  readonly existing: number
}

/** Most UTF-8 bytes of a title or a snippet that a user writes. */
export const SESSION_SUMMARY_BYTES = 4096

/** Puts an exported profile back. */
export async function restoreProfile(
  profiles: ProfileStore,
  userId: string,
  profile: Profile,
  { maxContentBytes, now }: { readonly maxContentBytes: number; readonly now: number },
): Promise<{ readonly added: number; readonly existing: number }> {
  const user = checkId('userId', userId)
  const text = checkText('profile.text', profile.text, { maxBytes: maxContentBytes })
  const here = await profiles.get(user)
  const isWritten = (one: Profile): boolean => one.lines.some(({ source }) => source === 'user')
  const all = profile.lines.length
  if (here.text === text || (isWritten(here) && isWritten(profile))) return { added: 0, existing: all }
  const known = new Set(here.lines.map((line) => line.text))
  const at = Math.min(profile.updatedAt ?? now, now)
  // Lines of the machine first: a document that holds them word for word leaves them the machine's.
  const added = await profiles.addLines(user, machineLines(profile), at)
  if (here.lines.length > 0 && !isWritten(profile)) return { added: added.length, existing: all - added.length }
  const told = new Set(profile.lines.map((line) => line.text))
  const kept = machineLines(here).filter((line) => !told.has(line.text))
  await profiles.setText(
    user,
    kept.reduce((document, line) => withStatement(document, line.section, line.text), text),
    at,
  )
  const fresh = profile.lines.filter((line) => !known.has(line.text)).length
  return { added: fresh, existing: all - fresh }
}

function machineLines({ lines }: Profile): readonly NewProfileLine[] {
  return lines.flatMap(({ section, text, source, tellings = [] }) => {
    if (source !== 'machine' || section === null) return []
    return tellings.length === 0 ? [{ section, text }] : tellings.map((telling) => ({ section, text, telling }))
  })
}

/** Puts exported session summaries back; their conversations first. */
export async function restoreSessionSummaries(
  store: SessionSummaryStore,
  userId: string,
  summaries: readonly SessionSummary[],
): Promise<RestoredSessionSummaries> {
  const user = checkId('userId', userId)
  let added = 0
  for (const { conversationId, createdAt, updatedAt, edited, ...words } of summaries) {
    const id = checkId('conversationId', conversationId)
    const title = checkText('session_summary.title', words.title, { maxBytes: SESSION_SUMMARY_BYTES })
    const snippet = checkText('session_summary.snippet', words.snippet, { maxBytes: SESSION_SUMMARY_BYTES })
    const here = await store.get(user, id)
    if (here !== null && (here.edited || !edited)) continue
    if (here === null && !(await store.put(user, { conversationId: id, title, snippet }, createdAt))) continue
    if (edited) await store.update(user, id, { title, snippet }, updatedAt)
    else if (updatedAt !== createdAt) await store.put(user, { conversationId: id, title, snippet }, updatedAt)
    added += 1
  }
  return { added, existing: summaries.length - added }
}
