/** How much did an export hold? Counted as the records go by, so that an empty one can be told from a full one. */
import type { ExportRecord } from './export-record.ts'

/** Counts of an export's content. */
export interface ExportCounts {
  readonly conversations: number
  readonly turns: number
  readonly memories: number
  /** Working memories, session summaries, a profile. Rolling summaries belong to their conversations. */
  readonly others: number
}

const KINDS: Readonly<Partial<Record<ExportRecord['kind'], keyof ExportCounts>>> = {
  conversation: 'conversations',
  turn: 'turns',
  memory: 'memories',
  working_memory: 'others',
  session_summary: 'others',
  profile: 'others',
}

/** Passes records through unchanged, and gives their counts to `onCounted` after the last one. */
export async function* countRecords(
  records: AsyncIterable<ExportRecord>,
  onCounted: (counts: ExportCounts) => void,
): AsyncGenerator<ExportRecord> {
  const counts = { conversations: 0, turns: 0, memories: 0, others: 0 }
  for await (const record of records) {
    const kind = KINDS[record.kind]
    if (kind !== undefined) counts[kind] += 1
    yield record
  }
  onCounted(counts)
}
