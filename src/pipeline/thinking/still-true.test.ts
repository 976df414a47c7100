import { expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import { besideCorrected, stillTrue } from './still-true.ts'

const left = (text: string, ...touched: readonly string[]) =>
  stillTrue(memoryOf('old', text), new Set(touched)).map((memory) => memory.text)

test('clauses that speak of something else stay in the user’s own words', () => {
  expect(left('I live in Graz, my dog is called Strolch', 'home')).toEqual(['my dog is called Strolch'])
  expect(left('我住在无锡，我养了一只狗', 'home')).toEqual(['我养了一只狗'])
})

test('a fact inside the clause that is over stays as key and value', () => {
  expect(left('I am vegetarian and I live in Graz', 'home')).toEqual(['I am vegetarian'])
})

test('where the change touches the only subject, or none by name, nothing is left', () => {
  expect(left('I live in Graz', 'home')).toEqual([])
  expect(left('I live in Graz, my dog is called Strolch', 'editor')).toEqual([])
})

test('what is left points back to what it was part of', () => {
  const [rest] = stillTrue(memoryOf('old', 'I live in Graz, my dog is called Strolch'), new Set(['home']))
  expect(rest).toMatchObject({ memoryType: 'semantic', metadata: { derived_from: 'old' }, externalId: null })
})

test('the value that is over is not left under a second key, nor another person’s work as the user’s', () => {
  expect(left('The staging database listens on 5432', 'port', 'environment')).toEqual([])
  expect(left('女朋友是兽医，两班倒', 'partner')).toEqual([])
})

test('a clause that goes on without a person takes the one of the beginning along', () => {
  expect(left('I live in Tartu and work for a bakery', 'home')).toEqual(['I work for a bakery'])
  expect(left('She lives in Tartu and plays the oboe', 'home')).not.toContain('I plays the oboe')
  expect(left('I live in Tartu and my dog is called Strolch', 'home')).toEqual(['my dog is called Strolch'])
})

test('of what is corrected, only the clause that gives the mistaken value goes', () => {
  const rest = (text: string, correction: string) =>
    besideCorrected(memoryOf('old', text), correction)?.map((memory) => memory.text)
  expect(rest('My wife is six months gone, she is due on 3 July, I take leave then', 'Wrong, it is 23 July')).toEqual([
    'My wife is six months gone, I take leave then',
  ])
  expect(rest('媳妇怀孕六个月了，预产期是七月初，到时候我请假', '说错了，预产期是七月二十几号，不是月初')).toEqual([
    '媳妇怀孕六个月了，到时候我请假',
  ])
  expect(rest('The exam is on 3 July', 'Wrong, it is 23 July')).toBeUndefined()
  expect(rest('I like soup, my dog is called Strolch', 'Wrong, it is 23 July')).toBeUndefined()
})
