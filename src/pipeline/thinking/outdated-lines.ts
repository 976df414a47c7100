/** What a new memory has ended must not stay in the profile as if it still held; lines that the user wrote or changed stay. */
import type { MemoryStore } from '../../contracts/memory-store.ts'
import type { ProfileStore } from '../../contracts/profile-store.ts'
import { splitSentences } from '../../text/sentences.ts'
import type { Outcome } from './plan-changes.ts'

/** Removes the machine's lines that say what these outcomes have ended. */
export async function dropOutdatedLines(
  { memories, profiles }: { memories: Pick<MemoryStore, 'getMany'>; profiles: Pick<ProfileStore, 'removeLines'> },
  userId: string,
  outcomes: readonly Outcome[],
  at: number,
): Promise<void> {
  const ended = outcomes.flatMap(({ superseded }) => superseded)
  if (ended.length === 0) return
  const texts = (await memories.getMany(userId, ended, { includePast: true })).map(({ text }) => text)
  await profiles.removeLines(userId, [...new Set(texts.flatMap((text) => [text, ...splitSentences(text)]))], at)
}
