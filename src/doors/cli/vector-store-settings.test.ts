import { expect, test } from 'vitest'
import { resolveVectorStore } from './vector-store-settings.ts'

test('without MILVUS_URI there is no vector database, whatever token lies about', () => {
  const { shown, options } = resolveVectorStore({ MILVUS_TOKEN: 'root:Milvus' }, { path: null })
  expect(options).toBeUndefined()
  expect(shown.uri).toEqual({ value: null, source: 'default' })
})

test('the environment beats the config file, and neither password nor token is shown', () => {
  const config = {
    path: 'mneme.config.json',
    vector_store: { uri: 'http://other:1', collection: 'notes', required: true },
  }
  const { shown, options } = resolveVectorStore(
    { MILVUS_URI: 'http://ann:s3cret@127.0.0.1:19530', MILVUS_TOKEN: 'tok3n' },
    config,
  )
  expect(options).toMatchObject({ uri: 'http://ann:s3cret@127.0.0.1:19530', collection: 'notes', required: true })
  expect(shown).toMatchObject({
    uri: { value: 'http://127.0.0.1:19530', source: 'MILVUS_URI' },
    token: { value: 'set', source: 'MILVUS_TOKEN' },
  })
  expect(JSON.stringify(shown)).not.toMatch(/s3cret|tok3n/)
})

test('a flag beats the environment, and its password is not shown either', () => {
  const { shown, options } = resolveVectorStore(
    { MILVUS_URI: 'http://127.0.0.1:1' },
    { path: 'mneme.config.json', vector_store: { collection: 'notes' } },
    { milvusUri: 'https://ann:s3cret@milvus.example:19530/db', milvusCollection: 'letters' },
  )
  expect(options).toMatchObject({ uri: 'https://ann:s3cret@milvus.example:19530/db', collection: 'letters' })
  expect(shown.uri).toEqual({ value: 'https://milvus.example:19530/db', source: '--milvus-uri' })
  expect(shown.collection).toEqual({ value: 'letters', source: '--milvus-collection' })
})

test('a command requires nothing unless the config file says so', () => {
  expect(resolveVectorStore({ MILVUS_URI: '127.0.0.1:19530' }, { path: null }).options?.required).toBe(false)
})
