import { expect, test } from 'vitest'
import { createDeletions, type Deletion } from './notices.ts'

function world(fails: readonly string[] = []) {
  const removed: string[] = []
  const failures: unknown[] = []
  const timers: (() => void)[] = []
  const deletions = createDeletions({ onSent: () => {}, onFailure: (error) => failures.push(error) }, (work) =>
    timers.push(work),
  )
  const deletion = (...ids: string[]): Deletion => {
    const remove = async (): Promise<void> => {
      await Promise.resolve()
      for (const id of ids) if (fails.includes(id)) throw new Error(`${id} stays`)
      removed.push(...ids)
    }
    return { ids, label: '', remove }
  }
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { deletions, removed, failures, timers, deletion, settle }
}

test('a deletion is hidden at once, sent when its time is over, and never again', async () => {
  const { deletions, removed, timers, deletion, settle } = world()
  deletions.add(deletion('a', 'b'))
  expect([[...deletions.hidden.value], removed]).toEqual([['a', 'b'], []])
  for (const work of [...timers, ...timers]) work()
  await settle()
  expect([removed, [...deletions.hidden.value], deletions.waiting.value]).toEqual([['a', 'b'], ['a', 'b'], []])
})

test('what is taken back is shown again and never sent', async () => {
  const { deletions, removed, timers, deletion, settle } = world()
  const one = deletion('a')
  deletions.add(one)
  deletions.undo(one)
  timers[0]!()
  deletions.leave()
  await settle()
  expect([removed, deletions.hidden.value.size]).toEqual([[], 0])
})

test('leaving sends what waits; what fails is shown again with the reason', async () => {
  const { deletions, removed, failures, deletion, settle } = world(['b'])
  deletions.add(deletion('a', 'c'))
  deletions.add(deletion('b'))
  deletions.leave()
  await settle()
  expect([removed.sort(), [...deletions.hidden.value]]).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ])
  expect(String(failures[0])).toContain('b stays')
})
