import { expect, test } from 'vitest'
import { parseLogTime, timeOfValue } from './log-item.ts'
import { speakerMark, timeLine } from './read-marked-text.ts'

const marks: readonly (readonly [string, string])[] = [
  ['## User', 'heading-2 user'],
  ['### 助手：', 'heading-3 assistant'],
  ['# 🤖 Assistant (2026-03-01 10:42)', 'heading-1 assistant @2026-03-01 10:42'],
  ['## User - 10:42 PM', 'heading-2 user @10:42 PM'],
  ['## 3. Human: what is this?', 'heading-2 user "what is this?"'],
  ['## **Claude**', 'heading-2 assistant'],
  ['**User:**', 'bold user'],
  ['**User**: hello', 'bold user "hello"'],
  ['__AI__：你好', 'bold assistant "你好"'],
  ['**System** [2026/3/1 8:05]:', 'bold system @2026/3/1 8:05'],
  ['**Assistant**', 'bold assistant'],
  ['- **Bot:** hi', 'bold assistant "hi"'],
  ['User: a: b', 'plain user "a: b"'],
  ['用户：你好', 'plain user "你好"'],
  ['我: 在吗', 'plain user "在吗"'],
  ['[10:42] ChatGPT: ok', 'plain assistant "ok" @10:42'],
  ['2026-03-01T10:42:00Z Human: hi', 'plain user "hi" @2026-03-01T10:42:00Z'],
  ['You said:', 'plain user'],
  ['助手 2026年3月1日 10:42', 'plain assistant @2026年3月1日 10:42'],
  ['👩‍💻 User: emoji first', 'plain user "emoji first"'],
  ['HUMAN (10:42): Hi', 'plain user "Hi" @10:42'],
]

for (const [line, expected] of marks) {
  test(`${JSON.stringify(line)} marks a speaker`, () => {
    const mark = speakerMark(line)
    const rest = mark?.rest ? ` ${JSON.stringify(mark.rest)}` : ''
    const time = mark?.time ? ` @${mark.time}` : ''
    expect(`${mark?.style} ${mark?.role}${rest}${time}`).toBe(expected)
  })
}

const others: readonly string[] = [
  '## User authentication',
  '## Users',
  '**User** stories are fine.',
  '**Usernames:** are short',
  'User',
  'The user: a person',
  'Userland: code',
  'Model: iPhone 12',
  'Function: adds two numbers',
  '我们：大家',
  '用户名：小明',
  '助手们：注意',
  'user@example.com: hello',
  '    User: in an indented block of code',
  '- User: a list',
  '1. User: a list',
  '> User: a quotation',
  'Human beings are late: 10:42',
  '',
]

for (const line of others) {
  test(`${JSON.stringify(line)} marks no speaker`, () => {
    expect(speakerMark(line)).toBe(null)
  })
}

test('what is said on a very long line stays whole', () => {
  const said = '很长的话 '.repeat(500)
  expect(speakerMark(`用户：${said}`)?.rest).toBe(said)
})

test('a line with nothing but a time is told from other lines', () => {
  expect(timeLine('*2026-03-01 10:42*')).toBe('2026-03-01 10:42')
  expect(timeLine('> [10:42:07]')).toBe('10:42:07')
  expect(timeLine('at 10:42 the boat left')).toBe(null)
  expect(timeLine('12')).toBe(null)
})

const noon = Date.UTC(2026, 2, 1, 12)
const times: readonly (readonly [string, number | null])[] = [
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2026-03-01T10:42:05.123Z', Date.UTC(2026, 2, 1, 10, 42, 5, 123)],
  ['2026-03-01T10:42:05+08:00', Date.UTC(2026, 2, 1, 2, 42, 5)],
  ['2026/3/1 9:05 pm', Date.UTC(2026, 2, 1, 21, 5)],
  ['2026-03-01 12:05 AM', Date.UTC(2026, 2, 1, 0, 5)],
  ['2026年3月1日 10:42', Date.UTC(2026, 2, 1, 10, 42)],
  ['10:42', Date.UTC(2026, 2, 1, 10, 42)],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['2026-03-01 25:00', null],
  ['2026-03-01 10:61', null],
  ['13:00 pm', null],
  ['yesterday', null],
]

for (const [text, expected] of times) {
  test(`the time ${JSON.stringify(text)} is read`, () => {
    expect(parseLogTime(text, noon)).toBe(expected)
  })
}

test('a time without a day is none, and numbers are seconds or milliseconds', () => {
  expect(parseLogTime('10:42', null)).toBe(null)
  expect(timeOfValue(1_772_332_920)).toBe(1_772_332_920_000)
  expect(timeOfValue(1_772_332_920_500)).toBe(1_772_332_920_500)
  expect(timeOfValue(Number.MAX_VALUE)).toBe(null)
  expect(timeOfValue({})).toBe(null)
})
