import { expect, test } from 'vitest'
import type { OpenMemory } from '../library/index.ts'
import { type AnyOperation, jsonOf } from './operation.ts'

test('an answer with a long list is written as in one go, but with turns for others', async () => {
  const items = Array.from({ length: 1001 }, (_, at) => ({
    at,
    when: new Date(at),
    left: undefined,
    text: `第 ${at} "`,
  }))
  const answer = { total: 1001, left: undefined, items, few: [null, undefined, 'a'], none: [], page: { next: null } }
  const operation = { handler: async () => answer } as unknown as AnyOperation
  const call = { memory: {} as OpenMemory, userId: 'anna', isOperator: false }
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const text = await jsonOf(operation, call, {})
  isDone = true
  expect(text).toBe(JSON.stringify(answer))
  expect(turns).toBeGreaterThanOrEqual(5)
})
