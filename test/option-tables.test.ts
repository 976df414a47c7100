/** README and docs tell of every option as the table of options does. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPTIONS, type Option } from '../src/doors/config/options.ts'
import { PAGES, withTables } from './support/option-tables.ts'

test.each(PAGES)('the tables of %s are those of the options; else run node test/support/option-tables.ts', (page) => {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
  expect(text).toContain('<!-- options: ')
  expect(text).toBe(withTables(page))
})

test('every variable and flag belongs to one option', () => {
  const named = Object.values(OPTIONS).flatMap(({ flag, variable }: Option) => [flag ?? [], variable ?? []].flat())
  expect(new Set(named).size).toBe(named.length)
})
