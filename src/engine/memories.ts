/** The use cases of long-term memories, bound to a store and the options. */
import type { Store } from '../contracts/store.ts'
import type { ResolvedOptions } from './options.ts'

/** What can be done with long-term memories. */
export type MemoryUseCases = Readonly<Record<string, never>>

/** Refuses work once the engine was closed. */
export type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** Binds the use cases. */
export function memoryUseCases(_store: Store, _options: ResolvedOptions, _open: Guard): MemoryUseCases {
  return {}
}
