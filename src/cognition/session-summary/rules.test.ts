import { expect, test } from 'vitest'
import type { ThinkMessage } from '../../domain/thought.ts'
import { hasRequest, sessionSummaryByRules } from './rules.ts'
import { characterCount, shortenToCharacters } from './shorten.ts'
import { SNIPPET_CHARACTERS, TITLE_CHARACTERS } from './types.ts'

function turns(...contents: readonly string[]): readonly ThinkMessage[] {
  return contents.map((content, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content,
    speaker: null,
    turnId: at + 1,
    createdAt: 0,
  }))
}

test('the title is the first real request, without greeting and politeness', () => {
  expect(
    sessionSummaryByRules(turns('Hello there! Could you please compare heat pumps for a terraced house?', 'Sure.')),
  ).toMatchObject({
    title: 'Compare heat pumps for a terraced house?',
  })
  expect(sessionSummaryByRules(turns('你好，请帮我比较一下联排别墅用的热泵。', '好的。')).title).toBe(
    '比较一下联排别墅用的热泵',
  )
  expect(sessionSummaryByRules(turns('hi', 'Hello!', 'My oven trips the fuse.', 'Which fuse?')).title).toBe(
    'My oven trips the fuse',
  )
})

test('the snippet tells the request and what was decided, or how it was answered', () => {
  const decided = sessionSummaryByRules(
    turns(
      'Where should the ledger live? It has to survive a reboot.',
      'A file would do.',
      'Agreed, we decided to use SQLite for the ledger.',
      'Fine.',
    ),
  )
  expect(decided.snippet).toContain('Where should the ledger live?')
  expect(decided.snippet).toContain('decided to use SQLite for the ledger')
  const answered = sessionSummaryByRules(
    turns('为什么我的面团发不起来？', '多半是酵母失效了，水温超过五十度酵母就会死。'),
  )
  expect(answered.snippet).toBe('为什么我的面团发不起来？多半是酵母失效了，水温超过五十度酵母就会死。')
})

test('title and snippet keep their bounds and end between words', () => {
  const english = `Describe ${'wonderfully complicated lighthouse machinery '.repeat(20)}`
  const chinese = `请介绍${'灯塔透镜旋转机构的历史沿革和维护方法'.repeat(20)}`
  const emoji = '👨‍👩‍👧‍👦'.repeat(300)
  for (const text of [english, chinese, emoji, 'x'.repeat(5000)]) {
    const { title, snippet } = sessionSummaryByRules(turns(text, 'Sure.'))
    expect(characterCount(title)).toBeLessThanOrEqual(TITLE_CHARACTERS)
    expect(characterCount(snippet)).toBeLessThanOrEqual(SNIPPET_CHARACTERS)
    expect(title.isWellFormed() && title.length > 0).toBe(true)
  }
  expect(sessionSummaryByRules(turns(english, 'Sure.')).title).toMatch(
    /(?:wonderfully|complicated|lighthouse|machinery)…$/,
  )
  expect(shortenToCharacters(emoji, 4)).toBe(`${'👨‍👩‍👧‍👦'.repeat(3)}…`)
})

test('nothing said gives nothing; only code or a greeting gives what stands there', () => {
  expect(sessionSummaryByRules([])).toEqual({ title: '', snippet: '' })
  expect(sessionSummaryByRules(turns('hi', 'Hello!')).title).toBe('hi')
  expect(sessionSummaryByRules(turns('```js\nfetchTides()\n```', 'What about it?')).title).toBe('fetchTides()')
})

test('a question of the assistant is no outcome, and a plain opening no part of the title', () => {
  const exchange = [
    { role: 'user', content: 'yo i need to fix our loom, it drops threads' },
    { role: 'assistant', content: 'Which model is it?' },
  ] as const
  expect(sessionSummaryByRules(exchange)).toEqual({
    title: 'Fix our loom, it drops threads',
    snippet: 'i need to fix our loom, it drops threads',
  })
})

test('a greeting asks for nothing, a request behind one does', () => {
  expect(hasRequest('hey there')).toBe(false)
  expect(hasRequest('hey, can you help me plan a picnic')).toBe(true)
  expect(hasRequest('你好，帮我排一下下周的班')).toBe(true)
  expect(hasRequest('在吗')).toBe(false)
  expect(hasRequest('你好呀，想问问养兔子的事')).toBe(true)
  expect(hasRequest('morning!')).toBe(false)
})
