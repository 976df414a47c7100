/** Holds docs/specifications.md against the tests that it names. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url).pathname

/** The lines of a test without its comments, which would keep the words of a test that is gone. */
const codeOf = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line))

test('every requirement has a row with a test that is there, and no row is empty', () => {
  const document = readFileSync(`${ROOT}docs/specifications.md`, 'utf8')
  const rows = document
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.length).toBeGreaterThan(100)
  const wrong = rows.filter(([, requirement = '', file = '', words = '']) => {
    const path = ROOT + file.replaceAll('`', '')
    return requirement === '' || words === '' || !existsSync(path) || !codeOf(path).some((line) => line.includes(words))
  })
  expect(wrong).toEqual([])
})
