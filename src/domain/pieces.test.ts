import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from './pieces.ts'

test('one after the other under a name, a failure too; others at the same time', async () => {
  const inTurn = inTurns()
  const [store, other] = [{}, {}]
  const order: string[] = []
  const work = (what: string, ms: number) => async () => {
    order.push(`${what} begins`)
    await setTimeout(ms)
    order.push(`${what} ends`)
    if (what === 'first') throw new Error('failed')
    return what
  }
  const first = inTurn(store, 'ann', work('first', 30))
  const second = inTurn(store, 'ann', work('second', 1))
  const beside = Promise.all([inTurn(store, 'ben', work('ben', 1)), inTurn(other, 'ann', work('other', 1))])
  await expect(first).rejects.toThrow('failed')
  expect(await second).toBe('second')
  expect(await beside).toEqual(['ben', 'other'])
  expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'))
  for (const one of ['ben', 'other']) expect(order.indexOf(`${one} ends`)).toBeLessThan(order.indexOf('first ends'))
})
