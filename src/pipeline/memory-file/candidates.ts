/**
 * What of these days belongs into the file? What the person asked to be remembered, configuration, problems with their
 * solutions, decisions, preferences (004: importance 1 to 3), and nothing else.
 */

import { sourcesOf } from '../../cognition/merge/episode-metadata.ts'
import type { Note } from '../../cognition/notes/types.ts'
import type { Memory } from '../../domain/memory.ts'
import type { AnsweredBy, ThinkMessage } from '../../domain/thought.ts'
import type { Conversation, Turn } from '../../domain/turn.ts'
import type { Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { notesOf } from './notes-of.ts'

/** Conversations read at a time. */
const PAGE = 500
/** A dry run thinks about so many turns of one conversation at most. */
const MOST_TURNS = 2000

/** A memory that may come into the file; without an id it is not remembered yet. */
export type CandidateMemory = Omit<Memory, 'id'> & { readonly id: string | null }

/** Something that may come into the file, and in which words. */
export interface Candidate {
  readonly memory: CandidateMemory
  readonly note: Note
}

/** Hands what of the stretch was never thought about to thinking, and waits for it. */
export async function thinkAboutStretch(
  { store, clock, thinkDue }: MemoryFileDependencies,
  userId: string,
  stretch: Stretch,
): Promise<void> {
  for await (const { conversationId } of conversationsOf(store.log, userId, stretch))
    await store.log.thinkAboutUnthought(userId, { conversationId, limit: 1 }, clock().getTime())
  await thinkDue()
}

/**
 * Memories of the stretch that hold and matter: the most important first, then the oldest. `isSettled`: what became of it
 * was decided before.
 */
export async function candidatesOf(
  dependencies: MemoryFileDependencies,
  userId: string,
  stretch: Stretch,
  isSettled: (memoryId: string) => boolean,
  dryRun: boolean,
  signal?: AbortSignal,
): Promise<{
  readonly candidates: readonly Candidate[]
  /** Memories that were told in several turns, whatever became of them. */
  readonly toldAgain: readonly Memory[]
  readonly answeredBy: AnsweredBy
}> {
  const { store, clock } = dependencies
  const since = Math.min(stretch.from, stretch.changedSince ?? stretch.from)
  const known = await store.memoryFile.newcomers(userId, since, clock().getTime())
  const found = known.filter((memory) => isOf(memory, stretch))
  const toldAgain = known.filter((memory) => countTurns(sourcesOf(memory)) > 1)
  const thoughts = dryRun ? await thoughtsOf(dependencies, userId, stretch) : []
  // A dry run costs nothing.
  const { noted, answeredBy } = await notesOf(
    dependencies,
    userId,
    [...found.filter(({ id }) => !isSettled(id)), ...thoughts],
    !dryRun,
    signal,
  )
  const candidates = noted.toSorted(
    (a, b) =>
      b.note.importance - a.note.importance ||
      a.memory.createdAt - b.memory.createdAt ||
      firstTurn(a.memory) - firstTurn(b.memory),
  )
  return { candidates, toldAgain, answeredBy }
}

function countTurns(sources: ReturnType<typeof sourcesOf>): number {
  return sources.reduce((count, { turn_ids }) => count + turn_ids.length, 0)
}

function firstTurn({ sourceTurnIds }: CandidateMemory): number {
  return sourceTurnIds[0] ?? 0
}

function isOf(
  { createdAt, updatedAt, conversationId: said }: Memory,
  { from, to, changedSince, conversationId }: Stretch,
): boolean {
  if (conversationId !== null && said !== conversationId) return false
  return (createdAt >= from && createdAt < to) || (changedSince !== null && updatedAt >= changedSince)
}

/** What thinking would come to for turns of which nothing is remembered: a dry run writes nothing. */
async function thoughtsOf(
  { store, clock, maxCharacters, byRules }: MemoryFileDependencies,
  userId: string,
  stretch: Stretch,
): Promise<readonly CandidateMemory[]> {
  const drafts: CandidateMemory[] = []
  for await (const { conversationId } of conversationsOf(store.log, userId, stretch)) {
    const thoughtTo = (await store.log.thoughtTo(userId, conversationId)) ?? 0
    const turns = await store.log.turns(userId, conversationId, { from: thoughtTo + 1, limit: MOST_TURNS })
    const messages = turns.filter(({ createdAt }) => createdAt >= stretch.from && createdAt < stretch.to).map(messageOf)
    if (messages.length === 0) continue
    const thoughts = await byRules({
      userId,
      conversationId,
      messages,
      now: clock().getTime(),
      maxCharacters: await maxCharacters(),
    })
    drafts.push(...thoughts.drafts.map(({ memory }) => ({ ...memory, id: null })))
  }
  return drafts
}

function messageOf({ role, content, speaker, turnId, createdAt }: Turn): ThinkMessage {
  return { role, content, speaker, turnId, createdAt }
}

/** Conversations in which something may have been said in the stretch. */
async function* conversationsOf(
  log: MemoryFileDependencies['store']['log'],
  userId: string,
  { from, to, conversationId }: Stretch,
): AsyncGenerator<Conversation> {
  if (conversationId !== null) {
    const one = await log.conversation(userId, conversationId)
    if (one !== null) yield one
    return
  }
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await log.conversations(userId, { limit: PAGE, offset })
    for (const conversation of items) {
      if (conversation.lastActive < from) return
      if (conversation.createdAt < to) yield conversation
    }
    if (items.length < PAGE) return
  }
}
