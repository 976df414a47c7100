import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { decimalNumber, wholeNumber } from '../config/options.ts'
import { flagTable, jsonObject, oneWord, projectRoot, quietCommand, wordList } from './flags.ts'

test('a whole number is written in digits only', () => {
  expect(wholeNumber('--limit', '10')).toBe(10)
  expect(wholeNumber('--limit', '-1')).toBe(-1)
  for (const text of ['', 'ten', '1e3', '0x10', '5.0', ' 5', '十', '99999999999999999999'])
    expect(() => wholeNumber('--limit', text)).toThrow(expect.objectContaining({ field: '--limit' }))
})

test('a number may have a fraction but no other form', () => {
  expect(decimalNumber('--confidence', '0.9')).toBe(0.9)
  for (const text of ['', '.', 'NaN', 'Infinity', '1,5']) expect(() => decimalNumber('--confidence', text)).toThrow()
})

test('an unknown word is refused and the known ones are named', () => {
  expect(oneWord('--format', 'json', ['json', 'jsonl'])).toBe('json')
  expect(() => oneWord('--format', 'xml', ['json', 'jsonl'])).toThrow(
    expect.objectContaining({ remedy: 'Use one of: json, jsonl.' }),
  )
  expect(wordList('--kinds', 'turn, summary', ['turn', 'summary'])).toEqual(['turn', 'summary'])
})

test('metadata is a JSON object', () => {
  expect(jsonObject('--metadata', '{"主题":"支付"}')).toEqual({ 主题: '支付' })
  for (const text of ['', '[1]', 'null', '{', '"x"']) expect(() => jsonObject('--metadata', text)).toThrow()
})

test('a project that begins with a dot is a folder seen from here, any other text stays', () => {
  expect(projectRoot('--project', '.')).toBe(process.cwd())
  expect(projectRoot('--project', '../x')).toBe(resolve('../x'))
  expect(projectRoot('--project', '/srv/shop')).toBe('/srv/shop')
  expect(projectRoot('--project', '商城')).toBe('商城')
  expect(projectRoot('--project', '.hidden')).toBe('.hidden')
})

test('a table of flags gives what was given, by the names of the library', () => {
  const table = flagTable({
    limit: ['--most <count>', 'so many', wholeNumber],
    since: ['--since <day>', ''],
    explain: ['--explain', ''],
  })
  const command = table.describe(quietCommand('any')).parse(['--most', '0', '--explain'], { from: 'user' })
  expect(table.read(command.opts())).toEqual({ limit: 0, explain: true })
  expect(() => table.read({ most: 'ten' })).toThrow(expect.objectContaining({ field: '--most' }))
})
