/** Sessions of the real Agents SDK over a real memory; only the model is a script. */
import { Agent, type AgentOutputItem, type Model, Runner, tool, Usage } from '@openai/agents-core'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { MnemeSession } from './openai-agents.ts'

async function open(path = ':memory:', thinking = false): Promise<OpenMemory> {
  const memory = await openMemory({ path, userId: 'ann', thinking })
  onTestFinished(() => memory.close())
  return memory
}

const words = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
})

/** Answers what the script says, and keeps what it was asked. */
function scripted(script: readonly (readonly AgentOutputItem[])[]) {
  const asked: unknown[] = []
  const model: Model = {
    getResponse: async ({ input }) => {
      asked.push(input)
      return { usage: new Usage(), output: [...(script[asked.length - 1] ?? [])] }
    },
    getStreamedResponse: () => {
      throw new Error('is not asked here')
    },
  }
  return { asked, runner: new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true }) }
}

const said = async (memory: OpenMemory): Promise<readonly string[]> =>
  (await memory.conversations.turns('s')).items.map(({ role, content }) => `${role}: ${content}`)

const user = (content: string) => ({ role: 'user' as const, content })

test('a run goes on where the last one ended, in another process too, and what was said is found', async () => {
  const path = freshDatabase()
  const look: AgentOutputItem = { type: 'function_call', callId: 'c1', name: 'look', arguments: '{"at":"sky"}' }
  const { asked, runner } = scripted([[look], [words('It rains.')], [words('Porto.')]])
  const rain = tool({
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    strict: false,
    execute: async () => 'rain',
  })
  const agent = new Agent({ name: 'a', tools: [rain] })
  const first = await open(path, true)
  await runner.run(agent, 'I live in Porto. How is the weather?', {
    session: new MnemeSession(first, { sessionId: 's' }),
  })
  await first.close()

  const memory = await open(path, true)
  const session = new MnemeSession(memory, { sessionId: 's' })
  const { finalOutput } = await runner.run(agent, 'Where do I live?', { session })
  expect(finalOutput).toBe('Porto.')
  expect(asked[2]).toMatchObject([
    user('I live in Porto. How is the weather?'),
    { type: 'function_call', callId: 'c1', arguments: '{"at":"sky"}' },
    { type: 'function_call_result', callId: 'c1', output: { text: 'rain' } },
    { role: 'assistant' },
    user('Where do I live?'),
  ])
  expect(await said(memory)).toEqual([
    'user: I live in Porto. How is the weather?',
    'tool: look: {"at":"sky"}',
    'tool: rain',
    'assistant: It rains.',
    'user: Where do I live?',
    'assistant: Porto.',
  ])
  await memory.idle()
  expect((await memory.search('Where does the user live?')).results[0]?.text).toContain('Porto')
})

test('an operation that comes again, at once or from another process, is done once', async () => {
  const path = freshDatabase()
  const [a, b] = [await open(path), await open(path)]
  const append = { operationId: 'op', transaction: { type: 'append_items' as const, items: [user('Hi.')] } }
  await Promise.all(
    [a, b, a].map((memory) => new MnemeSession(memory, { sessionId: 's' }).applyHistoryTransaction(append)),
  )
  expect(await new MnemeSession(b, { sessionId: 's' }).getItems()).toEqual([user('Hi.')])
})

test('what is replaced or taken back is no part of the session, and a cleared one is gone', async () => {
  const memory = await open()
  const session = new MnemeSession(memory, { sessionId: 's' })
  await session.addItems([user('One.'), user('Two.')])
  const replace = {
    type: 'replace_suffix' as const,
    expectedSuffix: [user('Two.')],
    replacement: [user('2.'), user('3.')],
  }
  await session.applyHistoryTransaction({ operationId: 'op', transaction: replace })
  expect(await session.popItem()).toEqual(user('3.'))
  expect(await session.getItems()).toEqual([user('One.'), user('2.')])
  expect(await session.getItems(1)).toEqual([user('2.')])
  await session.clearSession()
  expect([await session.getItems(), (await memory.conversations.list()).total]).toEqual([[], 0])
})

test('each user and each session has its own items', async () => {
  const memory = await open()
  await new MnemeSession(memory, { sessionId: 's' }).addItems([user('Mine.')])
  expect(await new MnemeSession(memory, { sessionId: 's', userId: 'ben' }).getItems()).toEqual([])
  expect(await new MnemeSession(memory).getItems()).toEqual([])
})
