/**
 * What becomes of the profile when a memory ends, is edited, or is deleted? The machine's lines that say the same lose that
 * clause, or go where nothing else is left of them. Lines that the user wrote or changed stay.
 */

import { LONGEST_LINE, MOST_LINES } from '../../cognition/profile-lines/rules.ts'
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { ProfileLine, ProfileStore } from '../../contracts/profile-store.ts'
import type { Memory } from '../../domain/memory.ts'
import { type MatchedMemories, matchMemories } from '../../search/match-memories.ts'
import { memorySearchTerms } from '../memories-terms.ts'
import type { Outcome } from './plan-changes.ts'
import { lineWithout, mayBeIn, type Said, saidBy, statementsBeside } from './said-in-line.ts'

/** What of the store of profiles is needed. */
export type LineStore = Pick<ProfileStore, 'get' | 'revise'>

/** Characters of a text of which statements come into the profile: nobody reads them out of a document. */
const LONGEST_EDIT = 2000
/** Memories that may say what a line says, at most. */
const MOST_SAYING = 20

/** What of the stores is needed. */
export interface LineStores {
  readonly memories: MatchedMemories & Pick<MemoryStore, 'getMany'>
  readonly profiles: LineStore
}

/** Removes what these outcomes have ended; what a memory that holds still says stays. */
export function dropOutdatedLines(
  stores: LineStores,
  userId: string,
  outcomes: readonly Outcome[],
  at: number,
): Promise<void> {
  return dropEndedLines(stores, userId, new Set(outcomes.flatMap(({ superseded }) => superseded)), at)
}

/** Removes what these memories say, which have ended; what a memory that holds still says stays. */
export async function dropEndedLines(
  { memories, profiles }: LineStores,
  userId: string,
  ended: ReadonlySet<string>,
  at: number,
): Promise<void> {
  if (ended.size === 0) return
  const lines = await machineLines(profiles, userId)
  if (lines.length === 0) return
  const isNear = mayBeIn(lines)
  const over = await memories.getMany(userId, [...ended], { includePast: true })
  const gone = over.map((one) => saidBy(one, isNear))
  // The same words of somebody else hold for him alone.
  const people = new Set(over.map(({ who }) => who))
  const holding = new Set<string>()
  const outdated = lines.filter((line) => lineWithout(line, gone) !== line.text)
  for (const { text } of outdated) {
    const { matches } = await matchMemories(memories, userId, memorySearchTerms(text, null), {}, MOST_SAYING)
    for (const { memory } of matches) if (!ended.has(memory.id) && people.has(memory.who)) holding.add(memory.text)
  }
  if (outdated.length > 0) await profiles.revise(userId, (line) => leftOf(line, gone, [...holding]), at)
}

/** Removes what these memories say, and said before they were edited, also where others still say it: it is to be forgotten. */
export async function forgetLines(
  { memories, profiles }: { memories: Pick<MemoryStore, 'history'>; profiles: LineStore },
  userId: string,
  deleted: readonly Memory[],
  at: number,
): Promise<void> {
  const lines = await machineLines(profiles, userId)
  if (lines.length === 0) return
  const isNear = mayBeIn(lines)
  const gone: Said[] = []
  for (const memory of deleted) {
    const story = memory.updatedAt === memory.createdAt ? [] : await memories.history(userId, memory.id)
    const earlier = story.flatMap(({ previousText }) => previousText ?? [])
    if ([memory.text, ...earlier].some(isNear)) gone.push(saidBy(memory, isNear, earlier))
  }
  if (gone.length > 0) await profiles.revise(userId, (line) => leftOf(line, gone), at)
}

/** Puts what the memory is edited to say into the place of what it says now; adds nothing where no line says that. */
export async function editLines(
  profiles: LineStore,
  userId: string,
  memory: Memory,
  text: string,
  at: number,
): Promise<void> {
  const lines = await machineLines(profiles, userId)
  const isNear = mayBeIn(lines)
  if (lines.length === 0 || !isNear(memory.text)) return
  const gone = [saidBy(memory, isNear)]
  const first = lines.find((line) => lineWithout(line, gone, [text]) !== line.text)
  if (first === undefined) return
  const news =
    text.length > LONGEST_EDIT
      ? []
      : statementsBeside(text, memory.text, at).filter(({ length }) => length <= LONGEST_LINE)
  const revise = (line: ProfileLine): readonly string[] => [
    ...leftOf(line, gone, [text]),
    ...(line.text === first.text ? news.slice(0, MOST_LINES) : []),
  ]
  await profiles.revise(userId, revise, at)
}

async function machineLines(profiles: LineStore, userId: string): Promise<readonly ProfileLine[]> {
  return (await profiles.get(userId)).lines.filter(({ source }) => source === 'machine')
}

function leftOf(line: ProfileLine, gone: readonly Said[], stays: readonly string[] = []): readonly string[] {
  const left = lineWithout(line, gone, stays)
  return left === '' ? [] : [left]
}
