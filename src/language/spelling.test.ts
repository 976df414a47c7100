import { expect, test } from 'vitest'
import { spelledOut } from './spelling.ts'

test.each([
  ['im vegan and my gf isnt, pls note', "i'm vegan and my girlfriend isn't, please note"],
  ['Ive moved in w/ Ann, thats new', "I've moved in with Ann, that's new"],
  ['we were ill; the id and its ant cant', "we were ill; the id and its ant can't"],
])('%s', (text, full) => {
  expect(spelledOut(text)).toBe(full)
})

test.each(['u.s. ships', 'mail im@x.org', 'src/im/dont.ts', 'The CAN bus', '我用pls文件夹'])('stays: %s', (text) => {
  expect(spelledOut(text)).toBe(text)
})
