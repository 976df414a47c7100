import { expect, test } from 'vitest'
import { askedOf, isAboutAsked, isMemoryAboutAsked, peopleToldOf } from './asked-attributes.ts'

test('a question asks for an attribute of somebody', () => {
  expect(askedOf('What vehicle do I own?')).toMatchObject({ people: ['user'], past: false })
  expect(askedOf('What vehicle do I own?').topics).toContain('car')
  expect(askedOf('Where does my aunt live?')).toMatchObject({ people: ['aunt'] })
  expect(askedOf('Who drives a tram?').people).toEqual([])
  expect(askedOf('我以前住哪儿？')).toMatchObject({ people: ['user'], past: true })
})

test('a memory of somebody else is not about the user', () => {
  const asked = askedOf('What do I drive?')
  expect(isAboutAsked(peopleToldOf('I drive a tram.'), asked)).toBe(true)
  expect(isAboutAsked(peopleToldOf('My aunt drives a tram.'), asked)).toBe(false)
  expect(isAboutAsked(peopleToldOf('My aunt drives a tram.'), askedOf('What does my aunt drive?'))).toBe(true)
  expect(isAboutAsked(peopleToldOf('我姑姑开公交车'), askedOf('我开什么车？'))).toBe(false)
})

test('a memory that says whose it is answers a question about that person', () => {
  const living = { text: 'Lives in Porto, and likes chess' }
  expect(isMemoryAboutAsked({ ...living, who: 'Alice' }, askedOf('Where does Alice live?'))).toBe(true)
  expect(isMemoryAboutAsked({ ...living, who: 'Alice' }, askedOf('Where do I live?'))).toBe(false)
  expect(isMemoryAboutAsked({ ...living, who: 'Alice Moreau' }, askedOf('Where does Alice live?'))).toBe(true)
  expect(isMemoryAboutAsked({ text: 'I live in Porto.', who: 'user' }, askedOf('Where do I live?'))).toBe(true)
})

test('a memory answers a question about somebody by the name, or by a word that stands for it', () => {
  const asked = askedOf('Where does Alice live?')
  expect(isMemoryAboutAsked({ text: 'Alice lives in Porto.', who: null }, asked)).toBe(true)
  expect(isMemoryAboutAsked({ text: 'She lives in Porto.', who: null }, asked)).toBe(true)
  expect(isMemoryAboutAsked({ text: '她住在波尔图', who: null }, asked)).toBe(true)
  expect(isMemoryAboutAsked({ text: 'Bruno lives in Porto.', who: null }, asked)).toBe(false)
  expect(isMemoryAboutAsked({ text: 'Bruno lives beside Alice.', who: null }, asked)).toBe(true)
})
