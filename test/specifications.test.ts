/** Holds docs/specifications.md against the tests that it names. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url).pathname

test('every requirement has a row with a test that is there, and no row is empty', () => {
  const document = readFileSync(`${ROOT}docs/specifications.md`, 'utf8')
  const rows = document
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.length).toBeGreaterThan(100)
  const wrong = rows.filter(([, requirement = '', file = '', words = '']) => {
    const path = ROOT + file.replaceAll('`', '')
    return requirement === '' || words === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(words)
  })
  expect(wrong).toEqual([])
})
