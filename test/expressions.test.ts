/** Expressions that read users' texts are linear by construction; `npm run expressions -- --fix` bounds what is not. */
import { expect, test } from 'vitest'
import { faultsIn, faultyExpressions } from './support/expressions.ts'

const repeatsIn = (code: string): readonly string[] => faultsIn('text/some.ts', code).map(({ repeat }) => repeat)

test('a repeat without a bound that something has to follow is found, with what bounds it', () => {
  expect(repeatsIn('const version = /\\d+(?:\\.\\d+)*:\\d+/')).toEqual(['\\d+'])
  expect(repeatsIn('const trailing = /\\s+$/gm')).toEqual(['\\s+'])
  expect(repeatsIn('const quoted = /“[^”]+”/')).toEqual(['[^”]+'])
  expect(repeatsIn('const ahead = /(?=.*说)我/')).toEqual(['.*'])
  const [fault] = faultsIn('text/some.ts', 'const word = /\\w+ing|[^,]*,/')
  expect(fault!.edits.map(({ bounded }) => bounded)).toEqual(['{1,40}', '{0,200}'])
})

test('a repeat of what can be read as two of itself is found wherever it begins, with bounds too', () => {
  const nested = ['(\\w+\\s?)*', '(a|aa)+', '(?:a{1,40}){0,40}']
  for (const repeat of nested) expect(repeatsIn(`const nested = /^${repeat}$/`)).toEqual([repeat])
  expect(repeatsIn('const list = /^(?:\\w+ )+(?:, \\d)*$/')).toEqual([])
})

test('two repeats side by side that may share a run are found wherever they begin', () => {
  expect(repeatsIn('const log = /^\\s*(?:\\[?\\s*error|at )/')).toEqual(['\\s*'])
  expect(repeatsIn('const asked = /^(?:[a-z ]+[, ]+)?can/')).toEqual(['[, ]+'])
  expect(repeatsIn('const apart = /^\\s*\\w+\\s*:/; const last = /^\\d+\\w*/')).toEqual([])
})

test('what begins in one place only, and what ends with its repeat, is left alone', () => {
  expect(
    repeatsIn('const from = /^\\s*\\w+:/; const at = /\\w+:/y; const run = /[a-z]\\w*/g; const list = /a(?:, a)*/'),
  ).toEqual([])
  expect(repeatsIn('// linear: the name is short.\nconst extension = /\\.[^.]+$/')).toEqual([])
})

test('no expression over the texts of users may take longer than its text is long', () => {
  expect(faultyExpressions().map(({ file, line, repeat }) => `${file}:${line} ${repeat}`)).toEqual([])
})
