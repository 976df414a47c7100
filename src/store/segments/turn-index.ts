/** The index over turns: the contract TurnIndex over segments of turns. */
import type { TurnIndex, TurnView } from '../../domain/contracts/turn-index.ts'
import { SegmentIndex } from './segment-index.ts'
import { type TurnDocument, type TurnDocuments, type TurnTable, turnKind } from './turn-documents.ts'

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
