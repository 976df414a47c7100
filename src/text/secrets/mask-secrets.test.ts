import { expect, test } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'
import { maskSecrets, maskSecretsIn } from './mask-secrets.ts'

const KEY = `sk-${'aB3dE6gH'.repeat(6)}`

test('a mask tells whose key it is and how long, and nothing else', () => {
  expect(maskSecrets(`Use ${KEY} for the tests.`)).toBe('Use sk-…(masked, 51 characters) for the tests.')
  expect(maskSecrets('我的密码是 Sunflower2024，记住')).toBe('我的密码是 …(masked, 13 characters)，记住')
  expect(maskSecrets('postgres://app:s3cr3t@db/main')).toBe('postgres://app:…(masked, 6 characters)@db/main')
})

test('masking what is masked changes nothing', () => {
  const texts = [
    `key ${KEY}, password: "hunter2", 密码是 Sunflower2024，pin is 4821`,
    'postgres://app:s3cr3t@db/main DB_PASSWORD=t0ps3cret Authorization: Bearer abcdefgh12345678',
    `-----BEGIN PRIVATE KEY-----\n${'aB3d'.repeat(16)}\n-----END PRIVATE KEY-----`,
    `{"api_key":"${KEY}","password":"b4nana!"}`,
  ]
  for (const text of texts) {
    const once = maskSecrets(text)
    expect(once).not.toBe(text)
    expect(maskSecrets(once)).toBe(once)
  }
})

test('data is masked by its fields, by the key of a fact, and in its texts; the rest is the same object', () => {
  const harmless = { text: 'Lives in Porto', tags: ['home'], value: 42, at: new Date(0) }
  expect(maskSecretsIn(harmless)).toBe(harmless)
  expect(
    maskSecretsIn({
      key: 'wifi_password',
      value: 'Sunflower2024',
      metadata: { db_password: 't0ps3cret', port: 5432, note: [`use ${KEY}`] },
      pin: 4821,
    }),
  ).toEqual({
    key: 'wifi_password',
    value: '…(masked, 13 characters)',
    metadata: { db_password: '…(masked, 9 characters)', port: 5432, note: ['use sk-…(masked, 51 characters)'] },
    pin: '…(masked, 4 characters)',
  })
})

test('a secret that was hidden from a model is whole again in what it wrote down', () => {
  const { data, restore } = hideSecrets({ text: `My key is ${KEY}; the door code: password is kiwi-77` })
  expect(JSON.stringify(data)).not.toMatch(/aB3d|kiwi/)
  expect(restore({ records: [{ text: 'Their key is sk-…(masked, 51 characters).' }] })).toEqual({
    records: [{ text: `Their key is ${KEY}.` }],
  })
})

test('two secrets with the same mask are not taken for each other', () => {
  const { restore } = hideSecrets(['password: hunter2', 'password: hunter3'])
  expect(restore('It is …(masked, 7 characters)')).toBe('It is …(masked, 7 characters)')
})
