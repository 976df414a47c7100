/** The long-term memories of an open memory. */
import type { Engine } from '../../engine/engine.ts'
import type { ChooseUser } from './users.ts'

/** What can be done with long-term memories. */
export interface Memories {
  readonly [Symbol.toStringTag]?: string
}

/** The facade over an engine. */
export function memories(_engine: Engine, _user: ChooseUser): Memories {
  return {}
}
