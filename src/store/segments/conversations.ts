/** The conversations that an owner's documents refer to, by ordinal; their numbers in the database lead there. */
import type { SegmentTable, StoredConversation } from '../../domain/contracts/segment-table.ts'
import type { IndexedConversation } from '../../domain/contracts/turn-index.ts'

type Table = Pick<SegmentTable<never>, 'conversations' | 'conversation'>

const GONE: IndexedConversation = { conversationId: '', projectRoot: '', summarizedTo: 0 }

export class Conversations {
  readonly list: IndexedConversation[] = []
  readonly numbers: number[] = []
  readonly #ordinals = new Map<number, number>()
  readonly #table: Table
  readonly #owner: number
  #isRead = false

  constructor(table: Table, owner: number) {
    this.#table = table
    this.#owner = owner
  }

  /** Takes in what changed after this number, where any was asked for. */
  read(changeNo: number): void {
    if (this.#isRead) this.#readAfter(changeNo)
  }

  #readAfter(changeNo: number): void {
    for (const conversation of this.#table.conversations(this.#owner, changeNo)) this.#put(conversation)
  }

  /** Ordinal of a conversation by its number in the database; 0 stands for none. */
  ordinal(conversationNo: number): number {
    const known = this.#ordinals.get(conversationNo)
    if (known !== undefined) return known
    if (!this.#isRead) {
      this.#isRead = true
      this.#readAfter(-1)
      return this.ordinal(conversationNo)
    }
    const found = conversationNo === 0 ? undefined : this.#table.conversation(this.#owner, conversationNo)
    // A conversation that was removed still has a place in the columns of its removed turns.
    return this.#put(found ?? { ...GONE, conversationNo, changeNo: 0 })
  }

  #put({ conversationNo, changeNo: _, ...conversation }: StoredConversation): number {
    const ordinal = this.#ordinals.get(conversationNo) ?? this.list.length
    this.list[ordinal] = conversation
    this.numbers[ordinal] = conversationNo
    this.#ordinals.set(conversationNo, ordinal)
    return ordinal
  }
}
