import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { mostTokens, tokenCounter } from './count-tokens.ts'

test('counting stops when there are more tokens than asked about', async () => {
  const count = await tokenCounter()
  const text = '一二三四五'.repeat(200_000)
  expect(count(text, 300)).toBeLessThan(300 + 256)
  expect(count(text, 300)).toBeGreaterThan(300)
  expect(count(text)).toBeGreaterThan(500_000)
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
