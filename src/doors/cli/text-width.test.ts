import { expect, test } from 'vitest'
import { padToWidth, textWidth, wrapToWidth } from './commands/demo.ts'

test('Chinese characters and emoji take two columns, accents and joiners none of their own', () => {
  expect(textWidth('缓存层')).toBe(6)
  expect(textWidth('用 Redis 做缓存。')).toBe(17)
  expect(textWidth('cafe\u0301')).toBe(4)
  expect(textWidth('👩‍👩‍👧 ok')).toBe(5)
  expect(textWidth('')).toBe(0)
})

test('padding counts columns, not characters', () => {
  expect(padToWidth('支付', 6)).toBe('支付  ')
  expect(padToWidth('payment', 6)).toBe('payment')
})

test('Latin text wraps at spaces, Chinese anywhere, and no line begins with a full stop', () => {
  expect(wrapToWidth('we added a retry with backoff', 12)).toEqual(['we added a', 'retry with', 'backoff'])
  for (const line of wrapToWidth('讨论了支付流程，决定使用互斥锁。然后添加了重试机制。', 10)) {
    expect(textWidth(line)).toBeLessThanOrEqual(12)
    expect(line).not.toMatch(/^[，。]/)
  }
  expect(wrapToWidth('讨论了支付流程，决定使用互斥锁。', 10).join('')).toBe('讨论了支付流程，决定使用互斥锁。')
})
