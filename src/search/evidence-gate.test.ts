import { expect, test, vi } from 'vitest'
import { type Familiarity, gateFeatures, type Manner, roomForEvidence, writesAsName } from './evidence-gate.ts'

const STRANGE: Familiarity = {
  covered: 0,
  held: 0,
  often: 0,
  alike: 0.2,
  isHan: false,
  namesSpeaker: false,
  namesTold: false,
  namesTime: false,
  statesAsked: false,
  texts: 100,
}
const PLAIN: Manner = {
  ofSelf: false,
  asksOfSelf: false,
  asksOfThePast: false,
  asksInGeneral: false,
  ordersToMake: false,
  tells: 0,
  length: 30,
}
/** A word of two, said in a tenth of a log. */
const HALF = { ...STRANGE, covered: 0.5, held: 0.5, often: 0.45, alike: 0.4 }
const HAN = { ...STRANGE, isHan: true, alike: null }

function gets(familiarity: Familiarity, manner: Partial<Manner> = {}): boolean {
  return roomForEvidence(familiarity, { ...PLAIN, ...manner }) > 0
}

test('who names a speaker means what was said, whatever the other words are', () => {
  expect(gets(STRANGE)).toBe(false)
  expect(gets({ ...STRANGE, namesSpeaker: true })).toBe(true)
})

test('a question about a kind of thing gets nothing though its words were said; about the writer, or the past, it does', () => {
  expect(gets(HALF, { asksInGeneral: true })).toBe(false)
  expect(gets(HALF, { ofSelf: true, asksOfSelf: true })).toBe(true)
  expect(gets({ ...HALF, statesAsked: true }, { asksOfThePast: true })).toBe(true)
  expect(gets({ ...HAN, covered: 1, held: 0.4, often: 0.1 }, { asksInGeneral: true })).toBe(false)
  expect(gets({ ...HAN, covered: 1, held: 0.4, often: 0.1 }, { ofSelf: true, asksOfSelf: true })).toBe(true)
})

test('a name that a memory tells of makes a question one about it', () => {
  expect(writesAsName({ words: ['what', 'does', 'rhea', 'do'] }, ['My partner Rhea tunes organs.'])).toBe(true)
  expect(writesAsName({ words: ['what', 'is', 'an', 'organ'] }, ['Organs are loud.', 'I play an organ.'])).toBe(false)
  expect(gets(HALF, { asksInGeneral: true })).toBe(false)
  expect(gets({ ...HALF, namesTold: true }, { asksInGeneral: true })).toBe(true)
})

test('of a very long question a bounded number of words is looked for as names, and only where memories begin', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `word${at}`)
  const includes = vi.spyOn(String.prototype, 'includes')
  expect(writesAsName({ words: [...many, 'rhea'] }, ['My partner Rhea tunes organs.'])).toBe(false)
  expect(includes.mock.calls.length).toBeLessThan(200)
  includes.mockRestore()
  expect(writesAsName({ words: ['rhea'] }, [`${'x '.repeat(10_000)} Rhea`])).toBe(false)
})

test('an order to make something about what was told gets evidence, one about anything else does not', () => {
  const order = { ordersToMake: true, tells: -0.7 }
  expect(gets(HALF, order)).toBe(true)
  expect(gets(STRANGE, order)).toBe(false)
  expect(gets({ ...HAN, covered: 0.4, held: 0.5, often: 0.4 }, order)).toBe(true)
  expect(gets(HAN, order)).toBe(false)
})

test('a statement of the user about what was told gets evidence, a greeting does not, though its words were said', () => {
  expect(gets(HALF, { tells: 0.3 })).toBe(true)
  expect(gets({ ...HALF, covered: 1, alike: 0.2 }, { tells: -1 })).toBe(false)
})

test('the same message in a log three times as large gets the same; a log beyond those of the fit counts as the largest', () => {
  const known = { ...HALF, often: 0.4 }
  const manner = { ...PLAIN, ofSelf: true, ordersToMake: true }
  expect(roomForEvidence({ ...known, texts: 40 }, manner)).toBe(roomForEvidence({ ...known, texts: 130 }, manner))
  expect(gets({ ...HALF, texts: 40 }, { ofSelf: true })).toBe(true)
  const size = (texts: number, isHan = false) => gateFeatures({ ...HALF, isHan, texts }, PLAIN).size
  expect(size(1000)).toBeGreaterThan(size(300))
  expect(size(100_000)).toBe(size(2000))
  expect(size(100_000, true)).toBeGreaterThan(size(2000, true))
})

test('where it is not sure that anything answers, little is shown', () => {
  const little = roomForEvidence({ ...HALF, covered: 0.3, alike: 0.37 }, PLAIN)
  expect(little).toBeGreaterThan(0)
  expect(little).toBeLessThan(400)
  expect(roomForEvidence({ ...HALF, namesSpeaker: true }, { ...PLAIN, ofSelf: true })).toBe(Number.POSITIVE_INFINITY)
})
