import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Deletion, deletions, notices } from './notices.ts'

let removed: string[] = []
beforeEach(() => {
  removed = []
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** A deletion of these ids; one that is called `stays` is refused. */
function deletion(...ids: string[]): Deletion {
  const remove = async (): Promise<void> => {
    await Promise.resolve()
    if (ids.includes('stays')) throw new Error('it stays')
    removed.push(...ids)
  }
  return { ids, label: '', remove }
}

const isHidden = (id: string): boolean => deletions.hidden.value.has(id)

test('a deletion is hidden at once, sent when its time is over, and never again', async () => {
  deletions.add(deletion('a', 'b'))
  expect([isHidden('a'), isHidden('b'), removed]).toEqual([true, true, []])
  await vi.runAllTimersAsync()
  deletions.leave()
  await vi.runAllTimersAsync()
  expect([removed, isHidden('a'), isHidden('b'), deletions.waiting.value]).toEqual([['a', 'b'], true, true, []])
})

test('what is taken back is shown again and never sent', async () => {
  const one = deletion('taken back')
  deletions.add(one)
  deletions.undo(one)
  deletions.leave()
  await vi.runAllTimersAsync()
  expect([removed, isHidden('taken back')]).toEqual([[], false])
})

test('leaving sends what waits; what fails is shown again with the reason', async () => {
  deletions.add(deletion('c', 'd'))
  deletions.add(deletion('stays'))
  deletions.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect([removed, isHidden('c'), isHidden('d'), isHidden('stays')]).toEqual([['c', 'd'], true, true, false])
  expect(notices.value.map(({ text }) => text)).toEqual(['it stays'])
})
