import { expect, test } from 'vitest'
import type { TurnView } from '../domain/contracts/text-index.ts'
import { turnResults } from './turn-results.ts'

test('many turns are read in pieces of 500, between which others run', async () => {
  const ordinals = Array.from({ length: 1200 }, (_, at) => at)
  const view = {
    columns: { row: ordinals, conversation: ordinals.map(() => 0) },
    conversations: [{ conversationId: 'c' }],
  } as unknown as TurnView
  const [read, others]: [number[], number[]] = [[], []]
  setImmediate(() => others.push(read.length))
  const turnsByRow = async (_user: string, places: readonly { row: number }[]) => {
    read.push(places.length)
    // The last one has gone meanwhile.
    return places.filter(({ row }) => row !== 1199).map(({ row }) => ({ row, turnId: row + 1 }))
  }
  const ranked = ordinals.map((ordinal) => ({ ordinal, relevance: 1, explanation: null }))
  const results = await turnResults(ranked, 'ana', view, { turnsByRow } as unknown as Parameters<typeof turnResults>[3])
  expect(read).toEqual([500, 500, 200])
  expect(others).toEqual([1])
  expect(results.map(({ turnId }) => turnId)).toEqual(ordinals.slice(1))
})
