/**
 * What else did the memories come from that are taken back? One that a turn which stays says in the same words is kept and
 * only loses the source; of the others the turns that stay are thought about once more, so that nothing is lost.
 */
import { joinSources, sourcesOf } from '../cognition/merge/episode-metadata.ts'
import type { MemoryChange } from '../contracts/memory-store.ts'
import type { Store } from '../contracts/store.ts'
import type { Memory } from '../domain/memory.ts'
import type { ThinkMessage } from '../domain/thought.ts'
import { splitSentences } from '../text/sentences.ts'
import type { SourceTurns } from './source-turns.ts'
import type { MemoryReads } from './thinking/related-memories.ts'
import type { Draft, ThinkInput, Thoughts } from './thinking/thoughts.ts'

/** Turns by conversation. */
export type TurnsBySource = ReadonlyMap<string, readonly number[]>

/** The turns beside those that are taken back. */
export function otherSources(memories: readonly Memory[], { turns, whole }: SourceTurns): TurnsBySource {
  const others = new Map<string, readonly number[]>()
  for (const { conversation_id: id, turn_ids } of memories.flatMap(sourcesOf)) {
    if (id === null || whole.has(id)) continue
    const left = turn_ids.filter((turn) => turns.get(id)?.has(turn) !== true)
    if (left.length > 0) others.set(id, [...new Set([...(others.get(id) ?? []), ...left])])
  }
  return others
}

/** The change that takes the source off a memory which another turn of its chat says in the same words; else null. */
export async function keptBy(
  { log }: Pick<Store, 'log'>,
  userId: string,
  memory: Memory,
  sources: SourceTurns,
): Promise<MemoryChange | null> {
  const left = otherSources([memory], sources)
  const sentences = splitSentences(memory.text)
  for (const [conversationId, turnIds] of left)
    for (const turnId of turnIds) {
      const [turn] = await log.turns(userId, conversationId, { from: turnId, to: turnId })
      if (turn === undefined || !sentences.every((sentence) => turn.content.includes(sentence))) continue
      // Whose it is, and of which chat, must not be told by what is taken back.
      if (memory.who !== null && memory.who !== 'user' && memory.who !== turn.speaker) continue
      const kept = joinSources([...left].map(([conversation_id, turn_ids]) => ({ conversation_id, turn_ids })))
      const own = kept.find(({ conversation_id }) => conversation_id === memory.conversationId)
      if (own === undefined) return null
      const patch = { sourceTurnIds: own.turn_ids, metadata: { ...memory.metadata, sources: kept } }
      return { id: memory.id, patch, event: 'UPDATE' }
    }
  return null
}

/** Thinks about those turns once more; what is there to be stored then. */
export async function thinkAgain(
  { log }: Pick<Store, 'log'>,
  think: (input: ThinkInput) => Promise<Thoughts>,
  userId: string,
  sources: TurnsBySource,
  { now, maxCharacters }: Pick<ThinkInput, 'now' | 'maxCharacters'>,
): Promise<readonly Draft[]> {
  const drafts: Draft[] = []
  for (const [conversationId, turnIds] of sources)
    for (const turnId of turnIds) {
      const turns = await log.turns(userId, conversationId, { from: Math.max(1, turnId - 1), to: turnId })
      const messages = turns.map(
        ({ role, content, speaker, turnId: number, createdAt }): ThinkMessage => ({
          role,
          content,
          speaker,
          turnId: number,
          createdAt,
        }),
      )
      // The turn before is there to be understood with it, not to be thought about again.
      if (messages.length > 1 && messages[0]!.role === 'user') messages.shift()
      drafts.push(...(await think({ userId, conversationId, messages, injected: [], now, maxCharacters })).drafts)
    }
  return drafts
}

/** The memories as they will be when some are gone and some are changed. */
export function memoriesAfter(
  memories: MemoryReads,
  gone: ReadonlySet<string>,
  changed: readonly Memory[],
): MemoryReads {
  const byId = new Map(changed.map((memory) => [memory.id, memory]))
  const living = changed.filter(({ validTo }) => validTo === null)
  return {
    get: async (userId, id) => (gone.has(id) ? null : (byId.get(id) ?? memories.get(userId, id))),
    list: async (userId, page) => {
      const found = await memories.list(userId, page)
      const items = found.items.filter(({ id }) => !gone.has(id)).map((memory) => byId.get(memory.id) ?? memory)
      const key = page.filter?.key
      const back = living.filter((memory) => key !== undefined && memory.key === key && !items.includes(memory))
      return { ...found, items: [...items, ...back] }
    },
    find: async (userId, terms, filter, limit) => {
      const found = await memories.find(userId, terms, filter, limit)
      const matches = found.matches
        .filter(({ memory }) => !gone.has(memory.id))
        .map((match) => ({ ...match, memory: byId.get(match.memory.id) ?? match.memory }))
      const known = new Set(matches.map(({ memory }) => memory.id))
      const back = living.filter(({ id }) => !known.has(id))
      return { ...found, matches: [...matches, ...back.map((memory) => ({ memory, bm25: 0, matchedTerms: [] }))] }
    },
  }
}
