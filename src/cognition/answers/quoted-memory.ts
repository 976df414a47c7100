/** A memory as a model sees it: its words and what places them, as data. */
import type { Memory } from '../../domain/memory.ts'
import { isoMinute, shortened } from './data-message.ts'

const LONGEST_MEMORY = 4000

/** What a step shows of a memory. */
export type ShownMemory = Pick<Memory, 'text' | 'who' | 'occurredAt'>

/** The memory as data. */
export function quotedMemory({ text, who, occurredAt }: ShownMemory): Record<string, unknown> {
  return { who: who ?? 'user', at: isoMinute(occurredAt), text: shortened(text, LONGEST_MEMORY) }
}
