/** `memory.context`: what a model gets to see for a message, in layers, within a token budget. */
import type { Briefing, BriefingInput, BuiltContext, ContextInput, Engine } from '../../engine/engine.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** What can be done with contexts. */
export interface Contexts {
  /**
   * Layers [0] system … [5] rolling window, packed into `tokenBudget`, with an account of what was recalled and what was
   * left out. What was put in counts as accessed; `count: false` only looks.
   */
  build(message: string, input?: Omit<ContextInput, 'userId'> & WithUser): Promise<BuiltContext>
  /**
   * What an assistant should know when a session begins: the profile and, for a project, what is remembered of it and what
   * its last sessions were about. '' where nothing is known; nothing counts as accessed.
   */
  briefing(input?: Omit<BriefingInput, 'userId'> & WithUser): Promise<Briefing>
}

/** The facade over an engine. */
export function contexts(engine: Engine, user: ChooseUser): Contexts {
  return {
    build: async (message, input) => engine.context(message, { ...input, userId: user(input) }),
    briefing: async (input) => engine.briefing({ ...input, userId: user(input) }),
  }
}
