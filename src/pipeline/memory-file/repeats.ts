/**
 * What was said in these days although the file says it already (004: 完全匹配, 相似内容)? Thinking keeps one memory of it and
 * notes that it was said again; here each such turn is told, with its twin.
 */
import { sourcesOf } from '../../cognition/merge/episode-metadata.ts'
import { withoutOrder } from '../../cognition/write-decision/order-words.ts'
import type { Memory } from '../../domain/memory.ts'
import type { SkippedEntry } from '../../domain/memory-file.ts'
import type { Turn } from '../../domain/turn.ts'
import { foldedText } from '../../text/duplicates.ts'
import { editSimilarity } from '../../text/edit-distance.ts'
import { splitSentences } from '../../text/sentences.ts'
import type { Stretch } from './days.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

/** Turns of one memory that are looked at: what is said daily need not be told each time. */
const MOST_TURNS = 50

/** The sentences of the stretch that say again what one of these memories says, at least as alike as the threshold asks. */
export async function repeatsOf(
  { store, settings }: Pick<MemoryFileDependencies, 'store' | 'settings'>,
  userId: string,
  memories: readonly Memory[],
  { from, to, changedSince, conversationId }: Stretch,
): Promise<readonly SkippedEntry[]> {
  const repeats: SkippedEntry[] = []
  for (const memory of memories) {
    const turns = await turnsOf(store.log, userId, sourcesOf(memory))
    const again = turns
      .toSorted((a, b) => a.createdAt - b.createdAt || a.turnId - b.turnId)
      .slice(1)
      .filter(({ createdAt }) => createdAt >= Math.max(from, changedSince ?? from) && createdAt < to)
      .filter((turn) => conversationId === null || turn.conversationId === conversationId)
    for (const { content } of again) {
      const said = mostAlike(content, memory.text)
      if (said.similarity + 1e-9 < settings.dedupThreshold) continue
      const reason = said.similarity === 1 ? 'duplicate' : 'similar'
      repeats.push({ text: said.text, reason, twin: memory.text, similarity: said.similarity })
    }
  }
  return repeats
}

async function turnsOf(
  log: MemoryFileDependencies['store']['log'],
  userId: string,
  sources: ReturnType<typeof sourcesOf>,
): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  for (const { conversation_id: id, turn_ids } of sources)
    for (const from of turn_ids.slice(-MOST_TURNS))
      if (id !== null)
        turns.push(...(await log.turns(userId, id, { from, limit: 1 })).filter(({ turnId }) => turnId === from))
  return turns
}

/** The part of a message that is most like the text: all of it, or a sentence. */
function mostAlike(content: string, text: string): { readonly text: string; readonly similarity: number } {
  const wanted = foldedText(text)
  return [content, ...splitSentences(content)]
    .map(withoutOrder)
    .map((said) => ({ text: said, similarity: editSimilarity(foldedText(said), wanted) }))
    .reduce((best, one) => (one.similarity > best.similarity ? one : best))
}
