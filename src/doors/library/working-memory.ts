/** `memory.workingMemory`: the live state of conversations, gone 30 minutes after the last turn. */
import type { Engine, WorkingMemoryPatch } from '../../engine/engine.ts'
import { renderWorkingMemory, type WorkingMemoryView } from './render.ts'
import { splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

export interface WorkingMemories {
  /** Rejects with `not_found` when there is none or it has expired. */
  get(input: WithUser & { readonly conversationId: string }): Promise<WorkingMemoryView>
  /** Secrets are masked unless `revealSecrets` is set. */
  list(input?: WithUser & WithReveal): Promise<readonly WorkingMemoryView[]>
  /** Changes what is named, until the next turn says otherwise. Rejects with `not_found` when there is none. */
  set(input: WithUser & { readonly conversationId: string } & WorkingMemoryPatch): Promise<WorkingMemoryView>
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
    set: async ({ conversationId, userId, ...patch }) =>
      renderWorkingMemory(await workingMemory.edit(user({ userId }), conversationId, patch)),
    delete: async (input) => workingMemory.remove(user(input), input?.conversationId),
  }
}
