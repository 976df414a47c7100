/** The talk of these days (004: 每日对话概要), conversation by conversation: the material of a digest. */
import { summarizeByRules } from '../thinking/summarizer/rules.ts'
import { conversationsOf } from './candidates.ts'
import { localDay } from './days.ts'
import type { NotesDependencies } from './dependencies.ts'
import { type DigestInput, stretchFor } from './digest.ts'

/** The days and their conversations. */
export interface DaySummary {
  /** The last day, YYYY-MM-DD. */
  readonly date: string
  /** The last active first. */
  readonly conversations: readonly {
    readonly conversationId: string
    readonly projectRoot: string | null
    /** null: it has none yet. */
    readonly title: string | null
    readonly summary: string
    readonly keyDecisions: readonly string[]
    readonly turns: number
  }[]
}

/** Turns of one conversation that are read, the last ones. */
const MOST_TURNS = 2000

/** Summarises the day, default today. Throws `invalid` naming the field. */
export async function summarizeDay(
  { store, clock }: NotesDependencies,
  userId: string,
  { date, since, conversationId }: Pick<DigestInput, 'date' | 'since' | 'conversationId'>,
): Promise<DaySummary> {
  const day = conversationId === undefined ? (date ?? localDay(clock().getTime())) : date
  const stretch = await stretchFor({ store, clock }, userId, { date: day, since, conversationId })
  const conversations: DaySummary['conversations'][number][] = []
  for await (const conversation of conversationsOf(store.log, userId, stretch)) {
    const { conversationId: id, projectRoot, lastTurnId } = conversation
    const range = { from: Math.max(1, lastTurnId - MOST_TURNS + 1), to: lastTurnId }
    const turns = (await store.log.turns(userId, id, range)).filter(
      ({ createdAt }) => createdAt >= stretch.from && createdAt < stretch.to,
    )
    if (turns.length === 0) continue
    const { summary, keyDecisions } = summarizeByRules(turns)
    const title = (await store.sessionSummaries.get(userId, id))?.title ?? null
    const told = { conversationId: id, projectRoot: projectRoot || null, title }
    conversations.push({ ...told, summary, keyDecisions, turns: turns.length })
  }
  return { date: stretch.date, conversations }
}
