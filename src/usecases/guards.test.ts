import { expect, test } from 'vitest'
import { createGuards } from './core.ts'

const living = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('a process lives while somebody awaits an answer, and not a moment longer', async () => {
  const { open, held } = createGuards([{ pending: () => null }])
  const before = living()
  const { promise, resolve } = Promise.withResolvers<string>()
  const answers = [open(() => promise)(), held(() => promise)]
  await Promise.resolve()
  expect(living()).toBe(before + 1)
  resolve('here')
  expect(await Promise.all(answers)).toEqual(['here', 'here'])
  expect(living()).toBe(before)
  await expect(open(() => Promise.reject(new Error('no')))()).rejects.toThrow('no')
  expect(living()).toBe(before)
})
