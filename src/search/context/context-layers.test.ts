import { expect, test } from 'vitest'
import { rollingWindow, roundsOf } from './context-layers.ts'

const say = (role: string, content: string) => ({ role, content })
const chat = (rounds: number) =>
  Array.from({ length: rounds }, (_, n) => [say('user', `question ${n}`), say('assistant', `answer ${n}`)]).flat()

test('a round is a question with everything that answers it', () => {
  const rounds = roundsOf([
    say('assistant', 'Hello, what can I do?'),
    say('user', '帮我看看这个错误'),
    say('user', 'It is a TypeError'),
    say('tool', 'line 3'),
    say('assistant', '第三行少了一个参数'),
    say('user', 'Thanks'),
  ])
  expect(rounds.map((round) => round.map(({ role }) => role[0]).join(''))).toEqual(['a', 'uuta', 'u'])
})

test('as long as there are no more than context_limit + 2 messages, all of them stay', () => {
  const rounds = roundsOf(chat(5))
  expect(rollingWindow(rounds, 10, 2).dropped).toEqual([])
})

test('one message more, and the earliest round leaves as a whole', () => {
  const rounds = roundsOf(chat(6))
  const { kept, dropped } = rollingWindow(rounds, 10, 2)
  expect(dropped.flat().map(({ content }) => content)).toEqual(['question 0', 'answer 0'])
  expect(kept.flat()).toHaveLength(10)
  expect(kept[0]![0]!.role).toBe('user')
})

test('a limit below one round leaves nothing but the message itself', () => {
  expect(rollingWindow(roundsOf(chat(2)), 0, 2).kept).toEqual([])
})
