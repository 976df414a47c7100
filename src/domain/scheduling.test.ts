import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairTurns, everyItem, fewAtATime, inTurns } from './scheduling.ts'

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

/** Requests of these users, in the order of their arrival; the order in which they began. */
async function orderOf(users: readonly string[], work: () => Promise<unknown>): Promise<readonly string[]> {
  const { enter } = createFairTurns()
  const order: string[] = []
  await Promise.all(
    users.map(async (userId) => {
      const leave = await enter(userId)
      order.push(userId)
      await work()
      leave()
    }),
  )
  return order
}

const FLOOD = Array.from({ length: 50 }, () => 'flood')

test('of fifty requests of one user and one of another, that of the other is among the first three', async () => {
  for (const work of [nextTurn, async () => undefined]) {
    const order = await orderOf(['quiet', ...FLOOD, 'quiet'], work)
    expect(order.slice(0, 4).filter((userId) => userId === 'quiet')).toHaveLength(2)
    expect(order).toHaveLength(52)
  }
})

test('beside a request at work one other of each user begins, and all of them when it takes long', async () => {
  const { enter } = createFairTurns()
  const leave = await enter('quiet')
  let begun = 0
  const flood = FLOOD.map(async () => {
    const end = await enter('flood')
    begun += 1
    end()
  })
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(begun).toBe(1)
  for (let turn = 0; turn < 200; turn += 1) await nextTurn()
  expect(begun).toBe(50)
  leave()
  await Promise.all(flood)
})

test('a user with one request is not held back by those of a flood', async () => {
  const { enter } = createFairTurns()
  const leave = [await enter('quiet')]
  const flood = FLOOD.map(async () => leave.push(await enter('flood')))
  leave.pop()?.()
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  for (let asked = 0; asked < 5; asked += 1) {
    let isBegun = false
    const end = enter('quiet').finally(() => {
      isBegun = true
    })
    await nextTurn()
    expect(isBegun).toBe(true)
    ;(await end)()
  }
  for (let turn = 0; turn < 200; turn += 1) await nextTurn()
  await Promise.all(flood)
})

test('requests of one user begin in their order, and at once when nobody else is there', async () => {
  const { enter } = createFairTurns()
  const begun: number[] = []
  for (const at of FLOOD.keys()) void enter('alone').then(() => begun.push(at))
  await Promise.resolve()
  expect(begun).toEqual([...FLOOD.keys()])
  void enter('another')
  for (const at of FLOOD.keys()) void enter('alone').then(() => begun.push(50 + at))
  for (let turn = 0; turn < 200; turn += 1) await nextTurn()
  expect(begun).toEqual([...Array(100).keys()])
})

test('work in the background gives way to requests of others, not to those of its own user', async () => {
  const { enter, giveWay } = createFairTurns()
  const leave = await enter('quiet')
  const done: string[] = []
  const works = ['quiet', 'flood'].map((userId) => giveWay(userId).then(() => done.push(userId)))
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(done).toEqual(['quiet'])
  leave()
  await Promise.all(works)
  expect(done).toEqual(['quiet', 'flood'])
  const stopped = giveWay('quiet', AbortSignal.abort())
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
})

test('between two pages and between two pieces of a list others have their turn', async () => {
  let turn = 0
  let isOver = false
  const others = async (): Promise<void> => {
    for (; !isOver; turn += 1) await nextTurn()
  }
  const running = others()
  const items = [...Array(10).keys()]
  const seen: number[] = []
  const turns: number[] = []
  const list = async ({ limit, offset }: { limit: number; offset: number }) => {
    turns.push(turn)
    return { items: items.slice(offset, offset + limit) }
  }
  for await (const item of everyItem(list, 3)) seen.push(item)
  for await (const some of fewAtATime(items, 4)) {
    turns.push(turn)
    seen.push(...some)
  }
  isOver = true
  await running
  expect(seen).toEqual([...items, ...items])
  expect(turns).toHaveLength(7)
  for (const [before, after] of [turns.slice(0, 4), turns.slice(4)].flatMap((some) =>
    some.map((at, i) => [at, some[i + 1]]),
  ))
    if (after !== undefined) expect(after).toBeGreaterThan(before!)
})

test('of work of nobody who is known, too, one piece runs a turn, and none waits for a request', async () => {
  const { enter, breathe } = createFairTurns()
  await enter('ann')
  let pieces = 0
  const work = Array.from({ length: 4 }, async () => {
    for (let piece = 0; piece < 3; piece += 1) {
      await breathe()
      pieces += 1
    }
  })
  let most = 0
  for (let turn = 0, before = 0; turn < 30; turn += 1, before = pieces) {
    await nextTurn()
    most = Math.max(most, pieces - before)
  }
  await Promise.all(work)
  expect([pieces, most]).toEqual([12, 1])
})
