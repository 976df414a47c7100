/** Derived records that go with turns that are taken back: lines of the profile that only they told, titles and topics that quote them. */
import type { LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { TakenBackTurns } from '../../domain/contracts/small-stores.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { sourcesOf } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import type { Turn } from '../../domain/turn.ts'
import { withoutTakenBack } from '../../language/forget-orders.ts'
import { analyzeByRules } from '../../thinking/conversation-analysis/analyze-by-rules.ts'
import type { Outcome, Thoughts } from './draft.ts'
import { renewSessionSummaries } from './summarize-session.ts'

/** Turns of a conversation from which its topic is told, the last ones. */
const TURNS_ANALYSED = 32

/** Turns that tell what was ordered to be forgotten leave no line of the profile, no title and no topic. */
export async function takeBackTurns(
  store: Store,
  { userId, subject: conversationId }: Pick<LeasedJob, 'userId' | 'subject'>,
  { news = [] }: Thoughts,
  outcomes: readonly Outcome[],
  now: number,
): Promise<void> {
  if (!news.some(({ kind }) => kind === 'forget')) return
  // An order may name what a turn told without a memory, so this conversation is always told anew.
  const turns = new Map<string, Set<number>>([[conversationId, new Set()]])
  const take = (id: string, turn: number): unknown => turns.set(id, (turns.get(id) ?? new Set()).add(turn))
  for (const { turnId } of news) if (turnId !== undefined) take(conversationId, turnId)
  for (const { memory } of outcomes)
    for (const { conversation_id: id, turn_ids } of (memory.buriedAt ?? null) === null ? [] : sourcesOf(memory))
      if (id !== null) for (const turn of turn_ids) take(id, turn)
  const taken = { turns, whole: new Set<string>() }
  await store.profiles.takeBack(userId, taken, now)
  for (const id of turns.keys()) await renewAnalysis({ store }, userId, id, taken)
  await renewSessionSummaries(store, userId, [...turns.keys()], now, { taken: turns })
}

/** Topic, variables and emotion of a working memory, also of an idle one that waits to go, are those of the other turns. */
export async function renewAnalysis(
  { store: { log, workingMemory } }: { readonly store: Pick<Store, 'log' | 'workingMemory'> },
  userId: string,
  conversationId: string,
  sources: TakenBackTurns,
): Promise<void> {
  const present = await workingMemory.get(userId, conversationId, 0)
  if (present === null) return
  const to = (await log.conversation(userId, conversationId))?.lastTurnId ?? 0
  const said = await log.turns(userId, conversationId, { from: Math.max(1, to - TURNS_ANALYSED + 1), to })
  const left = withoutTakenBack(said.map(messageOf)).filter(({ turnId }) => !isTaken(sources, conversationId, turnId))
  const { topic, contextVariables, emotion } = analyzeByRules(left)
  const [currentTopic, lastEmotion] = [topic, left.length === 0 ? null : emotion]
  // Taking back is no activity in the conversation.
  await workingMemory.update(userId, conversationId, { currentTopic, contextVariables, lastEmotion }, present.updatedAt)
}

/** A turn as thinking reads it. */
export function messageOf({ role, content, speaker, turnId, createdAt }: Turn): ThinkMessage {
  return { role, content, speaker, turnId, createdAt }
}

/** Whether a turn, or all of a conversation, is among those taken back. */
export function isTaken(
  { turns, whole }: TakenBackTurns,
  conversationId: string | null,
  turnId: number | null,
): boolean {
  if (conversationId === null) return false
  return whole.has(conversationId) || (turnId !== null && turns.get(conversationId)?.has(turnId) === true)
}
