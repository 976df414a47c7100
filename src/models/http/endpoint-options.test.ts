import { expect, test } from 'vitest'
import { resolveAddress, resolveKey, resolveModelName } from './vendor.ts'

test('the path stands at the end of the address once, whatever was given', () => {
  for (const baseUrl of [
    'http://127.0.0.1:8080/v1',
    'http://127.0.0.1:8080/v1/',
    ' http://127.0.0.1:8080/v1/embeddings ',
    'http://127.0.0.1:8080/v1/embeddings//#top',
  ])
    expect(resolveAddress('embedding', baseUrl, '/embeddings')).toBe('http://127.0.0.1:8080/v1/embeddings')
  expect(resolveAddress('llm', 'https://模型.example/?api=2', '/chat/completions')).toMatch(
    /\/chat\/completions\?api=2$/,
  )
})

test.each([
  ['nowhere', 'is no address'],
  ['ftp://example.com/v1', 'ftp:'],
  ['https://ann:secret@example.com/v1', 'user or a password'],
])('%s is refused with the option that holds it', (baseUrl, reason) => {
  const resolving = () => resolveAddress('embedding', baseUrl, '/embeddings')
  expect(resolving).toThrowError(reason)
  expect(resolving).toThrowError(expect.objectContaining({ code: 'invalid_input', field: 'embedding.baseUrl' }))
  expect(resolving).not.toThrowError('secret')
})

test('a key that no header can hold is refused without being quoted; none is needed where nobody asks for one', () => {
  expect(resolveKey('llm', ' sk-1 ', 'openai')).toBe('sk-1')
  expect(resolveKey('llm', undefined, null)).toBeNull()
  expect(() => resolveKey('llm', '', 'openai')).toThrowError('llm.apiKey: is needed for openai')
  expect(() => resolveKey('llm', 'sk-1\nhost: evil', null)).toThrowError(/^(?!.*sk-1)/)
  expect(() => resolveModelName('llm', ' ')).toThrowError('llm.model: is empty')
})
