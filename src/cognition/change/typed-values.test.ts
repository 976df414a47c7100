import { expect, test } from 'vitest'
import { conflicting, typedValues } from './typed-values.ts'

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
])('"%s" and "%s" cannot both hold', (one, other) => {
  expect(conflicting(typedValues(one), typedValues(other))).toBe(true)
})

test('the same value, another type or no value is no conflict', () => {
  expect(conflicting(typedValues('Out at 6:40.'), typedValues('Leaves 6:40 sharp.'))).toBe(false)
  expect(conflicting(typedValues('Out at 6:40.'), typedValues('It cost $12.'))).toBe(false)
  expect(conflicting(typedValues('It is late.'), typedValues('Out at 6:40.'))).toBe(false)
  expect(conflicting(typedValues('三公斤'), typedValues('三楼'))).toBe(false)
  expect(conflicting(typedValues('周三开会'), typedValues('礼拜三的会'))).toBe(false)
})

test('versions are compared by their number, codes and years as they are', () => {
  expect(conflicting(typedValues('It is Node 22.'), typedValues('Our version is 20.'))).toBe(true)
  expect(conflicting(typedValues('Python 3.12 it is.'), typedValues('版本是 3.12'))).toBe(false)
  expect(conflicting(typedValues('航班是 KL0895'), typedValues('航班是 KL0859'))).toBe(true)
  expect(conflicting(typedValues('Born in 1951.'), typedValues('She was born in 1957.'))).toBe(true)
})

test('a part of a date agrees with it, a part of a number does not', () => {
  expect(conflicting(typedValues('in July'), typedValues('on 3 July'))).toBe(false)
  expect(conflicting(typedValues('on 23 July'), typedValues('on 3 July'))).toBe(true)
  expect(conflicting(typedValues('150 mg'), typedValues('50 mg'))).toBe(true)
})
