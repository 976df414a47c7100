import { expect, test } from 'vitest'
import { readTimeRange } from './time-range.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-05-13T12:00:00Z')
const iso = (range: Awaited<ReturnType<typeof readTimeRange>>) =>
  [range?.since, range?.until].map((at) => (at === null || at === undefined ? null : new Date(at).toISOString()))

test('words name a stretch of time, in both languages', async () => {
  const lastWeek = ['2026-05-04T00:00:00.000Z', '2026-05-10T23:59:59.999Z']
  expect(iso(await readTimeRange('timeRange', 'last week', NOW))).toEqual(lastWeek)
  expect(iso(await readTimeRange('timeRange', '上周', NOW))).toEqual(lastWeek)
  expect(iso(await readTimeRange('timeRange', '2026-05-07', NOW))).toEqual([
    '2026-05-07T00:00:00.000Z',
    '2026-05-07T23:59:59.999Z',
  ])
})

test('a year alone is all of it', async () => {
  const year = ['2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z']
  expect(iso(await readTimeRange('timeRange', '2026', NOW))).toEqual(year)
  expect(iso(await readTimeRange('timeRange', { from: '2026年', to: '2026' }, NOW))).toEqual(year)
})

test('each end is a day, a moment or words; one that is left out is open', async () => {
  expect(iso(await readTimeRange('timeRange', { from: '2026-05-01', to: '2026-05-07' }, NOW))).toEqual([
    '2026-05-01T00:00:00.000Z',
    '2026-05-07T23:59:59.999Z',
  ])
  expect(iso(await readTimeRange('timeRange', { from: '2026-05-01T10:30:00+02:00' }, NOW))).toEqual([
    '2026-05-01T08:30:00.000Z',
    null,
  ])
  expect(iso(await readTimeRange('timeRange', { to: '昨天' }, NOW))).toEqual([null, '2026-05-12T23:59:59.999Z'])
  expect(await readTimeRange('timeRange', undefined, NOW)).toBeNull()
})

test('an interval of ISO 8601 has two ends, with or without times, and one of them may be open', async () => {
  const of = async (words: string) => iso(await readTimeRange('timeRange', words, NOW))
  const may = ['2026-05-01T00:00:00.000Z', '2026-05-31T23:59:59.999Z']
  for (const words of [
    '2026-05-01/2026-05-31',
    '2026-05-01--2026-05-31',
    ' 2026-05-01 / 2026-05-31 ',
    '2026年5月1日/2026年5月31日',
  ])
    expect(await of(words), words).toEqual(may)
  expect(await of('2026-05-01T10:00:00Z/2026-05-02T11:30:00+02:00')).toEqual([
    '2026-05-01T10:00:00.000Z',
    '2026-05-02T09:30:00.000Z',
  ])
  expect(await of('2025/2026')).toEqual(['2025-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'])
  expect(await of('2026-05-01/..')).toEqual([may[0], null])
  expect(await of('/2026-05-31')).toEqual([null, may[1]])
  expect(await of('2026/05/07')).toEqual(['2026-05-07T00:00:00.000Z', '2026-05-07T23:59:59.999Z'])
})

test('an interval of which one end cannot be read is refused, never taken for the other end', async () => {
  for (const [words, says] of [
    ['2026-05-01/tea', 'timeRange.to: "tea" names no time'],
    ['2026-05-01/31', 'timeRange.to: "31" names no time'],
    ['P1M/2026-05-31', 'timeRange.from: "P1M" names no time'],
    ['2026-05-31/2026-05-01', 'lies after its end'],
    ['../..', 'names no time'],
  ] as const)
    await expect(readTimeRange('timeRange', words, NOW), words).rejects.toThrow(says)
})

test('what names no time is refused by name, never taken for all of time', async () => {
  await expect(readTimeRange('timeRange', 'tea', NOW)).rejects.toThrow('timeRange: "tea" names no time')
  await expect(readTimeRange('timeRange', '', NOW)).rejects.toThrow('names no time')
  await expect(readTimeRange('timeRange', { from: '茶' }, NOW)).rejects.toThrow('timeRange.from')
  await expect(readTimeRange('timeRange', { begin: '2026' }, NOW)).rejects.toThrow('timeRange.begin')
  await expect(readTimeRange('timeRange', ['2026'], NOW)).rejects.toThrow('must be an object')
  await expect(readTimeRange('timeRange', { from: '2026-05-02', to: '2026-05-01' }, NOW)).rejects.toThrow('after')
})
