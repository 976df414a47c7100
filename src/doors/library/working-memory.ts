/** `memory.workingMemory`: the live state of conversations, gone 30 minutes after the last turn. */
import type { Engine } from '../../engine/engine.ts'
import { renderWorkingMemory, type WorkingMemoryView } from './render.ts'
import { splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

export interface WorkingMemories {
  /** Rejects with `not_found` when there is none or it has expired. */
  get(input: WithUser & { readonly conversationId: string }): Promise<WorkingMemoryView>
  /** Secrets are masked unless `revealSecrets` is set. */
  list(input?: WithUser & WithReveal): Promise<readonly WorkingMemoryView[]>
  delete(input: WithUser & { readonly conversationId: string }): Promise<void>
}

/** The facade over an engine. */
export function workingMemories({ workingMemory }: Engine, user: ChooseUser): WorkingMemories {
  return {
    get: async (input) => renderWorkingMemory(await workingMemory.get(user(input), input?.conversationId)),
    list: async (input) => {
      const { show } = splitReveal(input)
      return (await workingMemory.list(user(input))).map((one) => show(renderWorkingMemory(one)))
    },
    delete: async (input) => workingMemory.remove(user(input), input?.conversationId),
  }
}
