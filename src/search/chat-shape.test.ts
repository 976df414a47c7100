import { expect, test } from 'vitest'
import type { TurnView } from '../domain/contracts/turn-index.ts'
import { chatShape, isAssistantTurn } from './chat-shape.ts'

/** Roles: 0 user, 1 assistant; speakers by index, '' for nobody. */
function view(turns: readonly (readonly [role: number, speaker: number, length: number])[]): TurnView {
  return {
    size: turns.length,
    speakers: ['', 'Melanie'],
    columns: {
      role: Uint8Array.from(turns, ([role]) => role),
      speaker: Uint16Array.from(turns, ([, speaker]) => speaker),
      length: Uint16Array.from(turns, ([, , length]) => length),
    },
  } as unknown as TurnView
}

test('long answers of nobody by name make a chat with an assistant', () => {
  expect(
    chatShape(
      view([
        [0, 0, 10],
        [1, 0, 120],
        [0, 0, 12],
        [1, 0, 90],
      ]),
    ),
  ).toBe('assistant')
})

test('a friend who is stored as assistant has a name, and is a person', () => {
  const friends = view([
    [0, 0, 10],
    [1, 1, 120],
    [0, 0, 12],
    [1, 1, 90],
  ])
  expect(chatShape(friends)).toBe('people')
  expect(isAssistantTurn(1, friends)).toBe(false)
})

test('an assistant as brief as its user is talked to as people talk', () => {
  expect(
    chatShape(
      view([
        [0, 0, 10],
        [1, 0, 12],
        [0, 0, 12],
        [1, 0, 11],
      ]),
    ),
  ).toBe('people')
})

test('the shape follows a log that grows', () => {
  const long = view([
    [0, 0, 10],
    [1, 0, 11],
    [1, 0, 200],
    [1, 0, 300],
  ])
  expect(chatShape({ ...long, size: 2 })).toBe('people')
  expect(chatShape(long)).toBe('assistant')
})
