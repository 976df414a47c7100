import { expect, test } from 'vitest'
import { clausesOf, withoutQuotes, withoutUnreal, withQuotes } from './clauses.ts'

test('marks end a clause, joining words only before somebody who does something', () => {
  expect(clausesOf('I row, and my sister sails.')).toEqual(['I row', 'and my sister sails.'])
  expect(clausesOf('I eat bread and butter but we share it.')).toEqual(['I eat bread and butter', 'we share it.'])
  expect(clausesOf('我住在无锡，养了一只猫。')).toEqual(['我住在无锡', '养了一只猫。'])
})

test('a stop behind a shortened word ends no clause', () => {
  expect(clausesOf('I am a midwife at St. Olav hospital, and I like it.')).toEqual([
    'I am a midwife at St. Olav hospital',
    'and I like it.',
  ])
  expect(clausesOf('I met Mr. Grant. I liked him.')).toEqual(['I met Mr. Grant.', 'I liked him.'])
})

test('a quotation ends no clause, however many sentences it has', () => {
  expect(clausesOf('The note says "I am out, call me. I like it here." and I called.')).toEqual([
    'The note says "I am out, call me. I like it here."',
    'I called.',
  ])
})

test('what does not stand alone stays with the clause before', () => {
  expect(clausesOf('I moved to Ghent, finally, I like it.', (next) => next.startsWith('I'))).toEqual([
    'I moved to Ghent, finally',
    'I like it.',
  ])
})

const left = (text: string): string =>
  withoutUnreal(text)
    .text.replace(/[\ue000-\uefff]/g, '…')
    .replace(/\s+/g, ' ')
    .trim()

test('dreams, songs and figures of a story are taken out with their sentence', () => {
  for (const text of [
    'I dreamed that I ran a hotel in Bergen.',
    'had a strange dream, I was a beekeeper',
    '昨晚梦见我开了家旅馆',
    'My protagonist is a deaf sailor with two sons',
    '🎶 I am sailing 🎶',
    '小说里的男主是个厨子',
  ])
    expect(withoutUnreal(text).taken, text).toBeGreaterThan(0)
  expect(left('I work in Bergen. I dreamed that I owned a whale.')).toBe('I work in Bergen.')
  expect(left('I write novels, my protagonist is a deaf sailor.')).toBe('')
})

test('quoted speech is taken out, quoted names and terms stay', () => {
  expect(left('She said "I am a nurse" and left')).toBe('She said … and left')
  expect(left("what does 'I feel blue' mean")).toBe('what does … mean')
  expect(left('他说“我住在青岛”')).toBe('他说…')
  for (const text of ['our base is called "heron"', "that's my sister's flat, isn't it", '群名叫“三缺一”'])
    expect(withoutUnreal(text)).toEqual({ text, taken: 0, quotes: [] })
})

test('within a sentence a quotation is put back as it was', () => {
  for (const text of [
    '"I am a nurse" is what she said',
    'He says “I live in Turin now”, and "we like it"',
    'a \ue005 b',
  ]) {
    const { text: rest, quotes } = withoutQuotes(text)
    expect(withQuotes(rest, quotes)).toBe(text)
  }
  expect(withoutQuotes('"I am a nurse" is what she said').text).not.toContain('nurse')
})

test('what is played lasts to the end of the message', () => {
  expect(left("Let's role-play. I am a pirate. I have one leg.")).toBe('')
  expect(left('我在学校教书。角色扮演：我是海盗，你是船长。')).toBe('我在学校教书。')
})

test('hopes and plain words are nobody’s dream', () => {
  for (const text of ['This is my dream job', 'I dreamed of becoming a pilot as a child', '我的梦想是开书店'])
    expect(withoutUnreal(text).taken, text).toBe(0)
})

test('long texts of marks are read in bounded time', () => {
  for (const unit of ['"', "'", '“', 'I dreamed ', '🎶', 'my a b character '])
    expect(withoutUnreal(unit.repeat(4000 / unit.length)).text.length).toBeLessThanOrEqual(4100)
})
