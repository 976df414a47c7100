import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { GatewayReply, LanguageModel } from '../../domain/contracts/models.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { StoredTurn, StoreInput } from '../conversations.ts'
import type { ChatDependencies } from './chat.ts'
import { type CompletionReply, completeChat } from './complete-chat.ts'

const PATIENCE_MS = 30
const LINES = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text)
}

/** A vendor that says "Noted."; what it says stands in the reply. */
const VENDOR: LanguageModel['gateway'] = {
  complete: async (): Promise<GatewayReply> => ({
    status: 200,
    headers: {},
    body: pieces('Noted.'),
    said: () => ({ text: 'Noted.', model: 'm', usage: null, finished: true, choices: 1 }),
  }),
  models: () => Promise.reject(new Error('is not asked here')),
  count: () => Promise.reject(new Error('is not asked here')),
}

/** A chat whose store does `before` first; what it stored, in order. */
function chatWith(before: () => Promise<void>): { chat: ChatDependencies; stored: string[] } {
  const stored: string[] = []
  const store = async ({ turns }: StoreInput): Promise<readonly StoredTurn[]> => {
    await before()
    stored.push(...turns.map(({ role, content }) => `${role}: ${content}`))
    return []
  }
  const log = { conversation: async () => (stored.length === 0 ? null : { lastTurnId: 0 }), turns: async () => [] }
  const chat: ChatDependencies = {
    log: log as unknown as ConversationLog,
    llm: { model: 'm', gateway: VENDOR } as unknown as LanguageModel,
    clock: () => new Date(0),
    logger: LINES,
    maxContentBytes: 1000,
    store,
    context: () => Promise.reject(new MnemeError('storage_failed', 'nothing is there', { remedy: 'Look.' })),
    patienceMs: PATIENCE_MS,
  }
  return { chat, stored }
}

function ask(chat: ChatDependencies): Promise<CompletionReply> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'The spare key is under the mat.' }] })
  return completeChat(chat, { userId: 'ada', body })
}

async function readAll({ body }: CompletionReply): Promise<string> {
  let text = ''
  for await (const piece of body) text += new TextDecoder().decode(piece)
  return text
}

const ALL = ['user: The spare key is under the mat.', 'assistant: Noted.']

test('what takes longer to store than a chat waits is said to come, and comes, its answer behind it', async () => {
  const { chat, stored } = chatWith(() => sleep(4 * PATIENCE_MS))
  const reply = await ask(chat)
  expect(reply.warnings[0]).toMatch(/^The messages are not stored yet:/)
  expect(stored).toEqual([])
  expect(await readAll(reply)).toBe('Noted.')
  await expect.poll(() => stored).toEqual(ALL)
})

test('what cannot be stored is said not to be, and the chat goes on', async () => {
  const { chat, stored } = chatWith(() =>
    Promise.reject(new MnemeError('storage_full', 'the disk is full', { remedy: 'Make room.' })),
  )
  const reply = await ask(chat)
  expect(reply.warnings[0]).toMatch(/^The messages were not stored: the disk is full/)
  expect(await readAll(reply)).toBe('Noted.')
  expect(stored).toEqual([])
})

test('what is stored in time is told of with no word', async () => {
  const { chat, stored } = chatWith(async () => {})
  const reply = await ask(chat)
  expect(reply.warnings).toEqual([expect.stringContaining('Nothing was recalled: nothing is there')])
  await readAll(reply)
  expect(stored).toEqual(ALL)
})

test.each(['["Hi.", null]', '[{"type": "text", "text": "Hi."}, null]', '[5]'])(
  'a block of Anthropic’s interface that is no object (%s) is refused before anything is stored',
  async (content) => {
    const { chat, stored } = chatWith(async () => {})
    const body = `{"cache_control": {"type": "ephemeral"}, "messages": [{"role": "user", "content": ${content}}]}`
    await expect(completeChat(chat, { userId: 'ada', body, protocol: 'messages' })).rejects.toMatchObject({
      code: 'invalid_input',
      field: expect.stringMatching(/^messages\[0\]\.content\[\d\]$/),
    })
    expect(stored).toEqual([])
  },
)
