/** The answer of `memory_recall`, key by key as specification 003 writes it, with more keys after them. */
import type { RecallResultView, RecallView } from '../library/index.ts'

/** JSON for stdout. */
export function recallJson({ results, totalSearched, latencyMs, warnings }: RecallView): Record<string, unknown> {
  return {
    results: results.map(resultJson),
    total_searched: totalSearched,
    latency_ms: latencyMs,
    ...(warnings === undefined ? {} : { warnings }),
  }
}

function resultJson(result: RecallResultView): Record<string, unknown> {
  const { conversationId, turnId, role, content, summary, relevance, createdAt, isSummary } = result
  const common = { relevance, created_at: createdAt, is_summary: isSummary }
  const explanation = result.explanation === undefined ? {} : { explanation: result.explanation }
  if (isSummary)
    return { conversation_id: conversationId, turn_id: null, summary, ...common, span: result.span, ...explanation }
  return {
    conversation_id: conversationId,
    turn_id: turnId,
    role,
    content,
    ...common,
    speaker: result.speaker,
    external_id: result.externalId,
    ...explanation,
  }
}
