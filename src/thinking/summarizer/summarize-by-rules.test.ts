import { expect, test } from 'vitest'
import type { Role, Turn } from '../../domain/turn.ts'
import { extractSymbols } from '../../language/symbols/symbols.ts'
import { joinNotes } from './join-notes.ts'
import { summarizeByRules } from './summarize-by-rules.ts'

function turns(...contents: readonly string[]): readonly Turn[] {
  return contents.map((content, at) => turn(content, at + 1, at % 2 === 0 ? 'user' : 'assistant'))
}

function turn(content: string, turnId: number, role: Role): Turn {
  const symbols = [...new Set(extractSymbols(content).map((mention) => mention.symbol))]
  return {
    conversationId: 'c',
    turnId,
    role,
    content,
    speaker: null,
    createdAt: turnId,
    externalId: null,
    metadata: null,
    isCollected: false,
    symbols,
  }
}

const bytes = (text: string): number => Buffer.byteLength(text)
const graphemes = (text: string): readonly string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((one) => one.segment)

const payment = turns(
  '你好，OrderService 在并发下会重复扣款，日志里有 DuplicateChargeError。',
  '我看了 src/order/payment.ts，processPayment 的检查和写入之间没有加锁。',
  '那怎么办？',
  '我们决定使用互斥锁保护关键区域。\n```ts\nconst guardedSection = new Mutex()\n```',
  '谢谢！',
)

const cache = turns(
  'Hi! The CacheManager keeps growing, after two days it takes 3 GB.',
  'Entries are never evicted. Is `maxEntries` set in src/cache/config.ts?',
  'No, it is not.',
  "Then let's use an LRU policy with 10,000 entries.",
  'Great, thanks!',
)

test('a Chinese conversation is summarised in Chinese with its symbols and its decision', () => {
  const { summary, keySymbols, keyDecisions } = summarizeByRules(payment)
  expect(summary).toMatch(/^(?:用户|助手|讨论了)/)
  for (const part of ['OrderService', 'processPayment', '使用互斥锁保护关键区域']) expect(summary).toContain(part)
  expect(keySymbols).toEqual(expect.arrayContaining(['OrderService', 'processPayment', 'DuplicateChargeError']))
  expect(keyDecisions.some((decision) => decision.includes('互斥锁'))).toBe(true)
})

test('an English conversation is summarised in English with its symbols and its decision', () => {
  const { summary, keySymbols, keyDecisions } = summarizeByRules(cache)
  expect(summary).toMatch(/User: The CacheManager/)
  expect(summary).toContain('LRU policy with 10,000 entries')
  expect(keySymbols[0]).toBe('CacheManager')
  expect(keyDecisions).toHaveLength(1)
})

test('a labelled problem stands with its solution', () => {
  for (const said of [
    '现象：夜里网关掉线。修复：升级固件到 2.1。',
    'Issue: the nightly build hangs on ARM. Fix: we pinned the compiler to version 12.',
  ])
    expect(summarizeByRules(turns(said)).summary).toContain(said)
})

test('greetings, thanks and code are left out', () => {
  const { summary } = summarizeByRules(payment)
  for (const part of ['你好', '谢谢', 'new Mutex', '```']) expect(summary).not.toContain(part)
  expect(summarizeByRules(cache).summary).not.toMatch(/\bHi\b|thanks/i)
})

test('code behind words on the same line and code that is never closed are left out', () => {
  const { summary } = summarizeByRules(
    turns('Our parser fails on line 12 of every file. ```ts\nconst secretCode = 1\nand so on'),
  )
  expect(summary).toContain('Our parser fails on line 12')
  expect(summary).not.toMatch(/const|and so on/)
})

test('a pasted log, a trace and a table leave the room to the sentences around them', () => {
  const log = [
    'Since Monday the nightly import stops halfway:',
    '2026-02-03 02:00:11,204 INFO  [pool-1] importer started batch=7 size=500',
    '2026-02-03 02:00:14,880 ERROR [pool-1] importer failed because of a timeout, retry=3',
    'level=error msg="import failed" rows=120 cause=timeout',
    '\tat org.acme.Importer.load(Importer.java:88)',
    '    at step (src/import/step.ts:12:7)',
    'Caused by: org.acme.Unreachable: connection failed',
    'ERROR: giving up after failed retry',
    '$ systemctl status importer',
    'NAME     STATUS     RESTARTS',
    'importer     failed     3',
    'Could the new firewall be the reason?',
  ].join('\n')
  const { summary } = summarizeByRules(turns(log, 'Yes: the firewall drops idle connections after 60 seconds.'))
  for (const part of ['nightly import stops halfway', 'drops idle connections']) expect(summary).toContain(part)
  for (const part of [
    'pool-1',
    'msg=',
    'batch',
    'Caused by',
    'giving up',
    'systemctl',
    'RESTARTS',
    'importer     failed',
  ])
    expect(summary).not.toContain(part)
})

test('what a turn is about stands first and is not left out for what comes behind it, and names keep their letters', () => {
  const { summary } = summarizeByRules(
    turns(
      "Hi! I've taken a post at the archive in Leuven from September. I have a son, Pim, and two noisy geese. Where do I even start?",
      'Ask the school first, because its places go early. Then look for a garden that may hold geese.',
      'pgdump 每晚三点会锁表，昨晚又锁了十分钟',
    ),
  )
  expect(summary).toContain('archive in Leuven')
  expect(summary).toContain('pgdump 每晚')
})

test('a trace in Python leaves the sentences around it', () => {
  const trace =
    '服务启动时报错：\nTraceback (most recent call last):\n  File "app.py", line 12, in <module>\n    serve(port)\nValueError: bad port\n是不是配置文件没有读到？'
  const { summary } = summarizeByRules(turns(trace, '对，配置文件的路径写错了。'))
  for (const part of ['服务启动时报错', '配置文件的路径写错了']) expect(summary).toContain(part)
  for (const part of ['Traceback', 'line 12', 'serve(port)']) expect(summary).not.toContain(part)
})

test('a note with a time of day is no log', () => {
  const { summary } = summarizeByRules(turns('2026-03-01 10:00 meeting with Bo about the lease', 'ok'))
  expect(summary).toContain('meeting with Bo')
})

test('a note names a key symbol beside the conclusion, however shortly it was told', () => {
  const stretches = [
    ['ageRows jams', 'On which rows?', 'The old ones.', 'Skip them, then.', 'We decided to skip rows without a date.'],
    ['ageRows 卡住', '哪些行？', '旧的', '那跳过', '我们决定跳过没有日期的行'],
  ]
  for (const said of stretches) {
    const { summary } = summarizeByRules(turns(...said))
    expect(summary).toContain('ageRows')
    expect(summary).toMatch(/skip rows without a date|跳过没有日期的行/)
  }
})

test('turns without symbols are summarised by what they tell', () => {
  const { summary } = summarizeByRules(
    turns('I moved from Berlin to Hangzhou last month.', 'How nice!', 'My daughter is 6 and plays the violin.', 'ok'),
  )
  expect(summary).toBe('User: I moved from Berlin to Hangzhou last month. My daughter is 6 and plays the violin.')
})

test('a Chinese sentence with spaced names is no row of a table', () => {
  const { summary } = summarizeByRules(turns('数据库迁移做完了', '好的', '我们决定用 RedLock 给 acquireSlot 加锁'))
  expect(summary).toContain('我们决定用 RedLock 给 acquireSlot 加锁')
})

test('a decision that is repeated is listed once, the fuller words win', () => {
  const { keyDecisions } = summarizeByRules(
    turns('We decided to use SQLite with WAL mode for the archive.', 'ok', 'As I said, we decided to use SQLite.'),
  )
  expect(keyDecisions).toEqual(['We decided to use SQLite with WAL mode for the archive'])
})

const nothingToSay: readonly (readonly [string, readonly string[]])[] = [
  ['greetings', ['hi', '你好！', 'thanks']],
  ['an emoji', ['👩‍👩‍👧']],
  ['only code', ['```js\n1 + 1\n```']],
  ['an unclosed fence', ['```']],
  ['marks', ['---', '***']],
  ['a single very long word', ['x'.repeat(5000)]],
  ['zero-width characters', ['\u200b']],
]

for (const [what, contents] of nothingToSay) {
  test(`${what} still give a summary that is not empty`, () => {
    const { summary } = summarizeByRules(turns(...contents))
    expect(summary.length).toBeGreaterThan(0)
    expect(bytes(summary)).toBeLessThanOrEqual(480)
  })
}

test('003 "10 轮摘要 <500B": turns full of decisions fill a summary and no more', () => {
  const { summary } = summarizeByRules(
    turns(
      'We decided to rewrite the ferry timetable importer in Rust because the old parser loses trips after midnight.',
      'Agreed: the harbour office gets a read replica in Gdynia, and nightly dumps go to the tape robot in Lund.',
      'We chose NATS for the buoy sensors, since Kafka needs three brokers on a boat that has room for one.',
      '我们决定把潮汐表改成每小时抓取一次，旧的缓存全部作废，由小顾在周五之前上线。',
      'The root cause was a leap second in the sonar driver; we fixed it by pinning the kernel to version 6.9.',
      '决定采用双人值班制，夜里十二点以后由青岛和宁波的同事轮流接听求救电话。',
      'We settled on blue hulls for the rental canoes and on a deposit of forty euros that is paid in advance.',
      'Let us drop the paper logbook: captains sign on the tablet, and the archive keeps PDF files for ten years.',
      '最终方案是在灯塔上装太阳能板，柴油机只留作备用，电池放在地下室的防水柜里。',
      'We agreed to invite two divers from Split for the wreck survey and to rent their compressor as well.',
    ),
  )
  expect(bytes(summary)).toBeLessThan(500)
  expect(bytes(summary)).toBeGreaterThan(350)
})

test('no turns give an empty summary', () => {
  expect(summarizeByRules([])).toEqual({ summary: '', keySymbols: [], keyDecisions: [] })
})

/** A small generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const pieces = [
  'processPayment 失败了 3 次，',
  'we decided to keep the 🧑‍💻 queue. ',
  'e\u0301e\u0301e\u0301 café ',
  '👨‍👩‍👧‍👦🇨🇳🏳️‍🌈',
  '决定使用互斥锁保护关键区域。',
  'Why does OrderService throw TypeError?\n',
  '```\ncode()\n',
  '한국어 문장입니다. ',
  'नमस्ते दुनिया। ',
  '\u{20BB7}野家𠮷 ',
  '- item: "quoted" `a_b`\n',
  'x'.repeat(90),
]

test('no summary is longer than allowed, and none ends in the middle of a character', () => {
  const random = randomFrom(7)
  for (let round = 0; round < 400; round++) {
    const contents = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      Array.from({ length: 1 + Math.floor(random() * 30) }, () => pieces[Math.floor(random() * pieces.length)]!).join(
        '',
      ),
    )
    const maxBytes = 40 + Math.floor(random() * 440)
    const { summary, keySymbols, keyDecisions } = summarizeByRules(turns(...contents), { maxBytes })
    expect(summary).not.toBe('')
    expect(bytes(summary)).toBeLessThanOrEqual(maxBytes)
    expect(keySymbols.length).toBeLessThanOrEqual(8)
    expect(keyDecisions.length).toBeLessThanOrEqual(5)
    for (const decision of keyDecisions) expect(bytes(decision)).toBeLessThanOrEqual(120)
    const whole = new Set(graphemes(contents.join('\n')))
    const added = new Set(
      graphemes(
        '讨论了 、。用户助手：，…Discussed Log记录User Assistant:,; .只有代码，没有说明。Code only, without words.ABCDEFGHIJKLMNOPQRSTUVWXYZ？！\n',
      ),
    )
    for (const one of graphemes(summary)) expect(whole.has(one) || added.has(one), JSON.stringify(one)).toBe(true)
  }
})

test('of a very long turn the beginning and the end are read', () => {
  const filler = 'It goes on and on without a point. '.repeat(30_000)
  const { keyDecisions } = summarizeByRules(
    turns(`The importer of GtfsReader is slow. ${filler}\nIn the end we decided to read the feed in one transaction.`),
  )
  expect(keyDecisions).toHaveLength(1)
})

test('several notes make one, with the symbols of all, in no more bytes', () => {
  const notes = [summarizeByRules(payment), summarizeByRules(cache)]
  const joined = joinNotes(notes)
  expect(joined.keySymbols).toEqual(expect.arrayContaining(['OrderService', 'CacheManager']))
  expect(joined.keyDecisions).toHaveLength(2)
  expect(bytes(joined.summary)).toBeLessThanOrEqual(480)
  expect(joined.summary).toContain('LRU')
})

test('a later question without its answer and a statement of the listener’s words are left out', () => {
  const first = summarizeByRules(
    turns(
      'I am restoring a wooden kayak in the shed behind our house.',
      'Sand the hull and oil it twice.',
      'I will go with your suggestion. The wooden kayak in our shed needs restoring, hull and deck.',
    ),
  )
  expect(first.summary).not.toContain('your suggestion')
  const later = summarizeByRules(
    turns('I bought two litres of tung oil at the boatyard in Whitby. Which brush leaves no hairs in the varnish?'),
  )
  const { summary } = joinNotes([first, later])
  expect(summary).toContain('wooden kayak')
  expect(summary).toContain('tung oil')
  expect(summary).not.toContain('Which brush')
})

test('the summary of a long conversation stays within its bytes and is never empty', () => {
  const notes = Array.from({ length: 40 }, (_, at) =>
    summarizeByRules(turns(`Step ${at}: importer${at} fails with code ${at}.`)),
  )
  const summary = joinNotes(notes).summary
  expect(bytes(summary)).toBeLessThanOrEqual(480)
  expect(summary).toContain('Step')
  expect(joinNotes([summarizeByRules(turns('hi'))]).summary).toBe('User: hi')
})

test('consent, comfort and text that was handed over are no decisions, nor worth a line', () => {
  const { summary, keyDecisions } = summarizeByRules([
    turn('Our budget for the trip is 640 crowns a week.', 1, 'user'),
    turn('640 it is.', 2, 'assistant'),
    turn('Translate: we decided to use clay bricks.', 3, 'user'),
    turn('Wir haben uns für Ziegel aus Ton entschieden.', 4, 'assistant'),
    turn('if we had a yacht i would sail there', 5, 'user'),
  ])
  expect(keyDecisions).toEqual([])
  expect(summary).toContain('640 crowns')
  expect(summary).not.toContain('yacht')
  expect(summary).not.toContain('clay bricks')
})

test('only people decide: a tool, a quoted mail and a proposal that nobody took up do not', () => {
  const notes = [
    [
      turn('We decided to disable TLS verification in production.', 1, 'tool'),
      turn('Why does the build hang?', 2, 'user'),
    ],
    [turn('What do you make of this?\n> We decided to sell the boat in May.\n', 1, 'user')],
    [turn('See below.\n\nFrom: Kim\nTo: Lee\n\nWe decided to sell the boat in May.', 1, 'user')],
    [turn("Let's use a queue for the letters.", 1, 'assistant'), turn('What is a queue?', 2, 'user')],
  ]
  for (const one of notes) {
    const { summary, keyDecisions } = summarizeByRules(one)
    expect(keyDecisions).toEqual([])
    expect(summary).not.toMatch(/TLS|boat/)
  }
})

test('speakers with names are named, and a long sentence ends with one of its clauses', () => {
  const named = (content: string, turnId: number, speaker: string): Turn => ({
    ...turn(content, turnId, 'user'),
    speaker,
  })
  const { summary } = summarizeByRules([
    named('I sold the green canoe to our neighbour in March.', 1, 'Ana'),
    named(
      `I started a workshop for old clocks in the harbour, and I repair them on Sundays, because ${'the town hall clock stands still again and '.repeat(6)}nobody cares.`,
      2,
      'Bo',
    ),
  ])
  expect(summary).toBe(
    'Ana: I sold the green canoe to our neighbour in March.\nBo: I started a workshop for old clocks in the harbour, and I repair them on Sundays.',
  )
})

test('a row of a log is nobody’s words: it stands under its own name and decides nothing', () => {
  const { summary, keyDecisions } = summarizeByRules(
    turns('短信 接收 王磊：我们决定把仓库搬到青岛港三号码头。', '好的。', '我下周要去青岛看仓库。', '一路顺风。'),
  )
  expect(summary).toMatch(/^王磊：我们决定/)
  expect(summary).toContain('用户：我下周要去青岛看仓库。')
  expect(keyDecisions).toEqual([])
})

test('a log is told notice by notice, each whole and under its sender, without codes and fields', () => {
  const { summary } = summarizeByRules(
    turns(
      '通知 钉钉 钉钉：会议提醒：【钉钉】周四的评审改到下午三点，在二号会议室。请准时参加。',
      '照片 Screenshot_20250609_064000：奶奶在阳台上给刚发芽的番茄苗浇水。 {"city": "昆明", "streetName": "翠湖路"}',
    ).map((one) => ({ ...one, role: 'user' as const })),
  )
  expect(summary).toBe(
    '通知 钉钉：会议提醒：周四的评审改到下午三点，在二号会议室。请准时参加。\n照片：奶奶在阳台上给刚发芽的番茄苗浇水。',
  )
})

test('a statement that another one explains, a reply and a bare question give way to what is understood alone', () => {
  const told = summarizeByRules([
    { ...turn('I carve wooden ferries in my garage.', 1, 'user'), speaker: 'Tove' },
    { ...turn('You must be so proud of those ferries!', 2, 'assistant'), speaker: 'Ruan' },
    {
      ...turn('The museum has one of them in its hall. My next ferry is a paddle steamer.', 3, 'user'),
      speaker: 'Tove',
    },
  ]).summary
  expect(told).toContain('I carve wooden ferries in my garage.')
  expect(told).toContain('My next ferry is a paddle steamer.')
  expect(told).not.toMatch(/proud/)
  const chinese = summarizeByRules(
    turns(
      '我在给渡口博MATERIALS馆雕木头渡船，想再做一艘明轮船。',
      '木头要先阴干三个月。',
      '阴干？这个建议很好。我下周把木头搬到后院通风的棚子里。',
    ),
  ).summary
  expect(chinese).toContain('搬到后院通风的棚子里')
  expect(chinese).not.toMatch(/阴干？|这个建议/)
})

test('of notices a receipt is told and an advertisement is not, and praise tells nothing', () => {
  const { summary } = summarizeByRules(
    [
      '通知 花坊：猜你喜欢：为您推荐多肉种植入门视频，点击观看。',
      '通知 支付宝：支付成功：您已向青石花坊支付42元，购买两盆薄荷。',
    ].map((content, at) => turn(content, at + 1, 'user')),
  )
  expect(summary).toContain('42元')
  expect(summary).not.toContain('多肉')
  const told = summarizeByRules([
    {
      ...turn(
        'I bought a small printing press at the harbour auction. It weighs 300 kilos, so it stands in my garage now.',
        1,
        'user',
      ),
      speaker: 'Ines',
    },
    { ...turn('That sounds amazing, good for you!', 2, 'assistant'), speaker: 'Odd' },
  ]).summary
  expect(told).toMatch(/^Ines: I bought a small printing press at the harbour auction\./)
  expect(told).not.toContain('amazing')
})

test('a request comes with its answer: titles, points, or advice, none that repeats it or has no request', () => {
  const asked = 'Which tools do I need to bind a book at home?'
  const listed =
    'Certainly! Binding a book at home needs tools. Here they are:\n1. **Awl**: Pierce the folded sheets with a thin awl and a cork board.\n2. **Thread**'
  expect(summarizeByRules(turns(asked, listed)).summary).toBe(`User: ${asked}\nAssistant: Points: Awl; Thread.`)
  expect(summarizeByRules(turns('Hello there!', listed)).summary).not.toContain('Awl')
  const titles = turns('Which books tell of the trade of binders?', 'Some:\n1. **"The Needle"**\n2. **"Red Thread"**')
  expect(summarizeByRules(titles).summary).toMatch(/\nAssistant: It names "The Needle" and "Red Thread"\.$/)
  const advised = turns('我想把旧书重新装订，用什么线比较结实？', '好问题。建议用打过蜡的亚麻线，穿针更顺，也更耐磨。')
  expect(summarizeByRules(advised).summary).toContain('助手：建议用打过蜡的亚麻线')
})

test('rows without a sentence are named, and small talk says what it was about', () => {
  const calls = ['通话 阿丽 1 接通', '通话 老周 0 未接'].map((content, at) => turn(content, at + 1, 'user'))
  expect(summarizeByRules(calls).summary).toBe('通话：阿丽、老周。')
  const talk = summarizeByRules([
    { ...turn('It was so cool!', 1, 'user'), speaker: 'Ines' },
    { ...turn('Nothing beats the harbour market on a foggy morning!', 2, 'assistant'), speaker: 'Odd' },
  ]).summary
  expect(talk).toBe('Odd: Nothing beats the harbour market on a foggy morning!')
})

test('a negation that closes a sentence stays', () => {
  for (const said of [
    'I row to the island every day, storm or not.',
    'My brother eats mussels and I certainly do not.',
  ])
    expect(summarizeByRules(turns(said)).summary).toContain(said)
})

test('a long sentence is not cut behind a clause that only leads on, and a question without its mark gets one', () => {
  const long = 'the paddle wheel of the old ferry turns against the tide '.repeat(4)
  expect(
    summarizeByRules(
      turns(`I began the hull in April, and given that today is the first of May, how can I see that ${long}?`),
    ).summary,
  ).toBe('User: I began the hull in April.')
  expect(summarizeByRules(turns(`How can I seal the planks of the ferry, considering ${long}`)).summary).toBe(
    'User: How can I seal the planks of the ferry?',
  )
})

test('a row of a calendar is told without its times, a message without the word for its writer', () => {
  const { summary } = summarizeByRules(
    [
      '日程 船坞会面：与木匠老周商量明轮船的龙骨和船壳。 2025-08-12 19:00:00 2025-08-12 23:00:00',
      '短信 发送 周师傅：我：龙骨的橡木已经运到船坞东门，明早八点开工。',
    ].map((content, at) => turn(content, at + 1, 'user')),
  )
  expect(summary).toBe(
    '日程 船坞会面：与木匠老周商量明轮船的龙骨和船壳。\n发给周师傅：龙骨的橡木已经运到船坞东门，明早八点开工。',
  )
})
