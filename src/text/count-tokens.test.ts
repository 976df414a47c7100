import { expect, test } from 'vitest'
import { leastTokens, tokenCounter } from './count-tokens.ts'

test('no text has fewer tokens than it surely has', async () => {
  const count = await tokenCounter()
  for (const text of [
    '',
    'Hello, world!',
    '- [remembered; the user said so; confidence 0.90] Runs along the river',
    'a b c d e f\n\n  g\th',
    '我周末 去哪里 跑步 好？',
    'print("x")  # 1 + 1 == 2\n```\n',
    "it's 10:30 — isn't it?",
    '🙂 🙂🙂 ok',
  ])
    expect(leastTokens(text)).toBeLessThanOrEqual(count(text))
  expect(leastTokens('drai rul plailbrax')).toBe(3)
})
