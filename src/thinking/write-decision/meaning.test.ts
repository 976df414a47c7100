import { expect, test } from 'vitest'
import { MEANINGS, MeaningTable, meaningMask } from './meaning.ts'

const last = MEANINGS.length - 1

test('every meaning is found again in its row and in no other', () => {
  const list = new Int32Array(MEANINGS.length)
  for (const [meaning, name] of MEANINGS.entries()) {
    const table = new MeaningTable(3)
    table.add(1, meaning)
    expect([0, 1, 2, 3].map((row) => table.hasAny(row, meaningMask(name)))).toEqual([false, true, false, false])
    expect([table.read(1, list), list[0], table.read(0, list)]).toEqual([1, meaning, 0])
  }
})

test('the meanings of a row are read in the order of their numbers, each once', () => {
  const table = new MeaningTable(1)
  for (const meaning of [last, 31, 0, 32, 31]) table.add(0, meaning)
  const list = new Int32Array(MEANINGS.length)
  expect([...list.subarray(0, table.read(0, list))]).toEqual([0, 31, 32, last])
})

test('one meaning is told from several', () => {
  const table = new MeaningTable(3)
  table.add(1, 31)
  table.add(2, 0)
  table.add(2, last)
  expect([0, 1, 2].map((row) => table.size(row))).toEqual([0, 1, 2])
})
