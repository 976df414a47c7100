import { expect, test } from 'vitest'
import type { ThinkMessage } from '../../domain/thought.ts'
import {
  characterCount,
  namesTopic,
  SNIPPET_CHARACTERS,
  sessionSummaryByRules,
  shortenToCharacters,
  TITLE_CHARACTERS,
} from './title-and-snippet.ts'

function turns(...contents: readonly string[]): readonly ThinkMessage[] {
  return contents.map((content, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content,
    speaker: null,
    turnId: at + 1,
    createdAt: 0,
  }))
}

test('the title names the matter in few words, without greeting, teller and request', () => {
  for (const [said, title] of [
    ["I'm kinda worried about the roof of our garden shed, can you help me?", 'Roof of our garden shed'],
    ['我刚刚给阳台装好了滴灌系统，想听听你的建议。', '给阳台装好了滴灌系统'],
    ['帮我写封辞职信', '写封辞职信'],
    ['我外公腿不好，附近有什么不用爬坡的公园？', '外公腿不好，附近有什么不用爬坡的公园'],
  ] as const)
    expect(sessionSummaryByRules(turns(said, 'Sure.')).title).toBe(title)
  expect(sessionSummaryByRules(turns('hi', 'Hello!', 'My oven trips the fuse.', 'Which fuse?')).title).toMatch(
    /oven|fuse/i,
  )
})

test.each([
  ['Hello there! Could you please compare heat pumps for a terraced house?', 'Compare heat pumps for a terraced house'],
  ['How long does a clay oven take to dry? It rains a lot here.', 'How long does a clay oven take to dry'],
  [
    'Write a letter to the harbour master about the broken crane on the eastern pier.',
    'Write a letter to the harbour master about the broken crane',
  ],
  ['你好，请帮我比较一下联排别墅用的热泵。', '比较一下联排别墅用的热泵'],
  ['陶窑怎么砌才不漏烟？我家院子很小。', '陶窑怎么砌才不漏烟'],
])('a short request that opens the talk is its name, whole: %s', (said, title) => {
  expect(sessionSummaryByRules(turns(said, 'Sure.')).title).toBe(title)
})

test.each([
  ['我刚和楼下的阿姨谈完装电梯的事，她还是不太愿意。', '和楼下的阿姨谈完装电梯的事，她还是不太愿意'],
  ['我的自行车链条也生锈了，该用哪种油？', '我的自行车链条也生锈了，该用哪种油'],
  ['我把外婆的缝纫机搬得很远，踏板有点卡。', '把外婆的缝纫机搬得很远，踏板有点卡'],
])(
  'Chinese words that are no phrase give way to the opening statement, without who tells it when: %s',
  (said, title) => {
    expect(sessionSummaryByRules(turns(said, 'Sure.')).title).toBe(title)
  },
)

test('a request is no name where it points elsewhere, tells of the speaker, or is left for good', () => {
  const asked = 'How long does a clay oven take to dry?'
  for (const said of [
    'Can you turn that into a limerick about an otter?',
    "I'm wondering if an otter can climb a ladder.",
  ])
    expect(sessionSummaryByRules(turns(said, 'Sure.')).title).not.toMatch(/^(?:turn that|i['’]m)/i)
  const later = [
    'Our choir rehearses on Monday.',
    'Nice.',
    'The choir needs an alto.',
    'Ask around.',
    'The choir pays.',
  ]
  expect(sessionSummaryByRules(turns(asked, 'Weeks.', ...later.slice(0, 4))).title).toMatch(/^How long/)
  expect(sessionSummaryByRules(turns(asked, 'Weeks.', ...later, 'Good.', 'Bye, choir!')).title).toMatch(/choir/i)
  const heard = [...turns(asked, 'Weeks.')].map((turn) => ({ ...turn, speaker: turn.role === 'user' ? 'Ana' : 'Bo' }))
  expect(sessionSummaryByRules(heard).title).not.toMatch(/^How/)
})

test('in a talk of many turns the title names what both keep coming back to', () => {
  const chat = turns(
    '我下周要回老家，想把外公的老唱片录到电脑里。',
    '可以，先看看唱片机能不能接到电脑。',
    '唱片机是七十年代的，没有蓝牙，能配无线耳机吗？',
    '无线耳机要蓝牙，可以加一个发射器。',
    '哪种无线耳机适合听唱片？',
    '戴着舒服的无线耳机就行。',
  )
  expect(sessionSummaryByRules(chat).title).toMatch(/老唱片|无线耳机/)
})

test('the title is what most turns speak of, not what was said first, and no name of a speaker', () => {
  const { title } = sessionSummaryByRules(
    turns(
      'I had a strange dream about a lighthouse.',
      'Tell me.',
      'Anyway: how do I prune an old apple tree?',
      'In winter.',
      'And how much of the apple tree may I prune at once?',
      'A third.',
      'When does the apple tree bear again?',
      'In two years.',
    ),
  )
  expect(title.toLowerCase()).toContain('apple tree')
  const chat = [
    { role: 'user', speaker: 'Ana', content: 'I am fine, Bo, it is a sunny day today' },
    { role: 'assistant', speaker: 'Bo', content: 'Ana, Ana! I joined a pottery class in Ghent last week!' },
  ] as const
  const named = sessionSummaryByRules(chat)
  expect(named.title).toMatch(/^Pottery class/)
  expect(named.snippet).toMatch(/^(?:Ana|Bo): /)
})

test('the snippet is one whole sentence that tells of the topic', () => {
  const decided = sessionSummaryByRules(
    turns(
      'Where should the ledger live? It has to survive a reboot.',
      'A file would do.',
      'Agreed, we decided to use SQLite for the ledger.',
      'Fine.',
    ),
  )
  expect(decided.title).toMatch(/ledger/i)
  expect(decided.snippet).toMatch(/^(?:Where should the ledger live\?|We decided to use SQLite for the ledger\.)$/)
  const answered = sessionSummaryByRules(
    turns('为什么我的面团发不起来？', '多半是酵母失效了，水温超过五十度酵母就会死。'),
  )
  expect(answered.snippet).toMatch(/^(?:为什么我的面团发不起来？|多半是酵母失效了，水温超过五十度酵母就会死。)$/)
})

test('title and snippet keep their bounds and end between words', () => {
  const english = `Describe ${'wonderfully complicated lighthouse machinery '.repeat(20)}`
  const chinese = `请介绍${'灯塔透镜旋转机构的历史沿革和维护方法'.repeat(20)}`
  const emoji = '👨‍👩‍👧‍👦'.repeat(300)
  for (const text of [english, chinese, emoji, 'x'.repeat(5000)]) {
    const { title, snippet } = sessionSummaryByRules(turns(text, 'Sure.'))
    expect(characterCount(title)).toBeLessThanOrEqual(TITLE_CHARACTERS)
    expect(characterCount(snippet)).toBeLessThanOrEqual(SNIPPET_CHARACTERS)
    expect(title.isWellFormed() && title.length > 0).toBe(true)
  }
  expect(shortenToCharacters(emoji, 4)).toBe(`${'👨‍👩‍👧‍👦'.repeat(3)}…`)
})

test('nothing said gives nothing; only code or a greeting gives what stands there', () => {
  expect(sessionSummaryByRules([])).toEqual({ title: '', snippet: '' })
  expect(sessionSummaryByRules(turns('hi', 'Hello!')).title).toBe('Hi')
  expect(sessionSummaryByRules(turns('```js\nfetchTides()\n```', 'What about it?')).title).toBe('fetchTides()')
})

test('small talk names no topic, a request behind a greeting does', () => {
  for (const said of ['hey there', '在吗', 'morning!', 'How are you today?'])
    expect(namesTopic(turns(said, 'Hello!')), said).toBe(false)
  for (const said of [
    'hey, can you help me plan a picnic in Ghent',
    '你好，帮我写一封请假邮件',
    '你好呀，想问问养兔子的事',
  ])
    expect(namesTopic(turns(said, 'Sure.')), said).toBe(true)
})

test('a title holds no part of a secret, wherever it is cut', () => {
  const secret = 'Kiwi7788xyzQ9'
  for (const content of [
    `curl -u admin:${secret} https://api.example.com/v1/items returns 401, why?`,
    `密码是 ${secret}：帮我写一个脚本，用 ${secret} 登录服务器`,
    `export DB_PASSWORD=${secret} && npm start fails on my laptop`,
  ]) {
    const { title, snippet } = sessionSummaryByRules([{ role: 'user', content }])
    expect(title).not.toBe('')
    expect(`${title} ${snippet}`).not.toContain(secret.slice(0, 4))
  }
})

test('what was told to an assistant is shown with the question that it leads to, where there is room', () => {
  const snippetOf = (content: string, speaker: string | null = null): string =>
    sessionSummaryByRules([{ role: 'user', content, speaker }]).snippet
  const told = '昨天我把阳台的番茄全部换了大盆，叶子今天早上都卷起来了。'
  const asked = '换盆以后浇水应该怎么控制？'
  expect(snippetOf(`${told}${asked}`)).toBe(`${told}${asked}`)
  expect(snippetOf(`${told}有建议吗？`)).toBe(told)
  expect(snippetOf(`${told}${asked}`, '阿珍')).not.toContain(asked)
  const english = 'I moved all my tomatoes into bigger pots yesterday. '
  expect(snippetOf(`${english}How much water do they need after repotting?`)).toContain('repotting')
})

test('an occasion is shown with what is wanted of it: behind it, as a statement that asks, or in the next message', () => {
  const told = '我上周在阳台搭了一个两米长的番茄架子，还装了滴灌。'
  const wanted = '现在想给番茄打顶，但不知道应该从哪一层开始打比较好。'
  expect(sessionSummaryByRules(turns(`${told}${wanted}你有什么建议吗？`, '可以。')).snippet).toBe(`${told}${wanted}`)
  const asked = '番茄架子朝北，叶子晒不到太阳应该怎么补光？'
  expect(sessionSummaryByRules(turns(told, '怎么了？', `对，就是。${asked}`)).snippet).toBe(`${told}${asked}`)
  const pointing = '这样的番茄架子应该怎么补光？'
  expect(sessionSummaryByRules(turns(told, '怎么了？', pointing)).snippet).not.toContain(pointing)
})

test('behind a Chinese occasion and its question stands what is told next', () => {
  const told = '我上周在阳台搭了一个两米长的番茄架子。'
  const asked = '番茄架子朝北，晒不到太阳应该怎么补光？'
  const next = '番茄架子旁边有一盏旧台灯，可以拆下来改装。'
  expect(sessionSummaryByRules(turns(`${told}${asked}`, '可以装灯。', next, '好。')).snippet).toBe(told + asked + next)
})

test('a statement that points to the one before it is shown with it', () => {
  const [called, told] = [
    'Lunch with aunt Berta.',
    'She sold me her 1974 accordion for 300 euros and taught me two polkas.',
  ]
  expect(sessionSummaryByRules(turns(`${called} ${told}`, 'Oh nice.')).snippet).toBe(`${called} ${told}`)
})

test('a sentence that ends with a full stop gets no question mark', () => {
  const said = '我最近在琢磨怎么把旧货架改成鞋柜放到玄关里。'
  expect(sessionSummaryByRules(turns(said, '好。')).snippet).toBe(said)
})
