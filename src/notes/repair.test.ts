import { expect, test } from 'vitest'
import { isDamaged, isDamageOf, readableText } from './read-notes.ts'

test('a whole file is read as it is', () => {
  expect(readableText(Buffer.from('## 用户信息\n- 我住在杭州。\n'))).toEqual({
    text: '## 用户信息\n- 我住在杭州。\n',
    repairs: [],
    cut: false,
  })
})

test('a line that is no UTF-8 is damage, and leaves the others as they are', () => {
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

test('our text in another encoding, or without the letters that one lacks, is no edit of a person', () => {
  const own = '钢琴调音师姓欧阳，住 Łódź。'
  const wrong = ['latin1', 'windows-1252', 'gb18030', 'shift_jis'].map((encoding) =>
    new TextDecoder(encoding).decode(Buffer.from(own)),
  )
  for (const text of [...wrong, own.replace('欧阳', '??'), own.replaceAll(/[^\0-\x7f]/g, '?'), own.replace('Ł', '□')])
    expect([text, isDamaged(text) || isDamageOf(own, text)]).toEqual([text, true])
  expect(isDamaged('The tuner is Mtt\x7fkar.')).toBe(true)
  for (const text of [own, own.replace('欧阳', '王'), own.replace('欧阳', '欧'), own.replace('。', '！'), `${own}?`])
    expect([text, isDamaged(text) || isDamageOf(own, text)]).toEqual([text, false])
})
