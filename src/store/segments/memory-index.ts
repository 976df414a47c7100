/** The index over memories: the contract MemoryIndex over segments of memories. */
import type { MemoryIndex, MemoryView } from '../../domain/contracts/memory-index.ts'
import type { SegmentTable } from '../../domain/contracts/segment-table.ts'
import { type MemoryDocument, type MemoryDocuments, memoryKind } from './memory-documents.ts'
import { SegmentIndex } from './segment-index.ts'

export class SegmentMemoryIndex extends SegmentIndex<MemoryDocument, MemoryDocuments> implements MemoryIndex {
  constructor(table: SegmentTable<MemoryDocument>) {
    super(table, memoryKind(table))
  }

  async view(userId: string): Promise<MemoryView> {
    const { documents, ...view } = await this.open(userId)
    return { ...view, columns: documents.columns, conversations: documents.conversations.list }
  }
}
