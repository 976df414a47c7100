/** 003, storage: what 1,000 turns and one entry of the symbol index take, with everything that is made of them. */
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { turnText } from '../../bench/speed/synthetic.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { seeded } from '../support/random.ts'

const HAN = '今天下午我们在茶馆谈了装修厨房的事情师傅说下周三开始量尺寸'

async function filled(turnCount: number, thinking: boolean, say: (at: number) => string): Promise<string> {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', thinking })
  for (let at = 0; at < turnCount; at += 50) {
    const turns = Array.from({ length: 50 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: say(at + index),
    }))
    await memory.conversations.store({ conversationId: `chat-${at}`, turns })
  }
  await memory.idle()
  await memory.close()
  return path
}

const FRAGMENTS = [
  ...[
    '上周三我爸在苏州河边跑了八公里',
    '我女儿报了周末的陶艺课',
    '我把旧沙发卖给了收废品的',
    '房东要涨五百块房租',
    '我在仁济医院做了胃镜',
  ],
  ...[
    '红烧肉怎么做才不腻',
    '阳台上种番茄要注意什么',
    '第一次坐飞机要准备哪些东西',
    '年终总结该从哪里写起',
    '羊毛大衣可以机洗吗',
  ],
  ...[
    '先把材料按用量分好再动手',
    '火候是关键，宁可慢一点',
    '遇到拿不准的地方就拍张照片',
    '价格高的不一定合适',
    '天气潮湿的时候多留一倍时间',
  ],
]

test.each([
  ['English', (random: () => number) => `${turnText(random)} ${turnText(random)}`],
  [
    'Chinese',
    (random: () => number) => Array.from({ length: 14 }, () => FRAGMENTS[Math.floor(random() * 15)]).join('，'),
  ],
])(
  'in %s turns of 150 characters are below 2 MB a thousand, and an entry of the symbol index below 100 bytes',
  async (_, say) => {
    const random = seeded(3)
    const path = await filled(200, true, (at) => `handleOrder${at}() failed: ${say(random)}`.slice(0, 150))
    const empty = statSync(await filled(0, true, String)).size
    expect(empty + 5 * (statSync(path).size - empty)).toBeLessThan(2 * 1024 * 1024)
    const database = new DatabaseSync(path, { readOnly: true })
    const entries = Number(database.prepare('SELECT count(*) AS n FROM symbol_index').get()?.n)
    const bytes = Number(
      database.prepare('SELECT sum(octet_length(symbols) + octet_length(symbol_relevance)) AS n FROM turns').get()?.n,
    )
    database.close()
    expect(entries).toBeGreaterThan(190)
    expect(bytes / entries).toBeLessThan(100)
  },
)

test('a turn of 600 characters is below 1 KB, and a thousand with summaries, symbols and all indexes below 2 MB', async () => {
  const random = seeded(5)
  const long = (at: number) => `parseRow${at}() failed: ${Array.from({ length: 10 }, () => turnText(random)).join(' ')}`
  const path = await filled(200, false, (at) => long(at).slice(0, 600))
  const empty = statSync(await filled(0, false, String)).size
  expect(empty + 5 * (statSync(path).size - empty)).toBeLessThan(2 * 1024 * 1024)
  const database = new DatabaseSync(path, { readOnly: true })
  const { characters, bytes } = database
    .prepare(
      `SELECT (SELECT min(length(content)) FROM turns) AS characters, sum(pgsize) AS bytes FROM dbstat WHERE name = 'turns'`,
    )
    .get() as { characters: number; bytes: number }
  database.close()
  expect(characters).toBe(600)
  expect(bytes / 200).toBeLessThan(1024)
})

test('a thousand turns of 600 characters about code are below 2 MB, where each names eight symbols that no turn named before', async () => {
  const random = seeded(7)
  const named = (at: number) => Array.from({ length: 8 }, (_, n) => `loadParcel${at}Part${n}() waits`).join(', ')
  const long = (at: number) => `${named(at)}: ${Array.from({ length: 4 }, () => turnText(random)).join(' ')}`
  const path = await filled(200, false, (at) => long(at).slice(0, 600))
  const empty = statSync(await filled(0, false, String)).size
  expect(empty + 5 * (statSync(path).size - empty)).toBeLessThan(2 * 1024 * 1024)
  const database = new DatabaseSync(path, { readOnly: true })
  expect(Number(database.prepare('SELECT count(*) AS n FROM symbol_index').get()?.n)).toBeGreaterThanOrEqual(1600)
  database.close()
})

test('turns of which the table of meanings knows no word keep no codes', async () => {
  const path = await filled(1000, false, (at) => `${HAN}${at}号，${HAN.slice(at % 20)}`)
  const database = new DatabaseSync(path, { readOnly: true })
  const codes = database.prepare('SELECT count(*) AS n, sum(length(codes)) AS bytes FROM turn_meanings').get()
  database.close()
  expect(codes).toEqual({ n: 7, bytes: 7 })
})
