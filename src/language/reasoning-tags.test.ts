import { expect, test } from 'vitest'
import { createReasoningFilter, withoutReasoning } from './reasoning-tags.ts'

test('reasoning at the beginning goes, tags that the answer speaks of stay', () => {
  expect(withoutReasoning('<think>He moves.</think>\n\nYou are moving.')).toBe('You are moving.')
  expect(withoutReasoning(' <Thinking>一</Thinking><think>二</think>答案')).toBe('答案')
  expect(withoutReasoning('Write <think>…</think> around it.')).toBe('Write <think>…</think> around it.')
  expect(withoutReasoning('<think>It never ends')).toBe('')
})

test.each([1, 2, 3, 7, 100])('in pieces of %i characters the same is shown', (size) => {
  for (const text of ['<think>a < b</think>\nYes, 是的。', '<thanks> are due', 'plain', '<think>open', ' <', '']) {
    const filter = createReasoningFilter()
    let shown = ''
    for (let at = 0; at < text.length; at += size) shown += filter.push(text.slice(at, at + size))
    expect(shown + filter.end()).toBe(withoutReasoning(text))
  }
})

// What was held was read again with each piece: fifty thousand took half a minute.
test('long reasoning is read once, and forgotten as it comes', () => {
  const filter = createReasoningFilter()
  let shown = filter.push('<think>')
  for (let piece = 0; piece < 400_000; piece += 1) shown += filter.push('word ')
  expect(shown + filter.push('</THINK> Hi') + filter.push('!')).toBe('Hi!')
})
