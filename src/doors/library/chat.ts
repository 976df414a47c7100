/** `memory.chat`: a model that remembers, for one's own words or for the requests of another program. */
import { MnemeError } from '../../domain/errors.ts'
import type { ChatEvent, ChatInput, CompletionInput, CompletionReply, GatewayReply } from '../../engine/chat.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** The answer to a message, with everything about it. */
export type ChatAnswer = Omit<Extract<ChatEvent, { readonly kind: 'done' }>, 'kind'> &
  Pick<Extract<ChatEvent, { readonly kind: 'recalled' }>, 'recalled' | 'tokens'>

/** What can be done with a model that remembers. */
export interface Chats {
  /**
   * Stores the message, recalls, asks the model and stores its answer: `recalled`, any number of `delta`, then `done` or
   * `error`. Without a model `done` has `wouldHaveShown`. Stop listening, or abort the signal, and the model is stopped.
   */
  stream(message: string, input?: Omit<ChatInput, 'userId'> & WithUser): AsyncGenerator<ChatEvent, void>
  /** The same in one piece. Rejects with the model's error; the message is stored by then. */
  send(message: string, input?: Omit<ChatInput, 'userId'> & WithUser): Promise<ChatAnswer>
  /** Hands a request of OpenAI's or Anthropic's interface on to the model's vendor, with what is recalled for it, and remembers. */
  complete(input: Omit<CompletionInput, 'userId'> & WithUser): Promise<CompletionReply>
  /** The vendor's count of the tokens of a request of Anthropic's interface. */
  countTokens(input: Parameters<Engine['chat']['countTokens']>[0]): Promise<GatewayReply>
  /** The vendor's list of models, as it answers; the configured one where it has none. */
  models(signal?: AbortSignal): Promise<GatewayReply>
}

/** The facade over an engine. */
export function chats({ chat }: Engine, user: ChooseUser): Chats {
  return {
    stream: (message, input) => chat.stream(message, { ...input, userId: user(input) }),
    send: async (message, input) => {
      let seen = { recalled: [], tokens: 0 } as Pick<ChatAnswer, 'recalled' | 'tokens'>
      for await (const event of chat.stream(message, { ...input, userId: user(input) })) {
        if (event.kind === 'recalled') seen = { recalled: event.recalled, tokens: event.tokens }
        if (event.kind === 'error') throw event.error
        if (event.kind === 'done') {
          const { kind: _, ...answer } = event
          return { ...answer, ...seen }
        }
      }
      throw new MnemeError('aborted', 'The chat ended without an answer.', { remedy: 'Send the message again.' })
    },
    complete: async (input) => chat.complete({ ...input, userId: user(input) }),
    countTokens: (input) => chat.countTokens(input),
    models: (signal) => chat.models(signal),
  }
}
