/** Two people of our own invention, twenty exchanges with recorded answers: everything ends as the model meant it. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../bench/quality/model-answers.ts'

test('statements are stored, memories end and stand in doubt as the recorded answers say', async () => {
  const answers = fileURLToPath(new URL('../bench/quality/model-answers-own.jsonl', import.meta.url))
  const figures = await run({ data: '', flags: { answers } })
  const of = (name: string) => figures.find(({ figure }) => figure.endsWith(name))
  const stored = of('statements stored as meant')!
  expect(stored.n).toBe(92)
  expect(stored.value).toBeGreaterThan(97)
  expect(of('what it ends: done')).toMatchObject({ value: 100, n: 24 })
  // Those that took another's place, and no other.
  expect(of('endings')).toMatchObject({ value: 18 })
  // The one doubt that no later exchange settles.
  const doubted = of('current memories in doubt')!
  expect(Math.round((doubted.value * doubted.n) / 100)).toBe(1)
})
