import { expect, test } from 'vitest'
import { CallFailure } from './post.ts'
import { refusedParameter } from './retrying-client.ts'

const BODY = { model: 'm', max_tokens: 9, temperature: 0 }
const refusal = (message: string, status = 400) =>
  new CallFailure(`HTTP ${status}`, { said: message, status, transient: false })
const named = (failure: CallFailure, body: Record<string, unknown> = BODY) =>
  refusedParameter(failure, body, ['max_tokens', 'temperature'])

test('what is refused by name can be left out, as long as it is sent', () => {
  expect(named(refusal('unknown field max_tokens'))).toBe('max_tokens')
  expect(named(refusal('不支持参数 temperature'))).toBe('temperature')
  expect(named(refusal('unknown field max_tokens'), { model: 'm' })).toBeNull()
})

test.each([
  ['a refusal that names nothing', refusal('bad request')],
  ['one that names a longer parameter', refusal('max_tokens_total is unknown')],
  ['a wrong key', refusal('no max_tokens for you', 401)],
  ['a server in trouble', new CallFailure('max_tokens', { status: 503, transient: true })],
])('%s names no parameter to leave out', (_, failure) => {
  expect(named(failure)).toBeNull()
})
