/**
 * What of these days belongs into the file? What the person asked to be remembered, configuration, problems with their
 * solutions, decisions, preferences (004: importance 1 to 3), and nothing else.
 */
import type { Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import type { Conversation, Turn } from '../../domain/turn.ts'
import { foldedText } from '../../text/duplicates.ts'
import type { Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'
import { isWorthALine } from './worth-a-line.ts'

/** Memories read at a time. */
const PAGE = 500
/** A dry run thinks about so many turns of one conversation at most. */
const MOST_TURNS = 2000

/** Something that may come into the file; without an id it is not remembered yet. */
export type Candidate = Omit<Memory, 'id'> & { readonly id: string | null }

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

/** Memories of the stretch that hold and matter: the most important first, then the oldest. */
export async function candidatesOf(
  dependencies: MemoryFileDependencies,
  userId: string,
  stretch: Stretch,
  dryRun: boolean,
): Promise<readonly Candidate[]> {
  const { memories } = dependencies.store
  const bound = Math.min(stretch.from, stretch.changedSince ?? stretch.from)
  const found: Memory[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await memories.list(userId, { limit: PAGE, offset, filter: {} })
    found.push(...items.filter((memory) => isOf(memory, stretch)))
    // What was last changed before the stretch was made before it.
    if (items.length < PAGE || items.at(-1)!.updatedAt < bound) break
  }
  const thoughts = dryRun ? await thoughtsOf(dependencies, userId, stretch, found) : []
  return [...found, ...thoughts]
    .filter(isWorthALine)
    .sort((a, b) => b.importance - a.importance || a.createdAt - b.createdAt || firstTurn(a) - firstTurn(b))
}

function firstTurn({ sourceTurnIds }: Candidate): number {
  return sourceTurnIds[0] ?? 0
}

function isOf({ createdAt, updatedAt }: Memory, { from, to, changedSince }: Stretch): boolean {
  return (createdAt >= from && createdAt < to) || (changedSince !== null && updatedAt >= changedSince)
}

/** What thinking would come to for turns of which nothing is remembered: a dry run writes nothing. */
async function thoughtsOf(
  { store, clock, maxCharacters, byRules }: MemoryFileDependencies,
  userId: string,
  stretch: Stretch,
  found: readonly Memory[],
): Promise<readonly Candidate[]> {
  const said = new Set(found.map(({ text }) => foldedText(text)))
  const drafts: Candidate[] = []
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
    for (const { memory } of thoughts.drafts)
      if (!said.has(foldedText(memory.text))) drafts.push({ ...memory, id: null })
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
  { from, to }: Stretch,
): AsyncGenerator<Conversation> {
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await log.conversations(userId, { limit: PAGE, offset })
    for (const conversation of items) {
      if (conversation.lastActive < from) return
      if (conversation.createdAt < to) yield conversation
    }
    if (items.length < PAGE) return
  }
}
