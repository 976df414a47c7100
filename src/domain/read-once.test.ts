import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readInPieces, readOnce, readParts, watchReadings } from './read-once.ts'

/** The module with nothing kept: long texts that other tests of the process read take places. */
async function fresh() {
  vi.resetModules()
  return import('./read-once.ts')
}

test('a text is read once, however often it is asked for', () => {
  const made: string[] = []
  const stop = watchReadings((name, text) => made.push(`${name}: ${text}`))
  const length = readOnce('length', (text) => ({ of: text.length }))
  expect(length('Leeds')).toBe(length('Leeds'))
  expect(length('York')).toEqual({ of: 4 })
  stop()
  length('Hull')
  expect(made).toEqual(['length: Leeds', 'length: York'])
})

test('of very many texts the last are kept and the others read again, and long ones put out no other', async () => {
  const { readOnce } = await fresh()
  let made = 0
  const count = readOnce('count', () => {
    made += 1
    return made
  })
  for (let at = 0; at < 20_000; at += 1) count(`text ${at}`)
  count('text 19999')
  expect(made).toBe(20_000)
  count('text 0')
  expect(made).toBe(20_001)
  const long = Array.from({ length: 17 }, (_, at) => String(at % 10).repeat(100_000 + at))
  for (const text of [...long.slice(0, 16), ...long.slice(0, 16)]) count(text)
  count('text 0')
  expect(made).toBe(20_017)
  for (const text of [long[16]!, long[0]!]) count(text)
  expect(made).toBe(20_019)
})

test('a long reading in pieces is not made again behind a collection of garbage', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // The time for which readings are kept stands still: a busy machine takes longer.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { readInPieces } = await fresh()
  let made = 0
  // biome-ignore lint/correctness/useYield: it is read in one piece
  const count = readInPieces('long count', function* (text): Generator<void, { readonly of: number }> {
    made += 1
    return { of: text.length }
  })
  const texts = Array.from({ length: 3 }, (_, at) => String(at).repeat(100_000))
  for (const text of texts) await count.patiently(text)
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate()
    collect()
  }
  for (const text of texts) count(text)
  expect(made).toBe(3)
})

test('a reading in pieces lets others run, and is made once', async () => {
  const order: string[] = []
  const count = readInPieces('count', function* (text): Generator<void, number> {
    for (let at = 0; at < 3; at += 1) {
      order.push('piece')
      yield
    }
    return text.length
  })
  const other = setImmediate().then(() => order.push('other'))
  expect(await count.patiently('Leeds')).toBe(5)
  await other
  expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('piece'))
  expect([count('Leeds'), await count.patiently('Leeds'), order.length]).toEqual([5, 5, 4])
})

test('of a thing only what is asked for is read, and once', () => {
  const made: string[] = []
  const partsOf = readParts<string, { readonly words: readonly string[]; readonly isLong: boolean }>({
    words: (text) => {
      made.push(text)
      return text.split(' ')
    },
    isLong: (_, { words }) => words.length > 2,
  })
  const [leeds, york] = [partsOf('to Leeds'), partsOf('a day in York')]
  expect([york.isLong, york.isLong, york.words.at(-1)]).toEqual([true, true, 'York'])
  expect(made).toEqual(['a day in York'])
  expect(leeds.isLong).toBe(false)
})
