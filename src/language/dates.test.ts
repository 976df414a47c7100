import { expect, test } from 'vitest'
import { findDates, mayMentionDate, speaksOfRecent } from './dates.ts'

/** A Saturday. */
const NOW = Date.parse('2026-01-17T10:30:00Z')
const day = (time: number) => new Date(time).toISOString().slice(0, 10)
const spans = async (text: string) => (await findDates(text, NOW)).map(({ from, to }) => `${day(from)} ${day(to)}`)

test.each([
  ['What did we do yesterday?', '2026-01-16 2026-01-16'],
  ['we saw it the day before yesterday', '2026-01-15 2026-01-15'],
  ['last week she moved', '2026-01-05 2026-01-11'],
  ['the bug from last month', '2025-12-01 2025-12-31'],
  ['two weeks ago', '2025-12-29 2026-01-04'],
  ['3 days ago', '2026-01-14 2026-01-14'],
  ['in 3 days', '2026-01-20 2026-01-20'],
  ['on 7 May 2023', '2023-05-07 2023-05-07'],
  ['May 7th, 2023', '2023-05-07 2023-05-07'],
  ['the third of June', '2025-06-03 2025-06-03'],
  ['2023-05-07', '2023-05-07 2023-05-07'],
  ['at 2024-03-05T23:30:00-05:00', '2024-03-06 2024-03-06'],
  ['10.05.2023', '2023-05-10 2023-05-10'],
  ['01/02/2024', '2024-01-02 2024-01-02'],
  ['What happened in May?', '2025-05-01 2025-05-31'],
  ['in june we met', '2025-06-01 2025-06-30'],
  ['back in 2022', '2022-01-01 2022-12-31'],
  ['last Friday', '2026-01-16 2026-01-16'],
  ['on Sunday', '2026-01-11 2026-01-11'],
  ['next Friday', '2026-01-23 2026-01-23'],
  ['last summer', '2025-06-01 2025-08-31'],
  ['between May and July', '2025-05-01 2025-07-31'],
  ['from 2023-05-01 to 2023-05-07', '2023-05-01 2023-05-07'],
  ['since last week', '2026-01-05 2026-01-17'],
  ['the last 3 days', '2026-01-14 2026-01-17'],
  ['February 29 2024', '2024-02-29 2024-02-29'],
])('English: %s', async (text, expected) => {
  expect(await spans(text)).toEqual([expected])
})

test.each([
  ['昨天', '2026-01-16 2026-01-16'],
  ['前天讨论了什么', '2026-01-15 2026-01-15'],
  ['大前天', '2026-01-14 2026-01-14'],
  ['今天下午开会', '2026-01-17 2026-01-17'],
  ['上周的方案', '2026-01-05 2026-01-11'],
  ['上上个星期', '2025-12-29 2026-01-04'],
  ['上周三', '2026-01-07 2026-01-07'],
  ['这周五', '2026-01-16 2026-01-16'],
  ['上周末', '2026-01-10 2026-01-11'],
  ['上个月', '2025-12-01 2025-12-31'],
  ['去年', '2025-01-01 2025-12-31'],
  ['去年五月', '2025-05-01 2025-05-31'],
  ['两周前', '2025-12-29 2026-01-04'],
  ['三天之前', '2026-01-14 2026-01-14'],
  ['十二个月前', '2025-01-01 2025-01-31'],
  ['5月7日', '2025-05-07 2025-05-07'],
  ['十月一号', '2025-10-01 2025-10-01'],
  ['2023年5月', '2023-05-01 2023-05-31'],
  ['2023年5月7日', '2023-05-07 2023-05-07'],
  ['二〇二三年', '2023-01-01 2023-12-31'],
  ['二十三号', '2025-12-23 2025-12-23'],
  ['最近三天', '2026-01-14 2026-01-17'],
  ['过去48小时', '2026-01-15 2026-01-17'],
  ['近二十四个小时内', '2026-01-16 2026-01-17'],
  ['the past 48 hours', '2026-01-15 2026-01-17'],
  ['从5月到7月', '2025-05-01 2025-07-31'],
  ['三天后', '2026-01-20 2026-01-20'],
])('Chinese: %s', async (text, expected) => {
  expect(await spans(text)).toEqual([expected])
})

test.each([
  'You may want to march on',
  'May I ask something?',
  'June said hello to April',
  '2023-02-31 and 2023/13/45',
  'version 3.11.2, at 12:30, 24/7',
  'I sat in the sun',
  '第3号楼的月亮',
  '每天跑3公里',
  '房租两千六一个月',
  '肉卖十八块五一斤',
  'processPayment 报错',
])('no date in: %s', async (text) => {
  expect(await spans(text)).toEqual([])
})

/** A Wednesday. */
const MIDWEEK = Date.parse('2026-05-13T10:30:00Z')
const midweekSpans = async (text: string) =>
  (await findDates(text, MIDWEEK)).map(({ from, to }) => `${day(from)} ${day(to)}`)

test.each([
  ['Which risks did Q1 2025 show?', '2025-01-01 2025-03-31'],
  ['the budget of last quarter', '2026-01-01 2026-03-31'],
  ['the third quarter of last year', '2025-07-01 2025-09-30'],
  ['上季度的复盘', '2026-01-01 2026-03-31'],
  ['今年 Q2 的目标', '2026-04-01 2026-06-30'],
  ['去年第四季度', '2025-10-01 2025-12-31'],
  ['三季度', '2025-07-01 2025-09-30'],
  ['下半年', '2025-07-01 2025-12-31'],
  ['the first half of 2024', '2024-01-01 2024-06-30'],
  ['去年年底搬的家', '2025-10-01 2025-12-31'],
  ['今年年初', '2026-01-01 2026-03-31'],
  ['年底前要交付', '1970-01-01 2026-09-30'],
  ['上月底', '2026-04-21 2026-04-30'],
  ['4月中旬', '2026-04-11 2026-04-20'],
  ['early in May', '2026-05-01 2026-05-10'],
  ['mid-March', '2026-03-11 2026-03-20'],
  ['by the end of the year', '2026-10-01 2026-12-31'],
  ['in the 1980s', '1980-01-01 1989-12-31'],
  ['2026-W01', '2025-12-29 2026-01-04'],
])('parts of a month or a year: %s', async (text, expected) => {
  expect(await midweekSpans(text)).toEqual([expected])
})

test.each([
  ['half a year ago', '2025-11-01 2025-11-30'],
  ['半年前', '2025-11-01 2025-11-30'],
  ['一年半前', '2024-11-01 2024-11-30'],
  ['a couple of weeks ago', '2026-04-27 2026-05-03'],
  ['twenty-one days ago', '2026-04-22 2026-04-22'],
  ['两三天前', '2026-05-10 2026-05-11'],
  ['十几天前', '2026-04-24 2026-05-02'],
  ['一百天前', '2026-02-02 2026-02-02'],
  ['eleven hours ago', '2026-05-12 2026-05-12'],
  ['Friday of last week', '2026-05-08 2026-05-08'],
  ['the night before last', '2026-05-11 2026-05-11'],
  ['this past weekend', '2026-05-09 2026-05-10'],
  ['on the 9th we met', '2026-05-09 2026-05-09'],
  ['March 5 last year', '2025-03-05 2025-03-05'],
])('a distance from now: %s', async (text, expected) => {
  expect(await midweekSpans(text)).toEqual([expected])
})

test.each([
  ['between 3 and 5 March', '2026-03-03 2026-03-05'],
  ['April 28–30, 2024', '2024-04-28 2024-04-30'],
  ['from June 20 to July 2, 2023', '2023-06-20 2023-07-02'],
  ['Oct to Dec 2024', '2024-10-01 2024-12-31'],
  ['from 2019 to 2021', '2019-01-01 2021-12-31'],
  ['3月3日到5日', '2026-03-03 2026-03-05'],
  ['去年11月到今年2月', '2025-11-01 2026-02-28'],
  ['2024年11月到2月', '2024-11-01 2025-02-28'],
  ['今年1到3月', '2026-01-01 2026-03-31'],
  ['周四到周二', '2026-05-07 2026-05-12'],
])('a range with shared words: %s', async (text, expected) => {
  expect(await midweekSpans(text)).toEqual([expected])
})

test.each([
  ['2026 年 5 月 7 日', '2026-05-07 2026-05-07'],
  ['２０２５年１２月１日', '2025-12-01 2025-12-01'],
  ['5 月 7 号', '2026-05-07 2026-05-07'],
  ['25年11月', '2025-11-01 2025-11-30'],
  ['国庆假期', '2025-10-01 2025-10-07'],
  ['五一那天', '2026-05-01 2026-05-01'],
  ['last Christmas', '2025-12-25 2025-12-25'],
])('spellings and holidays: %s', async (text, expected) => {
  expect(await midweekSpans(text)).toEqual([expected])
})

test.each([
  'You may first read it, this may break, march 3 miles',
  'a buffer of 2048 bytes, from 2000 to 3000 rows',
  '一周三次，每周五，两周五天',
  '三天前端培训，两年后端经验',
  'Q1: what is a closure?',
  'a quarter of the team, the last quarter of the game',
  '提前3天，今日头条，以上年龄',
  '李国庆爬圣诞树',
  'Merry Christmas from under the Christmas tree',
  '五月天的歌，目前年轻人，周期和周围',
  'this sat well in the sun, every Monday',
  'ready in 5 minutes on port 2024',
])('midweek, no date in: %s', async (text) => {
  expect(await midweekSpans(text)).toEqual([])
})

test('several dates come in the order of the text, with their words and grain', async () => {
  const found = await findDates('上周 we planned it, yesterday we did it', NOW)
  expect(found.map(({ text, grain }) => [text, grain])).toEqual([
    ['上周', 'week'],
    ['yesterday', 'day'],
  ])
})

test('a range ends in the last millisecond of its last day', async () => {
  const [found] = await findDates('yesterday', NOW)
  expect(new Date(found!.to).toISOString()).toBe('2026-01-16T23:59:59.999Z')
})

test('a last weekday named today is the one a week ago', async () => {
  expect(await spans('last Saturday')).toEqual(['2026-01-10 2026-01-10'])
})

test('the year turns where the month says so', async () => {
  const inMarch = Date.parse('2026-03-01T00:00:00Z')
  expect((await findDates('last month', inMarch)).map(({ to }) => day(to))).toEqual(['2026-02-28'])
  expect((await findDates('上个月', Date.parse('2024-03-31T23:00:00Z'))).map(({ to }) => day(to))).toEqual([
    '2024-02-29',
  ])
})

test('the cheap hint never misses what the full search finds', async () => {
  for (const text of [
    '上周',
    'yesterday',
    'in May',
    '2023-05-07',
    '10.05.2023',
    '三天前',
    '二十三号',
    'a fortnight ago',
    '去年夏天',
  ]) {
    expect((await findDates(text, NOW)).length).toBeGreaterThan(0)
    expect(mayMentionDate(text)).toBe(true)
  }
  expect(mayMentionDate('the OrderService has a bug')).toBe(false)
})

test('an endless text is bounded', async () => {
  expect((await findDates('昨天 yesterday '.repeat(50_000), NOW)).length).toBeLessThanOrEqual(50)
  expect(await findDates('1'.repeat(1_000_000), NOW)).toEqual([])
})

test.each([
  'continue',
  'where were we?',
  'what did I say just now',
  'the latest plan',
  '继续',
  '刚才说到哪了',
  '上次的讨论',
  '最近的进展',
])('wants the newest turns: %s', (text) => {
  expect(speaksOfRecent(text)).toBe(true)
})

test.each(['What is my favourite tea?', 'processPayment 的问题', 'Who painted the sunrise?'])(
  'wants no newest turns: %s',
  (text) => {
    expect(speaksOfRecent(text)).toBe(false)
  },
)

test.each([
  ['What did I do on December 3?', '2025-12-03'],
  ['My appointment is on December 3.', '2026-12-03'],
  ['My birthday is December 3.', '2026-12-03'],
  ['My birthday is June 7.', '2026-06-07'],
  ['She will visit us on June 7.', '2027-06-07'],
  ['What are we doing on Friday?', '2026-11-27'],
  ['Where were we on Friday?', '2026-11-20'],
  ['十二月三号要交房租', '2026-12-03'],
  ['十二月三号交了房租', '2025-12-03'],
  ['周五要开会', '2026-11-27'],
  ['在2月10日健康检查前，是谁提醒了她？', '2026-02-10'],
  ['12月有哪些事？', '2026-12-01'],
  ['What are our plans for New Year’s Eve?', '2026-12-31'],
  ['I will be 30 on February 29.', '2024-02-29'],
])('without a year or a week, as its tense says: %s', async (text, day) => {
  const [found] = await findDates(text, Date.UTC(2026, 10, 23, 12))
  expect(new Date(found!.from).toISOString().slice(0, 10)).toBe(day)
})

test.each([
  // No tense of the past: it lies ahead.
  ['The course begins on 14 January.', '2027-01-14'],
  ['My physio session is on September 9.', '2027-09-09'],
  ['They postponed the surgery to April 6.', '2027-04-06'],
  ['I signed the lease, and the rent goes up on 1 March.', '2027-03-01'],
  ['机票买好了，2月2号飞昆明', '2027-02-02'],
  ['答辩改到了1月15号', '2027-01-15'],
  // What is finished is the arranging.
  ['新房子定了，12月5号搬', '2026-12-05'],
  ['拆单的 deadline 谈到12月10号了', '2026-12-10'],
  ['爸妈12月来上海的机票订好了', '2026-12-01'],
  ["I've signed up for the Leeds 10k in May", '2027-05-01'],
  ['They offered me 2 December and I took it', '2026-12-02'],
  ['I accepted an invitation to a conference on 14 December', '2026-12-14'],
  ['The dentist has me down for 21 December 3pm', '2026-12-21'],
  ['我1月中旬要去广州', '2027-01-11'],
  // Days against a year: "wondering" is not the verb of the date.
  ["I updated my will on November 5, I'm wondering if it holds", '2026-11-05'],
  // The past, as its verb says.
  ['I cut my hand on June 3.', '2026-06-03'],
  ['In April, we adopted Momo.', '2026-04-01'],
  ['我们5月8号上线的', '2026-05-08'],
  ['We married on 5 December.', '2025-12-05'],
  ['我们12月5号领了证', '2025-12-05'],
  ['We closed the shop on 31 December last year.', '2025-12-31'],
])('told without a year: %s', async (text, expected) => {
  expect((await findDates(text, Date.UTC(2026, 10, 23, 12), true)).map(({ from }) => day(from))).toEqual([expected])
})

test.each([
  '我们周二下午打网球',
  'The choir practises on Friday.',
  '诊所在建设街18号',
  'My allotment is at 7 March Road.',
])('a told habit or the number of a house is no date: %s', async (text) => {
  expect(await findDates(text, NOW, true)).toEqual([])
})

test.each([
  ['the dentist is on Saturday 24 January', '2026-01-24'],
  ['I booked the dentist for Thursday, January 22, at 8', '2026-01-22'],
  ['the recital is on thursday 5 mar', '2026-03-05'],
  ['we met on Wednesday 22 January', '2025-01-22'],
  ['we agreed on 22 January (Thursday) for the review', '2026-01-22'],
  ['体检定在1月24号（周六）', '2026-01-24'],
  ['我约了周六（1月24号）体检', '2026-01-24'],
])('a weekday beside a date adds no day of its own: %s', async (text, expected) => {
  expect((await findDates(text, NOW, true)).map(({ from }) => day(from))).toEqual([expected])
})

test('a weekday that is not beside the date is a day of its own', async () => {
  const found = await findDates('on Thursday I work, 22 January to Saturday, and 周四到1月24号', NOW, true)
  expect(found.length).toBeGreaterThan(1)
})

test.each([
  ['the review was moved from 20 January to 22 January', '2026-01-22'],
  ['we pushed the launch from Monday 19 January to Friday 23 January', '2026-01-23'],
  ['体检从1月20号挪到1月22号', '2026-01-22'],
])('of a day moved from and a day moved to, only the second holds: %s', async (text, expected) => {
  const found = await findDates(text, NOW, true)
  expect(found.map(({ from, to }) => `${day(from)} ${day(to)}`)).toEqual([`${expected} ${expected}`])
})
