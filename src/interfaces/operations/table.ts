/** Every operation. What stands in a file of a subject is in the table; its order is the order of the reference. */
import * as context from './context.ts'
import * as conversations from './conversations.ts'
import * as memories from './memories.ts'
import type { AnyOperation } from './operation.ts'
import * as upkeep from './upkeep.ts'

/** All operations, by subject. */
export const OPERATIONS: readonly AnyOperation[] = [memories, conversations, context, upkeep].flatMap((subject) =>
  Object.values(subject),
)
