/** Which lines of a profile are the machine's, who told them, and which of them go when that is taken back? */
import type { ProfileLineOrigin, TakenBackTurns } from '../../contracts/profile-store.ts'
import { PROFILE_SECTIONS, type ProfileSection } from '../../domain/profile.ts'
import { comparableStatement } from '../../text/profile-document.ts'

/** A line that the machine wrote and nobody touched since, by its exact text. */
export interface MachineLine {
  readonly section: ProfileSection
  readonly text: string
  readonly at: number
  /** Every telling of it; absent where none is known. */
  readonly origins?: readonly ProfileLineOrigin[]
}

/** Tellings of one line that are kept, the newest. */
const ORIGINS_KEPT = 64

/** The line with one telling more; the line itself where that is known already. */
export function withOrigin(line: MachineLine, origin: ProfileLineOrigin | undefined): MachineLine {
  // A line of unknown origin may have been told by anybody: one known telling must not stand for all.
  if (origin === undefined || line.origins === undefined) return line
  const known = line.origins.some((one) => isSame(one, origin))
  return known ? line : { ...line, origins: [...line.origins, origin].slice(-ORIGINS_KEPT) }
}

/** What is left of the lines, and which go: those that were told by nothing else. */
export function takenBack(
  lines: readonly MachineLine[],
  { turns, whole, profileTexts }: TakenBackTurns,
): { readonly kept: readonly MachineLine[]; readonly gone: readonly MachineLine[] } {
  const told = new Set(profileTexts.map(comparableStatement))
  const isTaken = ({ conversationId, turnIds }: ProfileLineOrigin): boolean =>
    whole.has(conversationId) || turnIds.some((turnId) => turns.get(conversationId)?.has(turnId) === true)
  const kept: MachineLine[] = []
  const gone: MachineLine[] = []
  for (const line of lines) {
    const origins = line.origins?.filter((origin) => !isTaken(origin))
    if (origins === undefined) (told.has(comparableStatement(line.text)) ? gone : kept).push(line)
    else if (origins.length === 0) gone.push(line)
    else kept.push(origins.length === line.origins?.length ? line : { ...line, origins })
  }
  return { kept, gone }
}

function isSame(one: ProfileLineOrigin, other: ProfileLineOrigin): boolean {
  return one.conversationId === other.conversationId && one.turnIds.join() === other.turnIds.join()
}

/** A machine line as the column holds it; none for what is none. */
export function machineLineOf(value: unknown): readonly MachineLine[] {
  if (typeof value !== 'object' || value === null || !('section' in value && 'text' in value && 'at' in value))
    return []
  const section = PROFILE_SECTIONS.find((known) => known === value.section)
  if (section === undefined || typeof value.text !== 'string' || typeof value.at !== 'number') return []
  const line = { section, text: value.text, at: value.at }
  return 'origins' in value && Array.isArray(value.origins)
    ? [{ ...line, origins: value.origins.flatMap(originOf) }]
    : [line]
}

function originOf(value: unknown): readonly ProfileLineOrigin[] {
  if (typeof value !== 'object' || value === null || !('conversationId' in value && 'turnIds' in value)) return []
  const { conversationId, turnIds } = value
  if (typeof conversationId !== 'string' || !Array.isArray(turnIds)) return []
  return [{ conversationId, turnIds: turnIds.filter((turnId) => typeof turnId === 'number') }]
}
