/** Which client is connected, and to which memory? One session a process over stdio, one a request over HTTP. */
import type { Logger } from '../../domain/logger.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Scope } from '../operations/operation.ts'

/** A connected client. */
export interface Session {
  readonly memory: OpenMemory
  /** The user of the session. No tool can name another user. */
  readonly userId: string
  /** The client's rights. */
  readonly scope: Scope
  readonly isOperator: boolean
  readonly logger: Logger
  /** Of Mneme. */
  readonly version: string
  /** Aborts when the client is gone. */
  readonly signal?: AbortSignal
  /** Aborts when the client cancels that request by a message; absent where closing the connection cancels. */
  readonly cancelSignalOf?: (id: string | number) => AbortSignal | undefined
  /** Milliseconds that one call may take; default: no limit. */
  readonly timeoutMs?: number
}
