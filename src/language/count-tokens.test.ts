import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { leastTokens, mostTokens, tokenCounter } from './count-tokens.ts'

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

test('the estimate is hardly ever below the count, and not far above it', async () => {
  const count = await tokenCounter()
  for (const text of [
    'We deploy with Kamal to two Hetzner boxes, and the staging database is Postgres 16 on port 5499.',
    '我女儿朵朵六岁，今年九月刚上小学一年级，她对鸡蛋过敏，早餐给她做什么好呢？',
    'const total = items.reduce((sum, { price }) => sum + price, 0) // in cents',
    '- [2026-11-24] Please always run `just lint` before you commit.\n\n- 线上报错 Error 1213: Deadlock found',
  ]) {
    expect(mostTokens(text), text).toBeGreaterThanOrEqual(count(text))
    expect(mostTokens(text), text).toBeLessThanOrEqual(1.6 * count(text))
  }
})

test.each([
  '',
  'Hello, world!',
  'zqxjkvw Brüttelkaffee 𝒳 unbelievablenesses',
  '我周末去哪里跑步好？ 魑魅魍魉',
  "it's 10:30 — isn't it?\r\n\r\n   DON'T",
  '🙂👩‍👩‍👧 x̧̃ नमस्ते \ud800',
  '<|endoftext|> <|im_start|>system',
  'const total = items.reduce((sum, { price }) => sum + price, 0) // in cents\n\t\tреальность',
  'qzx'.repeat(80),
])('the table counts as the encoding does: %j', async (text) => {
  expect((await tokenCounter())(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }))
})
