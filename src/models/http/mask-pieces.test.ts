import { expect, test } from 'vitest'
import { maskedPieces } from './post.ts'

async function masked(text: string, size: number, key: string | null): Promise<string> {
  async function* pieces() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const all: Uint8Array[] = []
  for await (const piece of maskedPieces(pieces(), key)) all.push(piece)
  return Buffer.concat(all).toString()
}

test.each([1, 2, 5, 13, 1000])(
  'a key is masked however the bytes come (%i at a time), and nothing else changes',
  async (size) => {
    const text = '{"error": "密钥 secret-0123 secret-0123456 不对：secret-0123456"}'
    expect(await masked(text, size, 'secret-0123456')).toBe('{"error": "密钥 secret-0123 *** 不对：***"}')
    expect(await masked(text, size, null)).toBe(text)
  },
)

test('a word that stands for no key at all is left alone', async () => {
  expect(await masked('none of the keys', 3, 'none')).toBe('none of the keys')
})
