/** The index of a user’s turns and the one of its memories, as the store makes them. */
import type { MemoryIndex, MemoryView } from '../../domain/contracts/memory-index.ts'
import type { SegmentTable } from '../../domain/contracts/segment-table.ts'
import type { TurnIndex, TurnView } from '../../domain/contracts/turn-index.ts'
import { type MemoryDocument, type MemoryDocuments, memoryKind } from './memory-documents.ts'
import { SegmentIndex } from './segment-index.ts'
import { type TurnDocument, type TurnDocuments, type TurnTable, turnKind } from './turn-documents.ts'

/** The index over turns: the contract TurnIndex over segments of turns. */
export class SegmentTurnIndex extends SegmentIndex<TurnDocument, TurnDocuments> implements TurnIndex {
  constructor(table: TurnTable) {
    super(table, turnKind(table))
  }

  async view(userId: string): Promise<TurnView> {
    const { documents, ...view } = await this.open(userId)
    return {
      ...view,
      columns: documents.columns,
      conversations: documents.conversations.list,
      speakers: documents.speakers,
    }
  }
}

/** The index over memories: the contract MemoryIndex over segments of memories. */
export class SegmentMemoryIndex extends SegmentIndex<MemoryDocument, MemoryDocuments> implements MemoryIndex {
  constructor(table: SegmentTable<MemoryDocument>) {
    super(table, memoryKind(table))
  }

  async view(userId: string): Promise<MemoryView> {
    const { documents, ...view } = await this.open(userId)
    return { ...view, columns: documents.columns, conversations: documents.conversations.list }
  }
}
