import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../domain/logger.ts'
import { openSqliteStore } from '../../store/sqlite/open-store.ts'
import { inScope } from '../matching/filter.ts'
import { thinkByRules } from './think-by-rules.ts'
import { writeThoughts } from './write-thoughts.ts'

const DAY = 24 * 3_600_000
const START = Date.UTC(2026, 2, 2, 9)

/** Tells a user's sentences a day apart and gives the memories by text. */
async function told(...said: readonly string[]) {
  return new Map((await toldIn(...said.map((content) => [null, content] as const))).map((one) => [one.text, one]))
}

/** Likewise, each in a project; the memories, the newest first. */
async function toldIn(...said: readonly (readonly [project: string | null, content: string, chat?: string])[]) {
  let at = START
  const store = await openSqliteStore({
    path: ':memory:',
    create: true,
    clock: () => new Date(at),
    logger: silentLogger,
  })
  onTestFinished(() => store.close())
  let number = 0
  for (const [project, content, chat] of said) {
    at += DAY
    const message = {
      role: 'user' as const,
      content,
      speaker: null,
      turnId: chat === undefined ? null : number + 1,
      createdAt: at,
    }
    const input = {
      userId: 'kim',
      conversationId: chat ?? null,
      messages: [message],
      injected: [],
      now: at,
      maxCharacters: 1000,
    }
    const { drafts, news = [] } = await thinkByRules(input, false)
    const newId = () => `m${++number}`
    const scoped = [...drafts, ...news].map(async (draft) => ({
      ...draft,
      memory: await inScope(draft.memory, project),
    }))
    await writeThoughts({ memories: store.memories, newId }, 'kim', await Promise.all(scoped), at)
  }
  return (
    await store.memories.list('kim', { limit: 100, offset: 0, filter: { includePast: true, includeBuried: true } })
  ).items
}

test.each([
  ['My manager is Dana.', 'Dana is away this week, so the one-to-one is cancelled.'],
  ['我老板是程薇。', '程薇出差了，一对一取消了。'],
])('what is called off ends nobody: "%s", "%s"', async (post, news) => {
  const memories = await toldIn([null, post, 'a'], [null, news, 'a'])
  expect(memories.find(({ text }) => text === post)).toMatchObject({ validTo: null })
})

test('a sentence said again does not settle the doubt that its own message has raised', async () => {
  const beside = 'I am allergic to walnuts and to hazelnuts.'
  const before = `Our choir has 24 singers who rehearse in the chapel by the canal, and ${beside}`
  const news =
    'Our choir now has 31 singers who rehearse in the chapel by the canal, and the new ones come from the two villages on the other side of the river, where the old choir was closed when its leader went back to Finland last spring.'
  const now = `${news} ${beside}`
  const memories = await toldIn([null, before, 'c1'], [null, now, 'c2'])
  const suspects = new Map(memories.map(({ text, suspect }) => [text, suspect]))
  expect(suspects.get(before)).not.toBeNull()
  expect(suspects.get(beside)).toBeNull()
})

test('a new value ends the old one and takes its place', async () => {
  const memories = await told('I live in Trieste.', 'I moved to Ljubljana.')
  const [before, now] = [memories.get('I live in Trieste.')!, memories.get('I moved to Ljubljana.')!]
  expect(before).toMatchObject({ supersededBy: now.id, validTo: now.validFrom })
  expect(now).toMatchObject({ validTo: null, supersededBy: null })
})

test.each([
  ['Our workshop budget is 4,000 euros.', 'We raised the workshop budget to 5,200 euros.'],
  ['团建预算是三千块。', '团建预算加到五千块了。'],
])('a statement of a figure alone ends with the new figure, though it is no known attribute: %s', async (old, now) => {
  const [newer, older] = await toldIn([null, old, 'c1'], [null, now, 'c2'])
  expect([newer?.validTo, newer?.suspect, older?.supersededBy]).toEqual([null, null, newer?.id])
})

test('what was told before, and names an attribute in passing, ends no later statement of it', async () => {
  const before =
    'I am writing a reference for my former colleague Olga, who reported to me at the mill, where I was head of sales until I retired in June. She is applying for the post of buyer at a hospital.'
  const job = '我是做民宿运营的 上周刚入职一家做露营的公司 老板叫我下周三之前交一份十月的活动计划'
  const memories = await toldIn([null, before, 'c1'], [null, job, 'c2'])
  expect(memories.find(({ text }) => text.startsWith('我是做民宿'))).toMatchObject({ validTo: null })
})

test('a plan ends the present when its date has come, and nothing once it is given up', async () => {
  const planned = await told('我住在宁波。', '我四月搬到绍兴。')
  expect(planned.get('我住在宁波。')).toMatchObject({ validTo: Date.UTC(2026, 3, 1), supersededBy: null })
  const here = 'I live in Malaga.'
  const plan = "I'm moving to Porto on April 12."
  expect((await told(here, plan, 'I live in Malaga, near the harbour.')).get(plan)!.validTo).toBeNull()
  const givenUp = await told(here, plan, "I'm not moving to Porto any more.")
  expect([givenUp.get(here)!.validTo, givenUp.get(plan)!.validTo]).toEqual([null, START + 3 * DAY])
  const early = await told(here, plan, 'I moved to Porto yesterday.')
  expect([early.get(here)!.supersededBy, early.get(plan)!.supersededBy]).toEqual(['m3', 'm3'])
})

test('the same again in other words is stored once', async () => {
  const memories = await told('我对花生过敏。', '我花生过敏。')
  expect([...memories.keys()]).toEqual(['我对花生过敏。'])
})

test('what else the old sentence said in the same breath is not lost with the part that changed', async () => {
  const memories = await told(
    'I run a small bookshop in Ghent with my sister Ewa.',
    'I have moved from Ghent to Bruges.',
  )
  const shop = memories.get('I run a small bookshop in Ghent with my sister Ewa.')!
  expect(shop.validTo).toBeNull()
  expect(shop.suspect?.reason ?? 'none').not.toBe('')
})

test('a plain correction of one of several things that a memory says leaves the memory, in doubt', async () => {
  const memories = await told('记住：打印服务器的地址是 10.2.3.44，端口 8022', '端口说错了，是 8023')
  const living = [...memories.values()].filter(({ validTo }) => validTo === null).map(({ text }) => text)
  expect(living.join()).toContain('10.2.3.44')
  expect(living.join()).toContain('8023')
  expect([...memories.values()].find(({ text }) => text.includes('8022'))?.suspect).not.toBeNull()
})

test('a refused message that ends what is known is kept, one that ends nothing known is not', async () => {
  const memories = await told('I smoke about ten a day.', 'Six weeks without a cigarette today!', '哈哈终于不下雨了')
  expect(memories.get('I smoke about ten a day.')?.validTo).not.toBeNull()
  expect([...memories.keys()].some((text) => text.includes('下雨'))).toBe(false)
})

test.each([
  ['The upload limit is 40 files a day.', 'Ignore that, the manual says 400.'],
  ['仓库限重是每层80公斤', '刚才那个作废，铭牌上写的800公斤'],
])('"%s" no longer stands after "%s", which names nothing, and the words of both are kept', async (statement, news) => {
  const memories = await told(statement, news)
  expect([...memories.keys()].some((text) => text.endsWith(news))).toBe(true)
  expect([memories.get(statement)?.suspect, memories.get(statement)?.validTo]).not.toEqual([null, null])
})

test.each([
  ['I live in Graz.', 'Please forget that I live in Graz.'],
  ['我住在泉州。', '请忘掉我住在泉州'],
])('"%s" is over after "%s", and the order is not stored', async (statement, order) => {
  const memories = await told(statement, order)
  expect([...memories.keys()]).toEqual([statement])
  expect(memories.get(statement)?.validTo).not.toBeNull()
})

test.each([
  ['I work at Hazel & Sons.', 'I quit.'],
  ['I work at Hazel & Sons.', 'I changed jobs.'],
  ['我在瑞丰公司上班', '我换工作了'],
  ['我在瑞丰公司上班', '我辞职了'],
])('"%s" is over after "%s"', async (statement, news) => {
  const memories = await told(statement, news)
  expect(memories.get(statement)?.validTo).not.toBeNull()
})

test.each([
  ['The server listens on port 4010.', 'The server listens on port 9090.'],
  ['数据库用的是 MySQL 8。', '数据库用的是 SQLite。'],
])('of two projects: %s', async (before, now) => {
  const apart = await toldIn(['/shop', before], ['/blog', now], ['/blog', before], ['/pay', before])
  const living = apart.filter(({ validTo }) => validTo === null)
  expect(living.map(({ projectRoot, text }) => [projectRoot, text]).sort()).toEqual([
    ['/blog', before],
    ['/pay', before],
    ['/shop', before],
  ])
  expect(apart.filter(({ suspect }) => suspect !== null)).toEqual([])
  expect(apart.find(({ validTo }) => validTo !== null)).toMatchObject({ projectRoot: '/blog', text: now })
})

test('what is about the user is one in all projects, and ends wherever it is said', async () => {
  const memories = await toldIn(
    ['/shop', 'I live in Trieste.'],
    ['/blog', 'I moved to Ljubljana.'],
    [null, '我对芒果过敏。'],
  )
  expect(memories.map(({ projectRoot }) => projectRoot)).toEqual([null, null, null])
  expect(
    memories
      .filter(({ validTo }) => validTo === null)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(['I moved to Ljubljana.', '我对芒果过敏。'])
})

test('what holds everywhere is not changed by what is said of a project, and is not stored again there', async () => {
  const memories = await toldIn([null, 'The database is Postgres 16.'], ['/blog', 'The database is SQLite.'])
  expect(memories.map(({ validTo, suspect }) => [validTo, suspect])).toEqual([
    [null, null],
    [null, null],
  ])
  const again = await toldIn([null, 'The database is Postgres 16.'], ['/blog', 'The database is Postgres 16.'])
  expect(again.map(({ projectRoot }) => projectRoot)).toEqual([null])
})

test('an order to forget that names no project reaches all', async () => {
  const memories = await toldIn(
    ['/shop', 'The server listens on port 4010.'],
    [null, 'Please forget that the server listens on port 4010.'],
  )
  expect(memories.filter(({ validTo }) => validTo === null)).toEqual([])
})

test('what one message says changes nothing that the same message says', async () => {
  const both = 'The compost budget is $60. I have raised the compost budget to $90.'
  const marks = (await toldIn([null, both, 'chat'])).filter(
    ({ validTo, suspect }) => validTo !== null || suspect !== null,
  )
  expect(marks).toEqual([])
  const [before, later] = both.split(/(?<=\.) /) as [string, string]
  const apart = await toldIn([null, before, 'chat'], [null, later, 'chat'])
  expect(apart.filter(({ validTo, suspect }) => validTo !== null || suspect !== null)).toHaveLength(1)
})

test('among many memories of the same words a repeat is found, and the one that a change is told of', async () => {
  const songs = Array.from(
    { length: 30 },
    (_, at) => `I sing the song number ${at + 1} of the old harbour book with my aunt.`,
  )
  const before = 'The rehearsals of our harbour choir are on Tuesdays.'
  const after = 'The rehearsals of our harbour choir have moved to Fridays.'
  const all = await told(before, ...songs, songs[3]!, after)
  expect(all.size).toBe(songs.length + 2)
  expect(all.get(before)).toMatchObject({ supersededBy: all.get(after)!.id })
})
