/** Chat, bound to a store and to the model that there is. Loaded when somebody first chats. */
import type { GatewayReply } from '../domain/contracts/model-gateway.ts'
import type { ChatEvent, ChatInput } from '../usecases/chat/chat.ts'
import type { CompletionInput, CompletionReply } from '../usecases/chat/complete.ts'
import type { ChatDependencies } from '../usecases/chat/dependencies.ts'

export type { ModelUsage } from '../domain/contracts/language-model.ts'
export type { GatewayReply } from '../domain/contracts/model-gateway.ts'
export type { ChatEvent, ChatInput } from '../usecases/chat/chat.ts'
export type { CompletionInput, CompletionReply } from '../usecases/chat/complete.ts'

/** What can be done with a model that remembers. */
export interface ChatUseCases {
  /** Answers one message, event by event. */
  stream(message: string, input: ChatInput): AsyncGenerator<ChatEvent, void>
  /** Hands a completion of another program on, with memory. */
  complete(input: CompletionInput): Promise<CompletionReply>
  /** What the vendor counts in a request. */
  countTokens(input: Parameters<typeof import('../usecases/chat/complete.ts').countTokens>[1]): Promise<GatewayReply>
  /** The models that completions can name. */
  models(signal?: AbortSignal): Promise<GatewayReply>
}

/** Refuses work on a memory that was closed. */
type Open = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** Binds the use cases. */
export function chatUseCases(dependencies: ChatDependencies, open: Open): ChatUseCases {
  // Asked for once: a module that is there already still takes the loader a moment to find.
  let chats: Promise<typeof import('../usecases/chat/chat.ts')> | undefined
  let completions: Promise<typeof import('../usecases/chat/complete.ts')> | undefined
  const chatting = open(() => (chats ??= import('../usecases/chat/chat.ts')))
  const completing = open(() => (completions ??= import('../usecases/chat/complete.ts')))
  return {
    async *stream(message, input) {
      const { chat } = await chatting()
      yield* chat(dependencies, message, input)
    },
    complete: async (input) => (await completing()).complete(dependencies, input),
    countTokens: async (input) => (await completing()).countTokens(dependencies, input),
    models: async (signal) => (await completing()).listModels(dependencies, signal),
  }
}
