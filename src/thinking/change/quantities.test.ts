import { expect, test } from 'vitest'
import { conflicting, quantitiesOf } from './quantities.ts'

test.each([
  ['The boat leaves at 6:40.', 'The boat leaves at 7:15.'],
  ['The fair is on the 3rd of May.', 'The fair is on the 5th of May.'],
  ['The tent was $90.', 'The tent was $120.'],
  ['It listens on port 9100.', 'It listens on port 9200.'],
  ['Band practice is on Mondays.', 'Band practice is on Friday.'],
  ['船六点半开', '船七点开'],
  ['组会每周三', '组会挪到星期五了'],
  ['集市在5月3号', '集市在5月5号'],
  ['他身高一米七', '他身高一米八'],
  ['The rotation goes on until January.', 'The rotation goes on until March now.'],
  ['Doors open at half past nine.', 'Doors open at 11:00.'],
  ['押金四千五百元', '押金4200元'],
])('"%s" and "%s" cannot both hold', (one, other) => {
  expect(conflicting(quantitiesOf(one), quantitiesOf(other))).toBe(true)
})

test('the same value, another type or no value is no conflict', () => {
  expect(conflicting(quantitiesOf('Out at 6:40.'), quantitiesOf('Leaves 6:40 sharp.'))).toBe(false)
  expect(conflicting(quantitiesOf('Out at 6:40.'), quantitiesOf('It cost $12.'))).toBe(false)
  expect(conflicting(quantitiesOf('It is late.'), quantitiesOf('Out at 6:40.'))).toBe(false)
  expect(conflicting(quantitiesOf('三公斤'), quantitiesOf('三楼'))).toBe(false)
  expect(conflicting(quantitiesOf('周三开会'), quantitiesOf('礼拜三的会'))).toBe(false)
})

test('a number is a word of its own, and Chinese numbers are amounts', () => {
  expect(quantitiesOf('The tent was pitched.')).toEqual([])
  expect(quantitiesOf('交了四千五').map(({ value }) => value)).toEqual(['4500'])
  expect(quantitiesOf('一共两千五块').map(({ value }) => value)).toEqual(['2500'])
  expect(quantitiesOf('体重75.5公斤').map(({ value }) => value)).toEqual(['75.5'])
})

test('versions are compared by their number, codes and years as they are', () => {
  expect(conflicting(quantitiesOf('It is Node 22.'), quantitiesOf('Our version is 20.'))).toBe(true)
  expect(conflicting(quantitiesOf('Python 3.12 it is.'), quantitiesOf('版本是 3.12'))).toBe(false)
  expect(conflicting(quantitiesOf('航班是 KL0895'), quantitiesOf('航班是 KL0859'))).toBe(true)
  expect(conflicting(quantitiesOf('Born in 1951.'), quantitiesOf('She was born in 1957.'))).toBe(true)
})

test('a part of a date agrees with it, a part of a number does not', () => {
  expect(conflicting(quantitiesOf('in July'), quantitiesOf('on 3 July'))).toBe(false)
  expect(conflicting(quantitiesOf('on 23 July'), quantitiesOf('on 3 July'))).toBe(true)
  expect(conflicting(quantitiesOf('150 mg'), quantitiesOf('50 mg'))).toBe(true)
})

test('of a table of amounts the first ones are read', () => {
  const rows = Array.from({ length: 400 }, (_, at) => `${at} km`).join(', ')
  expect(quantitiesOf(`I ran ${rows}.`).length).toBeLessThanOrEqual(64)
})
