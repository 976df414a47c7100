/** Which lines of a profile are the machine's, what tells them, and which of them go when that is taken back? */
import type { ProfileLine, TakenBackTurns, Telling } from '../../domain/contracts/profile-store.ts'
import { PROFILE_SECTIONS, type ProfileSection } from '../../domain/profile.ts'

/** A line that the machine wrote and nobody touched since, by its exact text. */
export interface MachineLine {
  /** Number of the line, by which its sources name it. */
  readonly id: number
  readonly section: ProfileSection
  readonly text: string
  readonly at: number
  /** None where none is known. */
  readonly tellings: readonly Telling[]
}

/** Tellings of one line that are kept, the newest. */
const TELLINGS_KEPT = 64

/** The line with one more telling; the unchanged line where that is known already. */
export function withTelling(line: MachineLine, telling: Telling | undefined): MachineLine {
  // A line without a known telling may have any source, so one telling must not stand for all.
  if (telling === undefined || line.tellings.length === 0) return line
  const known = line.tellings.some((one) => JSON.stringify(one) === JSON.stringify(telling))
  return known ? line : { ...line, tellings: [...line.tellings, telling].slice(-TELLINGS_KEPT) }
}

/** The remaining lines and the leaving ones. */
export interface LeftLines {
  readonly kept: readonly MachineLine[]
  readonly gone: readonly MachineLine[]
}

/** The lines without those told by these turns alone; lines without a known telling stay. */
export function takenBack(lines: readonly MachineLine[], { turns, whole }: TakenBackTurns): LeftLines {
  const isTaken = (telling: Telling): boolean =>
    'conversationId' in telling &&
    (whole.has(telling.conversationId) ||
      telling.turnIds.some((turnId) => turns.get(telling.conversationId)?.has(turnId) === true))
  return leftOf(lines, isTaken, (line, left) => left.length === 0 && line.tellings.length > 0)
}

/** Without this memory: those go that no other one says. */
export function withoutMemory(lines: readonly MachineLine[], memoryId: string): LeftLines {
  return leftOf(
    lines,
    (telling) => 'memoryIds' in telling && telling.memoryIds.includes(memoryId),
    (line, left) => left.length < line.tellings.length && !left.some((telling) => 'memoryIds' in telling),
  )
}

function leftOf(
  lines: readonly MachineLine[],
  isTaken: (telling: Telling) => boolean,
  goes: (line: MachineLine, left: readonly Telling[]) => boolean,
): LeftLines {
  const kept: MachineLine[] = []
  const gone: MachineLine[] = []
  for (const line of lines) {
    const left = line.tellings.filter((telling) => !isTaken(telling))
    if (goes(line, left)) gone.push(line)
    else kept.push(left.length === line.tellings.length ? line : { ...line, tellings: left })
  }
  return { kept, gone }
}

/** A machine line from the column, without its tellings; none for an invalid value. */
export function machineLineOf(value: unknown): readonly MachineLine[] {
  if (typeof value !== 'object' || value === null) return []
  const { id, section: named, text, at } = value as Record<string, unknown>
  const section = PROFILE_SECTIONS.find((known) => known === named)
  if (section === undefined || typeof id !== 'number' || typeof text !== 'string' || typeof at !== 'number') return []
  return [{ id, section, text, at, tellings: [] }]
}

/** The line as the contract shows it. */
export function shownLine({ section, text, at, tellings }: MachineLine): ProfileLine {
  const line = { section, text, source: 'machine' as const, updatedAt: at }
  return tellings.length === 0 ? line : { ...line, tellings }
}
