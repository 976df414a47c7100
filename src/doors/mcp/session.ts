/** Who is connected, and to what? One for a process over stdio, one for each request over HTTP. */
import type { Logger } from '../../domain/logger.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Scope } from '../operations/operation.ts'

/** A connected client. */
export interface Session {
  readonly memory: OpenMemory
  /** Whose memory it is. No tool can name another user. */
  readonly userId: string
  /** The client's rights. */
  readonly scope: Scope
  readonly isOperator: boolean
  readonly logger: Logger
  /** Of Mneme. */
  readonly version: string
  /** Aborts when the client is gone. */
  readonly signal?: AbortSignal
  /** Aborts when the client cancels that request by a message of its own; absent where the connection tells. */
  readonly cancelSignalOf?: (id: string | number) => AbortSignal | undefined
  /** Milliseconds that one call may take; default: no limit. */
  readonly timeoutMs?: number
}
