import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Works until 8 MB are there for new objects, rests, and works again; tells what is there then, in MB. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { keepHeapSteady } from ${JSON.stringify(new URL('small-heap.ts', import.meta.url).href)}
  const nursery = () => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    return (space.space_used_size + space.space_available_size) / 1024 / 1024
  }
  let kept = []
  const work = async (isOver) => {
    const latest = performance.now() + 10_000
    while (!isOver() && performance.now() < latest) {
      for (let made = 0; made < 5000; made += 1) {
        const one = { made, text: String(made) }
        if (made % 20 === 0) kept.push(one)
      }
      if (kept.length > 100_000) kept = []
      await new Promise(setImmediate)
    }
  }
  keepHeapSteady()
  await work(() => nursery() > 8)
  await gc({ type: 'major', execution: 'async', flavor: 'last-resort' })
  const rested = nursery()
  await work(() => nursery() > 8)
  const later = performance.now() + 500
  await work(() => performance.now() > later)
  console.log(JSON.stringify({ rested, after: nursery() }))`

test('a server that was idle gets its space for new objects back, and no more than that', () => {
  const answer = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', PROGRAM])
  const { rested, after } = JSON.parse(answer.toString()) as { rested: number; after: number }
  expect(rested).toBeLessThan(4)
  expect(after).toBeGreaterThan(8)
  expect(after).toBeLessThan(17)
})
