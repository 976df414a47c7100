import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import {
  hideSecrets,
  isSameOrMasked,
  maskSecrets,
  maskSecretsIn,
  maskSecretsPatiently,
  streamMasker,
  withoutSecrets,
  withoutSecretsNamedIn,
} from './mask-secrets.ts'

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

test('what repeats a secret without its name is masked with it; ids, words and parts of other words are not', () => {
  const record = {
    id: '4711',
    text: 'My PIN is 4711 and my password is Kiwi-7788!',
    key: 'version',
    value: '4711',
    tags: ['4711', 'pin', 'kiwi-7788x'],
    notes: ['was it Kiwi-7788?', 'born in 4711 or so', 'Kiwi-77889'],
    turnIds: ['4711'],
  }
  expect(maskSecretsIn(record)).toEqual({
    id: '4711',
    text: 'My PIN is …(masked, 4 characters) and my password is …(masked, 10 characters)',
    key: 'version',
    value: '…(masked, 4 characters)',
    tags: ['…(masked, 4 characters)', 'pin', 'kiwi-7788x'],
    notes: ['was it …(masked, 9 characters)?', 'born in 4711 or so', 'Kiwi-77889'],
    turnIds: ['4711'],
  })
  expect(maskSecretsIn({ text: 'My password is swordfish.', value: 'swordfish', note: 'a swordfish dinner' })).toEqual({
    text: 'My password is …(masked, 9 characters).',
    value: '…(masked, 9 characters)',
    note: 'a swordfish dinner',
  })
  expect(maskSecretsIn({ text: '我的 PIN 是 4711', value: 4711, port: 4711 })).toEqual({
    text: '我的 PIN 是 …(masked, 4 characters)',
    value: '…(masked, 4 characters)',
    port: 4711,
  })
})

test('a text that comes back is known behind its masks, those of repeats too, and another text is not', () => {
  const stored = `The key is ${KEY}, the password is Kiwi-7788. Kiwi-7788, right? 我的密码是abc12345`
  const [given] = maskSecretsIn([stored])
  expect(given).not.toMatch(/aB3dE6gH|Kiwi|abc12345/)
  expect(isSameOrMasked(stored, given!)).toBe(true)
  expect(isSameOrMasked(stored, stored)).toBe(true)
  expect(isSameOrMasked(`${stored}.`, given!)).toBe(false)
  expect(isSameOrMasked(stored, given!.replace('right', 'wrong'))).toBe(false)
  expect(isSameOrMasked(stored, stored.replace('key', 'lock'))).toBe(false)
  expect(isSameOrMasked('My password is Kiwi-7788', 'My password is …(masked, 4 characters)')).toBe(false)
})

test('a text without its secrets tells of nothing but its subject', () => {
  expect(withoutSecrets('My wifi password is Kiwi-7788, the garden is wet')).toBe(
    'My wifi password is …, the garden is wet',
  )
  expect(withoutSecrets('The garden is wet')).toBe('The garden is wet')
})

test('a key of 100 KB is masked like any other, also where it is repeated', () => {
  const key = `sk-a1${'Bc2dE3'.repeat(17_000)}`
  const { texts } = maskSecretsIn({ texts: [`my key is ${key}`, `again: ${key}`] })
  expect(texts.join(' ')).not.toContain('Bc2dE3Bc2dE3')
})

test('the lines of a key are masked where each stands by itself, in the next record too', () => {
  const lines = ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ', 'QyNTUxOQAAACDq7xVnZ0pWmT4sYhJr']
  const text = `My key:\n-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\nIt is old.`
  const record = { text, lines: text.split('\n').map((line) => ({ text: line })) }
  const mask = streamMasker()
  for (const masked of [maskSecretsIn(record), mask(record), mask({ lines: record.lines })]) {
    expect(JSON.stringify(masked)).not.toMatch(/b3Blbn|QyNTUx/)
    expect(masked.lines.at(-1)).toEqual({ text: 'It is old.' })
  }
})

test('a value is masked where its name is not said again, in both languages', () => {
  expect(maskSecrets('数据库密码是 Qx7!mnp2Zt：写一个脚本，用 Qx7!mnp2Zt 登录')).not.toContain('Qx7!')
  expect(maskSecrets('My password is Kiwi7788: log in with Kiwi7788 and stop.')).not.toContain('Kiwi7788')
})

test('an answer of many short texts is masked with pauses between them, and as in one go', async () => {
  const answer = Array.from({ length: 30 }, (_, at) => `The password of door ${at} is Kiwi-${7000 + at}. `.repeat(50))
  let [turns, isDone] = [0, false]
  const next = (): void => {
    turns += 1
    if (!isDone) setImmediate(next)
  }
  setImmediate(next)
  const masked = await maskSecretsPatiently({ answer })
  isDone = true
  expect(turns).toBeGreaterThan(10)
  expect(masked).toEqual(maskSecretsIn({ answer }))
})

test('of very many numbers, each the end of a sentence, a few are looked at before others run', () => {
  let pauses = 0
  const text = Array.from({ length: 12_800 }, (_, at) => `我家 ${1000 + at}。`).join('')
  for (const _ of findSecrets.pieces(text)) pauses += 1
  expect(pauses).toBeGreaterThan(50)
})

test('a long log without its private key is read with turns for others', async () => {
  const lines = Array.from({ length: 4000 }, (_, at) => `${at} INFO 2024-05-06 12:30 request took ${at} ms\n`).join('')
  const key = `-----BEGIN PRIVATE KEY-----\n${'aB3d'.repeat(16)}\n-----END PRIVATE KEY-----\n`
  let [turns, isOver] = [0, false]
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  await findSecrets.patiently(lines + key)
  count()
  expect(await withoutSecretsNamedIn(['What is in the log?'], lines + key)).toBe(
    `${lines}-----BEGIN PRIVATE KEY-----…-----END PRIVATE KEY-----\n`,
  )
  isOver = true
  expect(turns).toBeGreaterThan(lines.length / 16_384)
})

test.each([
  ['a comment', '# ', ''],
  ['a comment of code', '// ', ''],
  ['a list of texts', '  "', '",'],
  ['texts that are joined', "'", "\\n' +"],
  ['code', '`', '`'],
  ['a page', '', '<br>'],
  ['a table', '| ', ' |'],
  ['a log', '2024-05-06 12:30:01 INFO app: ', ''],
])('a private key without its last line is masked in %s, and the text behind it stays', (_, before, behind) => {
  const lines = ['aB3d', 'Ef5+', 'gH7/'].map((four) => four.repeat(16))
  const shown = ['-----BEGIN PRIVATE KEY-----', ...lines, 'Kq9Zs=='].map((line) => `${before}${line}${behind}`)
  const masked = maskSecrets(`${shown.join('\n')}\n\nThat is all of it.`)
  expect(masked).toContain('That is all of it.')
  expect(masked).not.toMatch(/aB3d|Ef5|gH7|Kq9Z/)
})

test('a file that speaks of a private key keeps its lines', () => {
  const text =
    '# -----BEGIN PRIVATE KEY-----\n# is how it begins; see /srv/app/configuration/directory/of/private/files\n# 2.'
  expect(maskSecrets(text)).toBe(text)
})
