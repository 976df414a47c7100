/** The job `reconsolidate`: a memory used in a conversation learns from a message there (002 R4). */
import { createHash } from 'node:crypto'
import { queryPart } from '../../domain/checks.ts'
import type { NewJob } from '../../domain/contracts/job-queue.ts'
import { withoutQuotedBlocks } from '../../language/quoted-block.ts'

/** The content of the job: the place where the memory was used, and the user's words for it. */
export interface ReconsolidationPayload {
  readonly conversationId: string
  readonly message: string
  readonly memoryId: string
}

/** One job a memory and message, so that a second message adds its statements before the first was thought about. */
export function reconsolidationJob(memoryId: string, conversationId: string, message: string): NewJob {
  const name = createHash('sha256')
    .update(JSON.stringify([conversationId, message]))
    .digest('hex')
    .slice(0, 12)
  const payload: ReconsolidationPayload = { conversationId, message, memoryId }
  return { kind: 'reconsolidate', subject: `${memoryId}#${name}`, payload }
}

/** The words of a message that are asked, as the context that used the memory asked them. */
export function askedIn(message: string): string {
  return queryPart(withoutQuotedBlocks(message))
}
