import { expect, test } from 'vitest'
import { isForgotten } from './forget.ts'

const said = (text: string) => ({ text, who: 'user', occurredAt: 0, key: null, value: null })

test('the memory that makes the statement is meant, and no other', () => {
  expect(isForgotten(said('I play the oboe'), said('I play the oboe in a quartet.'))).toBe(true)
  expect(isForgotten(said('I play the oboe'), said('I play tennis.'))).toBe(false)
  expect(isForgotten(said('I live in Graz'), said('My uncle lives in Graz.'))).toBe(false)
  expect(isForgotten(said('我住在泉州'), said('我住在泉州西街'))).toBe(true)
  expect(isForgotten(said('我住在泉州'), said('我养了一只鹦鹉'))).toBe(false)
})

test('of an attribute every value is meant', () => {
  expect(isForgotten(said('my phone number'), said('My phone number is 0664 1234.'))).toBe(true)
  expect(isForgotten(said('my phone number'), said('My shoe size is 43.'))).toBe(false)
})

test('of an attribute with another word only what holds that word is meant', () => {
  expect(isForgotten(said("the Peugeot's brakes"), said('The Peugeot needs new brakes.'))).toBe(true)
  expect(isForgotten(said("the Peugeot's brakes"), said('We drive a Volvo.'))).toBe(false)
  expect(isForgotten(said('my job at Nordlys'), said('I work at Nordlys as a baker.'))).toBe(true)
  expect(isForgotten(said('my job at Nordlys'), said('I work at Fjellheim as a baker.'))).toBe(false)
  expect(isForgotten(said('my asthma'), said('I have diabetes.'))).toBe(false)
})

test.each([
  ['my mum', 'My mum Grace is in hospital.', true],
  ['my mum', 'I gave the keys to the neighbours.', false],
  ['my mum is ill', 'My mum loves gardening.', false],
  ['Priya', 'Priya is a doctor in Leeds.', true],
  ['我前男友', '我前男友叫陈屿，在杭州做设计', true],
  ['我妈生病', '我妈喜欢跳广场舞', false],
  ['我', '我住在泉州', false],
])('of "%s" it means "%s": %s', (order, text, isMeant) => {
  expect(isForgotten(said(order), said(text))).toBe(isMeant)
})
