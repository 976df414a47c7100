import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

const never = new AbortController().signal

/** Requests of these callers, in the order of their arrival; the order in which they began, refused ones as `-name`. */
async function orderOf(callers: readonly string[], concurrency: number, queueLength: number) {
  const admission = createAdmission(concurrency, queueLength, 1)
  const order: string[] = []
  await Promise.all(
    callers.map(async (who) => {
      try {
        const leave = await admission.enter('usual', never, who)
        order.push(who)
        await new Promise(setImmediate)
        leave()
      } catch {
        order.push(`-${who}`)
      }
    }),
  )
  expect(admission.load).toEqual({ running: 0, waiting: 0 })
  return order
}

const FLOOD = Array.from({ length: 40 }, () => 'flood')

test('a flood leaves a place to another caller, who begins at once', async () => {
  const order = await orderOf([...FLOOD, 'quiet'], 8, 100)
  expect(order.indexOf('quiet')).toBe(6)
  expect(order).toHaveLength(41)
})

test('of those who wait callers begin in turn', async () => {
  const order = await orderOf([...FLOOD, 'quiet', 'quiet', 'other'], 1, 100)
  expect(order.slice(1, 6).filter((who) => who !== 'flood')).toEqual(['quiet', 'other', 'quiet'])
})

test('in a full queue the last request of the flood makes room for that of another', async () => {
  const order = await orderOf([...FLOOD, 'quiet'], 2, 10)
  expect(order).toContain('quiet')
  expect(order.filter((who) => who === '-flood')).toHaveLength(40 - 2 - 9)
})
