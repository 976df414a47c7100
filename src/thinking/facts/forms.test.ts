import { expect, test } from 'vitest'
import { formsIn } from './forms.ts'

const stated = (text: string): readonly string[] => [...formsIn(text)].map(({ key, said }) => `${key}: ${said.value}`)

test('Capitals tell a name, and all other letters are read in either case, whatever was read before', () => {
  expect(stated('i HAVE a bsc in Game Theory')).toEqual(['major: Game Theory'])
  expect(stated('我有 BSc in Game Theory')).toEqual(['major: Game Theory'])
  expect(stated('我有 BSc in hand')).toEqual([])
  expect(stated('She did her PhD in Computer science')).toEqual(['major: Computer science'])
  expect(stated('I DRIVE a Tesla Model Y')[0]).toBe('car: Tesla Model Y')
  expect(stated('I drive a hard bargain')).toEqual([])
})
