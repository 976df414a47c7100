/** Parts of the Milvus adapter that need no server: addresses, expressions, rows, failures, differences of a schema. */
import { expect, test } from 'vitest'
import { differences, wantedFields } from './collection.ts'
import { openMilvus } from './milvus-vector-index.ts'
import { beginning, rowOf, wholeRowOf } from './rows.ts'
import { called, failure, filterOf, literal, loadSdk, readAddress } from './sdk.ts'

const PLACE = { shown: 'http://host:19530', secrets: ['s3cret'] }

test.each([
  ['http://127.0.0.1:19530', { host: '127.0.0.1:19530', ssl: false, shown: 'http://127.0.0.1:19530' }],
  ['localhost:19530', { host: 'localhost:19530', ssl: false }],
  ['http://localhost', { host: 'localhost:19530' }],
  ['https://cloud.example/db', { host: 'cloud.example:443', ssl: true, database: 'db' }],
  ['http://ann:100%@host:1', { username: 'ann', password: '100%', host: 'host:1', shown: 'http://host:1' }],
  ['https://ann:p%40ss@host:19530', { username: 'ann', password: 'p@ss', shown: 'https://host:19530' }],
])('the address %s is read', (uri, wanted) => {
  expect(readAddress(uri)).toMatchObject(wanted)
})

test.each(['ftp://host', 'http://', './milvus.db', '/data/milvus.db', 'milvus.db', 'http://host:0', 'host:99999', ''])(
  'the address %j is refused, and a file of Milvus Lite is told what to do with',
  (uri) => {
    expect(() => readAddress(uri)).toThrow(
      expect.objectContaining({ field: 'vectorStore.uri', remedy: expect.stringContaining('has to be served first') }),
    )
  },
)

test('a literal can be nothing but a text', () => {
  expect(literal('say "tea" \\ 100%\n小林\u0007')).toBe('"say \\"tea\\" \\\\ 100%\\n小林\u0007"')
})

test('every filter names the user', () => {
  expect(filterOf('a"b', { kind: 'episodic', who: '小林', since: 1.5, until: 9 }, false)).toBe(
    'user_id == "a\\"b" and memory_type == "episodic" and who == "小林" and ts >= 2 and ts < 9',
  )
})

test('a text is cut between two characters', () => {
  expect(beginning('茶茶茶', 8)).toBe('茶茶')
  expect(beginning('tea', 3)).toBe('tea')
  expect(beginning('a👩‍👩‍👧b', 6).isWellFormed()).toBe(true)
})

test('a row that another program wrote is read as far as it goes', () => {
  const { record, storeId } = wholeRowOf({
    id: '470',
    user_id: 'ann',
    text: 'Tea.',
    ts: '1800000000000',
    vector: [1, 0],
  })
  expect(storeId).toBe('')
  expect(record).toMatchObject({ id: '', kind: 'semantic', text: 'Tea.', time: 1_800_000_000_000, who: null })
  expect(record.memory).toMatchObject({ accessCount: 0, metadata: null, tags: [] })
})

test('what is too large for a row is named in it', () => {
  const row = rowOf({
    userId: 'ann',
    id: 'm',
    version: 1,
    storeId: 's',
    model: 'x',
    vector: new Float32Array([1, 0]),
    kind: 'turn',
    conversationId: null,
    who: null,
    time: 0,
    text: '雨'.repeat(30_000),
  })
  expect(JSON.parse(row.$meta).shortened).toEqual(['text'])
  expect(Buffer.byteLength(row.text)).toBe(65_535)
})

test.each([
  [
    'a status',
    () => Promise.resolve({ status: { error_code: 'UnexpectedError', reason: 'disk is full' } }),
    'disk is full',
  ],
  ['a thrown plain object', () => Promise.reject({ status: { reason: 'no such thing' } }), 'no such thing'],
  ['a thrown error', () => Promise.reject(new Error('with s3cret inside')), 'with *** inside'],
  ['a TypeError out of the SDK', () => Promise.reject(new TypeError('undefined')), 'could not be read'],
  ['no answer', () => new Promise<never>(() => {}), 'no answer within 20 ms'],
])('%s becomes one kind of error', async (_, call, reason) => {
  await expect(called(PLACE, 'search', 20, call)).rejects.toMatchObject({
    code: 'vector_store_failed',
    message: expect.stringContaining(reason),
    remedy: expect.any(String),
  })
})

test('who is refused is told to look at the token', () => {
  expect(failure(PLACE, 'be reached', new Error('auth check failure')).remedy).toContain('token')
})

test('a collection as it is made has no difference from what is wanted', () => {
  const fields = wantedFields(4).map((field) => ({ ...field, max_length: String(field.max_length), dim: '4' }))
  const description = { schema: { fields, enable_dynamic_field: true } }
  expect(differences(description, null, 4)).toEqual([])
  const index = { index_descriptions: [{ field_name: 'vector', params: [{ key: 'metric_type', value: 'L2' }] }] }
  expect(differences(description, index, 5)).toEqual([
    'vector: has 4 dimensions, wanted 5',
    'metric: is L2, wanted COSINE',
  ])
})

test('without the SDK it is said what to install', async () => {
  const loading = loadSdk(() => Promise.reject(new Error('Cannot find package')))
  await expect(loading).rejects.toMatchObject({ code: 'unsupported', remedy: expect.stringContaining('npm install') })
})

test('an address that is none is refused, and what may be a password in it is not shown', async () => {
  const opening = openMilvus({ provider: 'milvus', uri: 'gopher://ann:s3cret@host' })
  await expect(opening).rejects.toMatchObject({ code: 'invalid_input', field: 'vectorStore.uri' })
  await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('s3cret') })
})
