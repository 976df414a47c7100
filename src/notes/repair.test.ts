import { expect, test } from 'vitest'
import { isDamaged, readableText } from './read-notes.ts'

test('a whole file is read as it is', () => {
  expect(readableText(Buffer.from('## 用户信息\n- 我住在杭州。\n'))).toEqual({
    text: '## 用户信息\n- 我住在杭州。\n',
    repairs: [],
    cut: false,
  })
})

test('a line in GB18030 among lines in UTF-8 is read, and what is no text leaves the rest', () => {
  const bytes = Buffer.concat([
    Buffer.from('- I live in Porto.\n- '),
    Buffer.from([0xc4, 0xe3, 0xba, 0xc3]),
    Buffer.from('\n- '),
    Buffer.from([0xff, 0xff]),
    Buffer.from(' tea\n'),
  ])
  const { text, repairs } = readableText(bytes)
  expect(text).toContain('- I live in Porto.\n- 你好\n')
  expect(text).toContain('tea\n')
  expect(repairs).toHaveLength(2)
})

test('broken UTF-8 in a file with Chinese in UTF-8 is damage, whatever GB18030 makes of it', () => {
  const bytes = Buffer.from('- 我住在杭州。\n- 我喝茶。\n')
  bytes[bytes.lastIndexOf(Buffer.from('茶')) + 1] = 0x41
  const { text, repairs } = readableText(bytes)
  expect(text.split('\n').map(isDamaged)).toEqual([false, true, false])
  expect(repairs).toHaveLength(1)
})

test('a file that ends in the middle of an entry, or in NUL characters, is known to be cut', () => {
  expect(readableText(Buffer.from('- I drink tea. <!-- mneme:0123'))).toMatchObject({
    text: '- I drink tea.\n',
    cut: true,
  })
  expect(readableText(Buffer.from('- 我喝茶。\n\0\0\0')).cut).toBe(true)
})
