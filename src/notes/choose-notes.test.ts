import { expect, test } from 'vitest'
import { isOrdered, type Notable, noteOf } from './choose-notes.ts'

function memory(text: string, more: Partial<Notable> = {}): Notable {
  return {
    memoryType: 'semantic',
    text,
    category: 'fact',
    key: null,
    value: null,
    tags: [],
    conversationId: 'chat',
    who: 'user',
    occurredAt: 0,
    createdAt: 0,
    updatedAt: 0,
    confidence: 0.9,
    source: 'user_stated',
    importance: 1,
    accessCount: 0,
    lastAccessed: null,
    validFrom: 0,
    validTo: null,
    projectRoot: null,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: [1],
    externalId: null,
    metadata: {},
    ...more,
  }
}

test.each([
  ["I'm Rosa, I run the night desk at a hotel in Cork.", 'user'],
  ['My brother lives in Turin.', 'user'],
  ['Wow, so I love black-and-white photography too!', 'preferences'],
  ['I go swimming every Thursday before work.', 'preferences'],
  ['We agreed that releases go out on Wednesdays only.', 'decisions'],
  ['The sync job kept crashing. We fixed it by raising the memory limit.', 'problems'],
  ['我手机号是 13900001111。', 'user'],
  ['My email is nora@harbour.example', 'user'],
  ['我的微信号是 nora77', 'user'],
  ['Our gateway listens on port 8443.', 'configuration'],
  ['I prefer answers in bullet points.', 'preferences'],
  ['我们家养了两只乌龟。', 'user'],
  ['我喝豆浆从不加糖，也不喝可乐。', 'preferences'],
  ['Nothing beats a window seat on a night train.', 'preferences'],
  ['I am learning how to play the cello.', 'user'],
  ['My stack at home: Proxmox 8 on an old OptiPlex, backups go to a Synology DS220.', 'configuration'],
  ['家里的 NAS 是威联通 TS-453，做了 RAID5。', 'configuration'],
  ['以后代码示例都给我 Python 的，别给 Java。', 'preferences'],
  ['我离不开豆浆，没有就没法开工。', 'preferences'],
  ['我们定了，以后文档都放在仓库里。', 'decisions'],
  ['接口老是超时，后来加了索引就好了。', 'problems'],
  ["I can't do spicy food at all, it wrecks my stomach", 'preferences'],
  ['Dark mode everything, light themes give me headaches', 'preferences'],
  ['I refuse to fly with that airline anymore', 'preferences'],
  ['Give me podcasts over music any day when I run', 'preferences'],
  ['最怕吵，餐厅一吵我就头疼', 'preferences'],
] as const)('%s is worth a line under %s', (text, section) => {
  expect(noteOf(memory(text), false)?.section).toBe(section)
})

test.each([
  'Thanks so much, you are the best!',
  'I felt so proud and grateful that day.',
  'It really helped me.',
  'She told me about it yesterday.',
  'That place was amazing, I loved it there.',
  "I can't wait for tomorrow!",
  'What do you usually cook on Sundays?',
  "Let's make some great memories.",
  '昨晚没睡好，困死了。',
  '它又把我的杯子打翻了。',
  '你平时喜欢做什么？',
  '太好看了，推荐给你！',
  '现在来杯红酒就好了。',
  'Your courage never fails to amaze me.',
  '- -',
  'The deploy kept failing with ImagePullBackOff.',
])('%s is worth none', (text) => {
  expect(noteOf(memory(text), false)).toBeNull()
})

test('words that only tie a sentence to the talk are taken off, and what passes is left out', () => {
  const note = noteOf(memory("Yeah, I prefer aisle seats. It's been such a busy week!"), false)
  expect(note).toEqual({ text: 'I prefer aisle seats.', section: 'preferences', importance: 1 })
})

test('what may pass is no line, what lasts is one', () => {
  const said = 'I drink my tea without sugar.'
  expect(noteOf(memory(said, { category: 'preference' }), false)?.section).toBe('preferences')
  expect(noteOf(memory(said, { category: 'preference', memoryType: 'episodic' }), false)).toBeNull()
  expect(noteOf(memory(said, { importance: 0 }), false)).toBeNull()
})

test.each([
  'Problem: the label printer jams on thick paper. Solution: feed single sheets.',
  'Problem: login loops after the update. Solution: clear the cookies of the site.',
  '问题：打印机卡纸。解决：换成薄纸。',
  '问题：页面白屏。解决办法：清空缓存。',
])('a problem and its solution are one entry: %s', (text) => {
  expect(noteOf(memory(text, { importance: 0 }), false)).toEqual({ text, section: 'problems', importance: 2 })
})

test.each(['My phone number is +44 7700 900123.', '我的手机号是 13900001111。'])(
  'a phone number is no technical configuration: %s',
  (text) => {
    for (const importance of [1, 2]) expect(noteOf(memory(text, { importance }), false)?.section).toBe('user')
    expect(noteOf(memory(text, { importance: 3 }), true)?.section).toBe('user')
  },
)

test.each([
  ['网关超时是30秒。', 'configuration'],
  ['The timeout of the gateway is 30 seconds.', 'configuration'],
  ['数据库的连接池大小是 50。', 'configuration'],
  ['我的微信是 panda_77。', 'user'],
] as const)('a setting of a system is configuration, whatever its name: %s', (text, section) => {
  const told = memory(text, { memoryType: section === 'user' ? 'semantic' : 'episodic', importance: 2 })
  expect(noteOf(told, false)?.section).toBe(section)
})

test.each(['I like short replies with code first.', '我喜欢简洁的回答。'])('a taste said as one lasts: %s', (text) => {
  expect(noteOf(memory(text, { memoryType: 'episodic', category: 'preference' }), false)?.section).toBe('preferences')
})

test('what was asked for, or handed in, comes in as it is', () => {
  const text = 'it was the blue one'
  expect(noteOf(memory(text, { importance: 3 }), true)).toMatchObject({ text, importance: 3 })
  expect(noteOf(memory(text, { importance: 2, sourceTurnIds: [] }), false)).toMatchObject({ text, importance: 2 })
  expect(noteOf(memory(text, { importance: 0, sourceTurnIds: [] }), false)).toBeNull()
})

test.each([
  ['请记住：我对花生过敏。', true],
  ['对了，帮我记一下，牙医是周医生。', true],
  ['Please remember that the key is under the mat.', true],
  ["By the way, don't forget my locker is number 14.", true],
  ["I'll never forget that evening.", false],
  ['Keep it up, you are doing great!', false],
  ['I really should do that too, or at least write down what my animals like!', false],
  ['我永远记得那天。', false],
] as const)('%s orders it to be remembered: %s', (said, ordered) => {
  expect(isOrdered(said)).toBe(ordered)
})

test.each([
  ['the spare keys are with Mrs Olsen', 'user'],
  ['the plumber comes on Thursdays.', 'user'],
  ['the office wifi is called Albatros', 'configuration'],
  ['回复我要用繁体字。', 'preferences'],
  ['电表户号 3301552。', 'user'],
] as const)('what was asked for stands where its words belong: %s under %s', (text, section) => {
  expect(noteOf(memory(text, { importance: 3 }), true)).toEqual({ text, section, importance: 3 })
})

test('of a document that is a memory its sentences are notes, never all of it', () => {
  const document = `I prefer short answers. ${'The minutes of the meeting go on and on here. '.repeat(400)}`
  const note = noteOf(memory(document, { sourceTurnIds: [] }), true)
  expect(note?.text ?? '').not.toContain('go on and on here. The minutes')
  expect((note?.text ?? '').length).toBeLessThan(1000)
  expect(noteOf(memory(' '.repeat(10_000) + 'x'.repeat(9000), { sourceTurnIds: [] }), true)).toBeNull()
})
