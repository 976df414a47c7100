import { expect, test } from 'vitest'
import { hashOf, placeOf } from './address.ts'

test('a place is a link and back, with whatever its id and filters hold', () => {
  const params = { q: 'tea & 茶 #1', state: 'ended' }
  expect(placeOf(hashOf('memories', 'a/b c?', params))).toEqual({ view: 'memories', id: 'a/b c?', params })
})

test('what is empty is left out, and an address that names no view is the chat', () => {
  expect(hashOf('memories', '', { q: '', type: 'semantic' })).toBe('#/memories?type=semantic')
  expect(placeOf('')).toEqual({ view: 'chat', id: '', params: {} })
  expect(placeOf('#/nothing/x').view).toBe('chat')
  expect(placeOf('#/chat/%E0%A4%A').id).toBe('%E0%A4%A')
})
