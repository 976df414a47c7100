/** OpenAI's own client, pointed at a server of ours, for tests of the proxy. */
import OpenAI from 'openai'
import { expect } from 'vitest'
import type { ChatServer } from './chat-server.ts'

/** A message as OpenAI's client has it. */
export type Message = OpenAI.ChatCompletionMessageParam

/** The client. */
export function clientOf({ url }: ChatServer, options: { readonly headers?: Record<string, string> } = {}): OpenAI {
  const headers = options.headers === undefined ? {} : { defaultHeaders: options.headers }
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'a-key-of-the-client', maxRetries: 0, ...headers })
}

/** Asks in a stream, with the whole chat; resolves the words. */
export async function ask(client: OpenAI, messages: readonly Message[], more: object = {}): Promise<string> {
  let words = ''
  const stream = await client.chat.completions.create({ model: 'm', messages: [...messages], stream: true, ...more })
  for await (const { choices } of stream) words += choices[0]?.delta.content ?? ''
  return words
}

export const user = (content: string): Message => ({ role: 'user', content })

export const assistant = (content: string): Message => ({ role: 'assistant', content })

/** The messages that the vendor got, but for the system message. */
export function heard(chat: ChatServer, number: number) {
  return chat.vendor.requests[number]!.body.messages!.filter(({ role }) => role !== 'system')
}

/** Every turn of the one conversation that there is. */
export async function turnsOf({ memory }: ChatServer): Promise<readonly string[]> {
  const { items } = await memory.conversations.list({ userId: 'local' })
  expect(items).toHaveLength(1)
  const { conversationId, turnCount } = items[0]!
  const pages = Array.from({ length: Math.ceil(turnCount / 5000) }, (_, page) =>
    memory.conversations.turns(conversationId, { userId: 'local', limit: 5000, offset: 5000 * page }),
  )
  return (await Promise.all(pages)).flatMap((page) => page.items.map(({ role, content }) => `${role}: ${content}`))
}
