import { expect, test } from 'vitest'
import type { Memory } from '../../domain/memory.ts'
import type { Turn } from '../../domain/turn.ts'
import { tokenCounter } from '../../language/count-tokens.ts'
import { type EvidenceBounds, type EvidencePiece, selectEvidence } from './select-evidence.ts'

const count = await tokenCounter()
const MAY = Date.UTC(2026, 4, 7)
const ALL: EvidenceBounds = { tokens: 1000, limit: 100, memories: 5, isForModel: false }

function turn(turnId: number, content: string): Turn {
  return { turnId, content, conversationId: 'c', role: 'user', speaker: null, createdAt: MAY } as Turn
}

function memory(id: string, text: string): Memory {
  return { id, text, conversationId: 'c', who: 'user', occurredAt: MAY, sourceTurnIds: [1] } as unknown as Memory
}

function piece(score: number, said: Turn | null, ...memories: readonly Memory[]): EvidencePiece {
  return { turn: said, memories, score, share: score, explanation: null }
}

function select(
  pieces: readonly EvidencePiece[],
  bounds: Partial<EvidenceBounds> = {},
  shown: readonly string[] = [],
  message = '',
  gains: ReadonlyMap<string, number> = new Map(),
) {
  return selectEvidence(pieces, {
    bounds: { ...ALL, ...bounds },
    gains,
    message,
    shown,
    line: ({ text }) => text,
    count,
  })
}

const shownBy = ({ chosen }: ReturnType<typeof select>) => chosen.map(({ kind, text }) => `${kind}: ${text}`)

test('a memory that repeats a part of its turn is shown by the turn, and told by it', () => {
  const said = 'We adopted a cat in March. She is called Pepper, and my sister Lena chose the name.'
  const { chosen } = select([piece(1, turn(1, said), memory('m', 'We adopted a cat in March.'))])
  expect(chosen.map(({ kind, text }) => [kind, text])).toEqual([['turn', said]])
  expect(chosen[0]!.told.map(({ id }) => id)).toEqual(['m'])
})

test('a memory in the words of its turn is the turn, on the day on which it was said', () => {
  const both = piece(1, turn(1, 'We adopted a cat in March.'), memory('m', 'We adopted a cat in March.'))
  const { chosen } = select([both])
  expect(chosen.map(({ kind, told }) => [kind, told.map(({ id }) => id)])).toEqual([['turn', ['m']]])
})

test('a memory that says more than its turn is shown beside it', () => {
  const both = piece(1, turn(1, 'Yes, in March.'), memory('m', 'Ana adopted the cat Pepper in March 2026.'))
  expect(shownBy(select([both]))).toEqual(['memory: Ana adopted the cat Pepper in March 2026.', 'turn: Yes, in March.'])
})

test('memories keep to their number, and turns go on', () => {
  const pieces = Array.from({ length: 4 }, (_, n) =>
    piece(1 - n / 10, null, memory(`m${n}`, `Heron ${n} nests by the river.`)),
  )
  const { chosen, leftOut } = select([...pieces, piece(0.1, turn(9, 'The river flooded in April.'))], { memories: 2 })
  expect(chosen.map(({ kind }) => kind)).toEqual(['memory', 'memory', 'turn'])
  expect(leftOut).toEqual([
    { what: 'memory m2', reason: 'memory.rag_top_n is 2' },
    { what: 'memory m3', reason: 'memory.rag_top_n is 2' },
  ])
})

test('behind the first few a model is not shown what answers far less than the best piece', () => {
  const scores = [0.8, ...Array<number>(9).fill(0.3), 0.5, 0.3]
  const pieces = scores.map((score, n) => piece(score, turn(n, `Edit ${n}: file ${n} of the tram map was updated.`)))
  const turnsOf = (bounds: Partial<EvidenceBounds>) => select(pieces, bounds).chosen.map(({ turnId }) => turnId)
  expect(turnsOf({ isForModel: true })).toEqual([0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(turnsOf({})).toContain(11)
})

test('no more tokens are taken than there are, and what is left out is named', () => {
  const pieces = Array.from({ length: 30 }, (_, n) =>
    piece(1 - n / 100, turn(n, `Note ${n}: the tram number ${n} was late again.`)),
  )
  const { chosen, leftOut } = select(pieces, { tokens: 100 })
  expect(chosen.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(100)
  expect(chosen.length + leftOut.length).toBe(30)
  expect(chosen[0]!.text).toContain('Note 0')
})

test('the limit bounds the texts', () => {
  const pieces = Array.from({ length: 9 }, (_, n) => piece(1 - n / 10, turn(n, `The tram number ${n} was late again.`)))
  expect(select(pieces, { limit: 3 }).chosen).toHaveLength(3)
})

test('what the model sees anyway, and what was said twice, is shown once', () => {
  const pieces = [
    piece(1, turn(1, 'The tram number 5 was late again.')),
    piece(0.9, turn(2, 'The tram number 5 was late again!')),
    piece(0.8, turn(3, 'My bike has a flat tyre since Monday.')),
  ]
  expect(shownBy(select(pieces, {}, ['My bike has a flat tyre since Monday.']))).toEqual([
    'turn: The tram number 5 was late again.',
  ])
})

test('a question does not hide the answer whose words it repeats, and is not shown again itself', () => {
  const answer = turn(1, 'Twelve lanterns! Whoever hung them?')
  const asked = turn(2, 'Who hung twelve lanterns?')
  const said = 'turn: Twelve lanterns! Whoever hung them?'
  expect(shownBy(select([piece(1, answer), piece(0.9, asked)], {}, [], asked.content))).toEqual([said])
  expect(shownBy(select([piece(1, answer)], {}, [asked.content]))).toEqual([said])
})

test('a short Chinese sentence is shown once, two characters are no sentence', () => {
  const pieces = [
    piece(1, turn(1, '车位是B2层。好的。')),
    piece(0.9, turn(2, '车位是B2层。')),
    piece(0.8, turn(3, '好的。')),
  ]
  expect(shownBy(select(pieces))).toEqual(['turn: 车位是B2层。好的。'])
})

test('of two that answer alike the shorter one is taken first', () => {
  const long = `The tram was late. ${'It stood between two stops and nobody knew why. '.repeat(6)}`
  const pieces = [piece(1, turn(1, long)), piece(0.99, turn(2, 'The tram was late on Monday.'))]
  expect(shownBy(select(pieces, { limit: 1 }))).toEqual(['turn: The tram was late on Monday.'])
})

test('of a text whose answer was shown, the rest comes only if it answers as well', () => {
  const pieces = [
    piece(1, turn(1, 'We adopted a cat in March.')),
    piece(0.9, turn(2, 'Perfect, thanks. We adopted a cat in March.')),
  ]
  const shown = shownBy(select(pieces, {}, [], '', new Map([['cat', 1]])))
  expect(shown).toEqual(['turn: We adopted a cat in March.'])
})

test('a line of the profile does not hide the turn that says it in passing', () => {
  const said = piece(1, turn(1, 'Owen and I have parted. I am fine, mostly.'))
  expect(shownBy(select([said], {}, ['I am fine, mostly.']))).toEqual(['turn: Owen and I have parted. …'])
})

test('a sentence that comes again within a longer one is shown by that one alone', () => {
  const first = piece(1, turn(1, 'Ana, that is great! The boat is sold.'))
  const second = piece(0.9, turn(2, 'Ana, that is great to hear about the harbour!'))
  expect(shownBy(select([first, second]))).toEqual([
    'turn: … The boat is sold.',
    'turn: Ana, that is great to hear about the harbour!',
  ])
  const alone = piece(1, turn(1, 'Ana, that is great!'))
  expect(shownBy(select([alone, second]))).toEqual(['turn: Ana, that is great to hear about the harbour!'])
})

test('of two that answer alike the one told later stands first', () => {
  const later = { ...turn(2, '上个月我搬到了厦门。'), createdAt: MAY + 1 }
  const { chosen } = select([piece(1, turn(1, '我住在成都。')), piece(1, later)])
  expect(chosen.map(({ turnId }) => turnId)).toEqual([2, 1])
})
