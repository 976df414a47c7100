import { expect, test } from 'vitest'
import { CallFailure, sendTolerated } from './call-failure.ts'

const OPTIONAL = ['max_tokens', 'temperature'] as const

/** A server that refuses these, one a request. */
function ask(refusals: readonly CallFailure[], refused = new Set<(typeof OPTIONAL)[number]>()) {
  const sent: string[][] = []
  const told: string[] = []
  const left = [...refusals]
  const answer = sendTolerated({
    optional: OPTIONAL,
    refused,
    body: () =>
      Object.fromEntries(
        Object.entries({ model: 'm', max_tokens: 9, temperature: 0 }).filter(
          ([name]) => !refused.has(name as 'max_tokens'),
        ),
      ),
    send: async (body) => {
      sent.push(Object.keys(body))
      const failure = left.shift()
      if (failure !== undefined) throw failure
      return new Response('{}')
    },
    onRefused: (name) => told.push(name),
  })
  return { answer, sent, told, refused }
}

const refusal = (message: string, status = 400) =>
  new CallFailure(`HTTP ${status}`, { said: message, status, transient: false })

test('what is refused by name is left out, one after the other, and remembered', async () => {
  const { answer, sent, told, refused } = ask([refusal('unknown field max_tokens'), refusal('不支持参数 temperature')])
  await answer
  expect(sent).toEqual([['model', 'max_tokens', 'temperature'], ['model', 'temperature'], ['model']])
  expect(told).toEqual(['max_tokens', 'temperature'])
  expect([...refused]).toEqual(told)
})

test.each([
  ['a refusal that names nothing', refusal('bad request')],
  ['one that names a longer parameter', refusal('max_tokens_total is unknown')],
  ['a wrong key', refusal('no max_tokens for you', 401)],
  ['a server in trouble', new CallFailure('max_tokens', { status: 503, transient: true })],
])('%s is passed on and nothing is sent again', async (_, failure) => {
  const { answer, sent } = ask([failure])
  await expect(answer).rejects.toBe(failure)
  expect(sent).toHaveLength(1)
})
