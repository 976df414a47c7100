import type { Context } from 'hono'
import { expect, test } from 'vitest'
import { createAnswers } from './answers.ts'

const MEGABYTE = 1024 * 1024

/** Sends an answer of so many bytes; tells whether its connection was broken off. */
function sender(answers: ReturnType<typeof createAnswers>) {
  return (userId: string, bytes: number) => {
    let isBroken = false
    const destroy = (): void => {
      isBroken = true
    }
    const raw = new Request('http://localhost/')
    const context = { req: { raw, method: 'GET' }, env: { outgoing: { destroy } } } as unknown as Context
    const response = answers.send(context, userId, { status: 200, body: 'ü'.repeat(bytes / 2) })
    return { response, isBroken: () => isBroken }
  }
}

test('an answer that nobody takes counts until it is taken, and no more work is begun for its user', async () => {
  const answers = createAnswers(60_000, 64 * MEGABYTE, 2 * MEGABYTE)
  const send = sender(answers)
  const first = send('mad', MEGABYTE)
  expect(first.response.headers.get('content-length')).toBe(String(MEGABYTE))
  answers.refuseUnread('mad')
  const second = send('mad', MEGABYTE)
  expect(answers.held).toBe(2 * MEGABYTE)
  expect(() => answers.refuseUnread('mad')).toThrow('Earlier answers were not read yet.')
  answers.refuseUnread('other')
  expect(await first.response.text()).toBe('ü'.repeat(MEGABYTE / 2))
  await second.response.body!.cancel()
  await Promise.resolve()
  expect(answers.held).toBe(0)
  answers.refuseUnread('mad')
})

test('of answers that are too many together the oldest of the user goes of whom most is held', () => {
  const answers = createAnswers(60_000, 4 * MEGABYTE)
  const send = sender(answers)
  const other = send('other', MEGABYTE)
  const mad = Array.from({ length: 6 }, () => send('mad', MEGABYTE))
  expect(answers.held).toBe(4 * MEGABYTE)
  expect(other.isBroken()).toBe(false)
  expect(mad.map(({ isBroken }) => isBroken())).toEqual([true, true, true, false, false, false])
})

test('a short answer is sent in one piece, and counts nothing', async () => {
  const answers = createAnswers(60_000)
  const { response } = sender(answers)('anyone', 1000)
  expect(answers.held).toBe(0)
  expect(await response.text()).toHaveLength(500)
})
