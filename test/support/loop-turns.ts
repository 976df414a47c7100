/** How often does work let others run? Turns of the event loop are counted, no time. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The turns of the event loop until the work is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    turns += 1
  }
  await done
  return turns
}
