/** What of a memory is worth a line in the notes that a person opens (004)? */
import type { Memory } from '../../domain/memory.ts'
import type { MemoryFileSection } from '../../domain/memory-file.ts'

/** What of a memory is looked at. */
export type Notable = Omit<Memory, 'id'>

/** A line for the notes: sentences of the memory, or its words in another order. */
export interface Note {
  readonly text: string
  readonly section: MemoryFileSection
  /** 1 to 3 (004). */
  readonly importance: number
}
