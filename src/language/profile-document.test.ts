import { expect, test } from 'vitest'
import {
  comparableStatement,
  profileLines,
  withoutEmptySections,
  withoutStatements,
  withStatement,
} from './profile-document.ts'

test('headings in English and Chinese, marked or with a colon, name the sections', () => {
  const document = [
    'before any heading',
    '## 回复风格',
    '- 说话直接一点',
    'Language:',
    '1. answers in German, please',
    '### My garden',
    '• tomatoes',
    '**背景**：',
    '2、在养老院当厨师',
  ].join('\n')
  const statements = profileLines(document).filter(({ kind }) => kind === 'statement')
  expect(statements.map(({ section, text }) => [section, text])).toEqual([
    [null, 'before any heading'],
    ['reply_style', '说话直接一点'],
    ['language', 'answers in German, please'],
    [null, 'tomatoes'],
    ['background', '在养老院当厨师'],
  ])
})

test('a statement that ends in a colon or begins with a number stays a statement', () => {
  const document = 'Works with:\n3.5 days a week\n- 2024 was a hard year'
  expect(profileLines(document).map(({ kind, text }) => [kind, text])).toEqual([
    ['statement', 'Works with:'],
    ['statement', '3.5 days a week'],
    ['statement', '2024 was a hard year'],
  ])
})

test('case, width, spaces and the last mark do not tell two statements apart; what is in them does', () => {
  expect(comparableStatement(' Ｌikes  Tea. ')).toBe(comparableStatement('likes tea'))
  expect(comparableStatement('我喜欢喝茶。')).toBe(comparableStatement('我喜欢喝茶'))
  expect(comparableStatement('writes C++')).not.toBe(comparableStatement('writes C#'))
  expect(comparableStatement('不吃肉')).not.toBe(comparableStatement('吃肉'))
  expect(comparableStatement(' …。')).toBe('')
})

test('a statement goes behind the last one of its section, and a missing section is begun in the language of the first', () => {
  expect(withStatement('## Background\n- a', 'language', '我说中文')).toBe(
    '## Background\n- a\n\n## Language\n- 我说中文',
  )
  expect(withStatement('', 'background', '在医院\n工作')).toBe('## 背景\n- 在医院 工作')
  expect(withStatement('## Background\n- a\n\n## Language\n- b', 'background', 'c')).toBe(
    '## Background\n- a\n- c\n\n## Language\n- b',
  )
  expect(withStatement('## Background\n- a', 'background', 'c')).toBe('## Background\n- a\n- c')
  expect(withStatement('## Background', 'background', 'c')).toBe('## Background\n- c')
  expect(withStatement('hand-written\n', 'language', 'speaks Welsh')).toBe(
    'hand-written\n\n## Language\n- speaks Welsh',
  )
})

test('a statement that was added is read back as it was, and taking it out gives the document from before', () => {
  for (const statement of [
    'plain',
    '- with a dash',
    '# with a mark',
    '1. numbered',
    'Ends in a colon:',
    '中文，带标点：',
  ]) {
    const before = '## Background\n- first\n\n## Pets\n- cat\n'
    const after = withStatement(before, 'background', statement)
    const found = profileLines(after).filter(({ kind, text }) => kind === 'statement' && text === statement)
    expect(found).toHaveLength(1)
    expect(found[0]?.section).toBe('background')
    expect(withoutStatements(after, new Set([statement]))).toBe(before)
  }
})

test.each([
  (gap: string) => `I like tea ${gap} and rain.`,
  (gap: string) => `## Tea${gap}rain`,
  (gap: string) => `## Tea${gap.replaceAll(' ', '#')}rain`,
])('the time of a line grows as its blanks do (%#)', (line) => {
  const time = (blanks: number): number => {
    const before = process.cpuUsage().user
    profileLines(line(' '.repeat(blanks)))
    return Math.max(20_000, process.cpuUsage().user - before)
  }
  // The square of the blanks would be 2.
  expect(Math.log(time(40_000) / time(5000)) / Math.log(8)).toBeLessThan(1.5)
})

test.each([
  ['## Background\n\n## Language\n- Dutch.', '\n## Language\n- Dutch.'],
  ['## 背景\n', ''],
  ['# Ideas\n\n## Background', '# Ideas\n\n'],
  ['## Background\n### Family\n- Two sisters.', '## Background\n### Family\n- Two sisters.'],
])('headings of known sections that nothing stands under go: %j', (document, without) => {
  expect(withoutEmptySections(document)).toBe(without)
})
