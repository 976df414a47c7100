import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { masked, shownOne } from './binding.ts'

test('a view with long texts is shown with turns for others, as in one go', async () => {
  const results = Array.from({ length: 3 }, (_, at) => ({ text: `Berth ${at} is free. `.repeat(5000) }))
  let isDone = false
  const showing = shownOne({ results }, masked).finally(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns += 1) await nextTurn()
  expect(turns).toBeGreaterThan(10)
  expect(await showing).toEqual(masked({ results }))
})
