import { expect, test } from 'vitest'
import { holdsOtherKey } from './compare-values.ts'
import { relate } from './relate.ts'
import type { Statement } from './statement.ts'

/** No key of anybody. */
const made = (length: number): string => 'aB3dE6gH9jK2mN5pQ8rS'.repeat(3).slice(0, length)
const AWS = `AWS key is AKIA${made(16).toUpperCase()} and the secret ${made(40)}`
const ALIYUN = `我的阿里云 AccessKey 是 LTAI${made(20)}，secret 是 ${made(30)}`
const SLACK = `Slack bot token: xoxb-${made(40)}`
const NEW_SLACK = `The Slack bot token is now xoxb-${made(39)}Z`
const TELEGRAM = `Telegram bot token: 123456789:AA${made(33)}`

function said(text: string, occurredAt: number): Statement {
  return { text, who: 'user', occurredAt, key: null, value: null }
}

test.each([
  [ALIYUN, AWS, true],
  [TELEGRAM, SLACK, true],
  [NEW_SLACK, SLACK, false],
  ['The gate code is 8807', 'The gate code is 4471', false],
  ['We keep the backups on AWS', AWS, false],
])('%s holds another service’s key than %s: %s', (newer, older, expected) => {
  expect(holdsOtherKey(newer, older)).toBe(expected)
})

test('the key of one service does not end the key of another, a new key of the same one does', () => {
  for (const [newer, older] of [
    [ALIYUN, AWS],
    [TELEGRAM, SLACK],
  ] as const)
    expect(relate(said(newer, 100_000), said(older, 0)).relation).toBe('none')
  expect(relate(said(NEW_SLACK, 100_000), said(SLACK, 0)).relation).toBe('supersedes')
})
