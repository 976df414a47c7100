import { expect, onTestFinished, test } from 'vitest'
import { formsIn, readyForms } from './attribute-forms.ts'

const stated = (text: string): readonly string[] => [...formsIn(text)].map(({ key, said }) => `${key}: ${said.value}`)

test('Capitals tell a name, and all other letters are read in either case, whatever was read before', () => {
  expect(stated('i HAVE a bsc in Game Theory')).toEqual(['major: Game Theory'])
  expect(stated('我有 BSc in Game Theory')).toEqual(['major: Game Theory'])
  expect(stated('我有 BSc in hand')).toEqual([])
  expect(stated('She did her PhD in Computer science')).toEqual(['major: Computer science'])
  expect(stated('I DRIVE a Tesla Model Y')[0]).toBe('car: Tesla Model Y')
  expect(stated('I drive a hard bargain')).toEqual([])
})

test('forms are made ready one a turn, so that the first thought of a process holds nobody up', () => {
  const read = new Set<RegExp>()
  const exec = RegExp.prototype.exec
  onTestFinished(() => {
    RegExp.prototype.exec = exec
  })
  RegExp.prototype.exec = function (text: string) {
    read.add(this)
    return exec.call(this, text)
  }
  let [most, before, steps] = [0, 0, 0]
  for (const _ of readyForms()) {
    most = Math.max(most, read.size - before)
    before = read.size
    steps += 1
  }
  expect(steps).toBeGreaterThan(100)
  expect(most).toBeLessThanOrEqual(3)
})
