/** Documents are read word for word, however they are cut, and never quoted in errors. */
import { expect, test } from 'vitest'
import { jsonCursor, valuesAt } from './read-stream.ts'

async function read(text: string, bytes: number, ...paths: readonly string[]): Promise<readonly unknown[]> {
  const all = Buffer.from(text)
  const stream = (async function* () {
    for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes)
  })()
  const wanted = paths.map((path) => path.split('.'))
  const found: unknown[] = []
  for await (const { list, value } of valuesAt(jsonCursor(stream), wanted)) found.push([list, value])
  return found
}

test.each([1, 3, 1000])(
  'values at paths are read in pieces of %i bytes, with the name of their list',
  async (bytes) => {
    const document = { skip: [{ a: 1 }], agents: [{ name: 'x', messages: ['\ufeff你好', { b: [2] }] }], blocks: ['"]'] }
    expect(await read(JSON.stringify(document), bytes, 'blocks.*', 'agents.*.messages.*')).toEqual([
      ['messages', '\ufeff你好'],
      ['messages', { b: [2] }],
      ['blocks', '"]'],
    ])
    expect(await read('\ufeff[ {"a":"\\ufeffx"} , 7 ]', bytes, '*')).toEqual([
      ['', { a: '\ufeffx' }],
      ['', 7],
    ])
  },
)

test('an error tells the place, and never the words of the document', async () => {
  const failure = await read('[{"a":1},{"diary":"my secret plan" oops}]', 1000, '*').catch((error) => error)
  expect(failure).toMatchObject({ code: 'import_failed', message: expect.stringMatching(/^byte 9: .*not valid JSON/) })
  expect(failure.message).not.toContain('secret')
  await expect(read('[{"a":1},', 1000, '*')).rejects.toThrow('the file ends')
})
