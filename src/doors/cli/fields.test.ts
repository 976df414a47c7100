import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalid } from '../../domain/errors.ts'
import { decimalNumber, wholeNumber } from '../config/options.ts'
import { createContext } from './command-context.ts'
import { fieldsOf, projectRoot } from './fields.ts'
import { quietCommand } from './flags.ts'
import { resolveSettings } from './resolve-options.ts'

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

const SCHEMA = z.strictObject({
  query: z.string().optional(),
  limit: z.int().max(9).optional(),
  kinds: z.array(z.enum(['turn', 'summary'])).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  turn_id: z.int().optional(),
  infer: z.boolean().optional(),
})
const FIELDS = fieldsOf(SCHEMA, { positional: ['turn_id'], either: 'query', off: ['infer'] })

async function read(...words: readonly string[]) {
  const settings = resolveSettings({}, {})
  const parsed = FIELDS.describe(quietCommand('any')).parse(words, { from: 'user' })
  return FIELDS.read(createContext('any', settings, false), parsed.opts(), parsed.args).catch((error) => {
    throw FIELDS.named(error)
  })
}

test('flags and words are read by the schema, and named as the library names them', async () => {
  expect(await read('7', '--limit', '0', '--kinds', 'turn, summary', '--metadata', '{"主题":"支付"}')).toEqual({
    turnId: 7,
    limit: 0,
    kinds: ['turn', 'summary'],
    metadata: { 主题: '支付' },
  })
  expect(await read('--no-infer', '--query', '缓存')).toEqual({ infer: false, query: '缓存' })
  expect(await read('7', '缓存')).toEqual({ turnId: 7, query: '缓存' })
})

test.each<[string[], string, RegExp]>([
  [['--kinds', 'turn,note'], '--kinds', /"note" is not known/],
  [['--limit', 'ten'], '--limit', /whole number/],
  [['--limit', '10'], '--limit', /10 is out of range/],
  [['x'], '<turn>', /whole number/],
  ...['', '[1]', 'null', '{', '"x"'].map((text): [string[], string, RegExp] => [
    ['--metadata', text],
    '--metadata',
    /./,
  ]),
])('what does not fit is refused by its flag: %j', async (words, field, reason) => {
  await expect(read(...words)).rejects.toMatchObject({ field, message: expect.stringMatching(reason) })
})

test('an input of the library is named by its flag, a part of it included', () => {
  expect(FIELDS.named(invalid('turnId', 'is missing', 'Pass it.')).message).toBe('<turn>: is missing')
  expect(FIELDS.named(invalid('metadata.tag', 'is too long', 'Shorten it.')).field).toBe('--metadata.tag')
  expect(FIELDS.named(invalid('other', 'is odd', 'Leave it out.')).field).toBe('other')
})

test('a project that begins with a dot is a folder seen from here, any other text stays', () => {
  expect(projectRoot('.')).toBe(process.cwd())
  expect(projectRoot('../x')).toBe(resolve('../x'))
  expect(projectRoot('/srv/shop')).toBe('/srv/shop')
  expect(projectRoot('商城')).toBe('商城')
  expect(projectRoot('.hidden')).toBe('.hidden')
})
