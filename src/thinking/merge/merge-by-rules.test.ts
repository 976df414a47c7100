import { expect, test } from 'vitest'
import { memoryOf } from '../../../test/contracts/memory-store.ts'
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { clip } from './episode-metadata.ts'
import { joinStatements, withEndMark } from './join-statements.ts'
import {
  isSameEventByRules,
  MERGED_CHARACTERS,
  type MergeStamp,
  mayMerge,
  mergedMemory,
  mergeWordsByRules,
} from './merge-by-rules.ts'

/** The one new record, its words by rules; null when they would be too long. */
function mergeByRules(a: Memory, b: Memory, how: MergeStamp): Memory | null {
  const words = mergeWordsByRules(a, b)
  return words === null ? null : mergedMemory(a, b, words, how)
}

const START = Date.parse('2026-03-02T09:00:00Z')

function episode(text: string, changes: Partial<Memory> = {}): Memory {
  return memoryOf('one', text, {
    memoryType: 'episodic',
    conversationId: 'chat-a',
    who: 'user',
    occurredAt: START,
    createdAt: START,
    updatedAt: START,
    validFrom: START,
    sourceTurnIds: [1],
    metadata: { context: '', thing: '', time: new Date(START).toISOString(), chatid: 'chat-a', who: 'user' },
    ...changes,
  })
}

const at = (milliseconds: number): Partial<Memory> => ({
  id: 'two',
  occurredAt: START + milliseconds,
  createdAt: START + milliseconds,
})
const stamp = { id: 'merged', now: START + 10 * DAY_MS }

test('002 R9.1: two memories with the same chat_id may be merged if the time difference is within 30 minutes', () => {
  const first = episode('We picked a venue.')
  expect(mayMerge(first, episode('Venue picked.', at(30 * MINUTE_MS)))).toBe('yes')
  expect(mayMerge(first, episode('Venue picked.', at(30 * MINUTE_MS + 1)))).toBe('no')
})

test('002 R9.2: different chat_ids may be merged only if within 7 days AND the same event is confirmed', () => {
  const first = episode('We picked a venue.')
  const later = (ms: number): Memory => episode('Venue picked.', { ...at(ms), conversationId: 'chat-b' })
  expect(mayMerge(first, later(7 * DAY_MS))).toBe('same event')
  expect(mayMerge(first, later(7 * DAY_MS + 1))).toBe('no')
})

test('002 R9.3: when the who field differs the memories are never merged', () => {
  const first = episode('Broke a tooth.')
  for (const who of ['Ines', null]) expect(mayMerge(first, episode('Broke a tooth.', { ...at(0), who }))).toBe('no')
})

test('what was added by itself is not merged with what a chat told, so that deleting the chat leaves it', () => {
  const told = episode('Broke a tooth.')
  const added = (changes: Partial<Memory> = {}): Memory =>
    episode('Broke a tooth.', { ...at(0), conversationId: null, sourceTurnIds: [], ...changes })
  expect(mayMerge(told, added())).toBe('no')
  expect(mayMerge(added(), told)).toBe('no')
  expect(mayMerge(added(), added({ id: 'three' }))).not.toBe('no')
  expect(mayMerge(told, added({ conversationId: 'chat-b' }))).not.toBe('no')
})

test('what a caller keeps apart by an agent, an app or a run is not merged', () => {
  for (const name of ['agent_id', 'app_id', 'run_id']) {
    const of = (id?: string): Memory => episode('Broke a tooth.', { ...at(0), metadata: id ? { [name]: id } : null })
    expect(mayMerge(of('A'), of('B'))).toBe('no')
    expect(mayMerge(of('A'), of())).toBe('no')
    expect(mayMerge(of('A'), of('A'))).not.toBe('no')
  }
})

test('a memory that has ended or is semantic is not merged', () => {
  const first = episode('Broke a tooth.')
  for (const changes of [{ validTo: START }, { memoryType: 'semantic' }, { supersededBy: 'x' }] as const)
    expect(mayMerge(first, episode('Broke a tooth.', { ...at(0), ...changes }))).toBe('no')
})

test('002 R9.2: the same event is confirmed by shared names and refused for another day, number or place', async () => {
  const told = episode('Signed the contract with Halvorsen in Bergen.')
  const same = (text: string): Promise<boolean> => isSameEventByRules(told, episode(text, at(DAY_MS)))
  expect(await same('The contract with Halvorsen was signed in Bergen.')).toBe(true)
  expect(await same('Signed the contract with Lindqvist in Bergen.')).toBe(false)
  expect(await same('Signed the contract with Halvorsen in Tromsø.')).toBe(false)
  const chinese = episode('周三在苏州和老吴签了仓库的租约。')
  expect(await isSameEventByRules(chinese, episode('和老吴在苏州签了仓库的租约，是周三。', at(DAY_MS)))).toBe(true)
  expect(await isSameEventByRules(chinese, episode('周三在无锡和老吴签了仓库的租约。', at(DAY_MS)))).toBe(false)
})

test('"yesterday" means the day before it was told, not the same day in every chat', async () => {
  const first = episode('Yesterday I swam in the lake with Odile.')
  const second = episode('Yesterday I swam in the lake with Odile.', at(3 * DAY_MS))
  expect(await isSameEventByRules(first, second)).toBe(false)
  expect(await isSameEventByRules(first, episode(second.text, at(MINUTE_MS)))).toBe(true)
})

test('002 R5.4: merging keeps every statement once and records source_chat_ids and merged_from_ids', () => {
  const first = episode('Mara had her appendix removed. The clinic was Saint Jude.', {
    accessCount: 3,
    tags: ['health'],
  })
  const second = episode('Mara had her appendix removed on Sunday. She may not lift anything.', {
    ...at(DAY_MS),
    conversationId: 'chat-b',
    accessCount: 4,
    confidence: 0.95,
    importance: 2,
    sourceTurnIds: [7, 8],
  })
  const merged = mergeByRules(first, second, stamp)!
  expect(merged.text).toBe(
    'Mara had her appendix removed on Sunday. The clinic was Saint Jude. She may not lift anything.',
  )
  expect(merged).toMatchObject({ id: 'merged', accessCount: 7, confidence: 0.95, importance: 2, updatedAt: stamp.now })
  expect(merged.metadata).toMatchObject({
    source_chat_ids: ['chat-a', 'chat-b'],
    merged_from_ids: ['one', 'two'],
    sources: [
      { conversation_id: 'chat-a', turn_ids: [1] },
      { conversation_id: 'chat-b', turn_ids: [7, 8] },
    ],
  })
})

test('002 R9.4: merging uses the earliest metadata.time as the canonical event start time', () => {
  const early = '2026-02-27T18:00:00.000Z'
  const first = episode('The boiler failed.')
  const second = episode('The boiler failed again, water everywhere.', {
    ...at(5 * MINUTE_MS),
    metadata: { time: early },
  })
  for (const merged of [mergeByRules(first, second, stamp), mergeByRules(second, first, stamp)])
    expect(merged!.metadata!.time).toBe(early)
})

test('002 R9.5: both original chat_ids are kept in metadata.source_chat_ids over repeated merges', () => {
  const [a, b, c] = ['chat-a', 'chat-b', 'chat-a'].map((conversationId, place) =>
    episode(`Step ${place} of the move to Gent is done.`, {
      id: `m${place}`,
      conversationId,
      sourceTurnIds: [place + 1],
    }),
  )
  const once = mergeByRules(a!, b!, { id: 'ab', now: stamp.now })!
  const twice = mergeByRules(once, c!, { id: 'abc', now: stamp.now })!
  expect(twice.metadata!.source_chat_ids).toEqual(['chat-a', 'chat-b'])
  expect(twice.metadata!.merged_from_ids).toEqual(['m0', 'm1', 'ab', 'm2'])
  expect(twice.metadata!.sources).toEqual([
    { conversation_id: 'chat-a', turn_ids: [1, 3] },
    { conversation_id: 'chat-b', turn_ids: [2] },
  ])
})

test('what was inferred does not become the word of the user by a merge', () => {
  const merged = mergeByRules(
    episode('Rents a garage.'),
    episode('Rents a garage.', { ...at(0), source: 'inferred' }),
    stamp,
  )
  expect(merged!.source).toBe('inferred')
})

test('two statements with the same words but another order or a denial both stay', () => {
  expect(joinStatements('Anton called Berta.', 'Berta called Anton.')).toBe('Anton called Berta. Berta called Anton.')
  expect(joinStatements('The parcel arrived.', 'The parcel has not arrived.')).toBe(
    'The parcel arrived. The parcel has not arrived.',
  )
  expect(joinStatements('小周打给了老韩。', '老韩打给了小周。')).toBe('小周打给了老韩。老韩打给了小周。')
})

test('a text is clipped through no secret, of which nothing could mask the half', () => {
  const text = 'We put the table into the garden house, pay to DE89 3704 0044 0532 0130 00 then.'
  for (let longest = 50; longest < 75; longest += 1) expect(clip(text, longest)).toMatch(/^We put \D+…$/)
})

test('a sentence that goes on takes the place of the shorter one', () => {
  for (const [shorter, fuller] of [['女儿在学校演了话剧。', '女儿在学校演了话剧，人特别多。']] as const) {
    expect(joinStatements(shorter, fuller)).toBe(fuller)
    expect(joinStatements(fuller, shorter)).toBe(fuller)
  }
  expect(joinStatements('厨房有窗。', '厨房无窗。')).toBe('厨房有窗。厨房无窗。')
  expect(joinStatements('买牛奶。', '别买牛奶。')).toBe('买牛奶。别买牛奶。')
})

test('what is told again with its time before or behind it, and with more, is told once', () => {
  for (const [shorter, fuller] of [
    [
      'On Friday our boat left the harbour with a new sail.',
      'Our boat left the harbour with a new sail on Friday; it leaked.',
    ],
    ['The heron came back this evening.', 'The heron came back this evening: it caught two frogs.'],
    ['我前天把旧帆布捐给了一家剧社', '前天我把旧帆布捐给一家剧社，还送了两盏灯'],
  ] as const) {
    expect(joinStatements(shorter, fuller)).toBe(withEndMark(fuller))
    expect(joinStatements(fuller, shorter)).toBe(withEndMark(fuller))
  }
  const swapped = ['Tom gave the old red car to Ben.', 'Ben gave the old red car to Tom, who sold it.'] as const
  expect(joinStatements(...swapped)).toBe(swapped.join(' '))
})

test('a detail between the words of a telling makes one text of both', () => {
  for (const [shorter, fuller] of [
    ['我3月1日做了体检。', '我3月1日做了全身体检。'],
    ['周日和老同学吃了火锅。', '周日跟三个老同学在海边吃了火锅。'],
    ['昨天下班路上我的车爆胎了。', '昨天下班的路上，我的车后胎爆胎了，推回家的。'],
    ['5月3日跑完了半马。', '5月3日在杭州跑完了半马，用时两小时零五分。'],
    ['Tom gave me a scarf for my birthday.', 'Tom gave me a red wool scarf for my birthday.'],
    ['I planted beans this weekend.', 'This weekend I planted three kinds of beans behind our shed.'],
    ['I ran the half marathon in May.', 'I ran the half marathon in Porto in May in 2 hours 5 minutes.'],
    [
      'I submitted the draft of my thesis on Wednesday.',
      'On Wednesday night I submitted the first draft of my thesis to my advisor.',
    ],
  ] as const) {
    expect(joinStatements(shorter, fuller)).toBe(fuller)
    expect(joinStatements(fuller, shorter)).toBe(fuller)
  }
})

test('words that make another person, another thing or nothing done of it leave two statements', () => {
  for (const [one, other] of [
    ['我昨天做了体检。', '我妈昨天做了体检。'],
    ['我3月1日做了体检。', '我3月1日差点做了体检。'],
    ['我把车借给了老张。', '我把车借给了老张的儿子。'],
    ['我们搬家到浦东了。', '我们打算搬家到浦东。'],
    ['昨天小李的车坏在路上。', '昨天小李同事的车坏在路上。'],
    ['我买了牛奶给小周。', '我买了牛奶给老韩和面包给小周。'],
    ['We moved to Leeds last month.', 'We nearly moved to Leeds last month.'],
    ['My daughter broke her arm at school.', "My daughter's friend broke her arm at school."],
    ['I fixed the bike with Sam on Sunday.', 'I fixed the bike of Sam on Sunday.'],
    ['We drove from Ghent to Lille on Sunday.', 'We drove from Lille to Ghent on Sunday.'],
    ['我从北京飞到上海。', '我从上海飞到北京。'],
    ['I moved to Leeds.', 'I will move to Leeds next week.'],
    ['The parcel has arrived.', 'The parcel has probably arrived.'],
  ] as const) {
    const both = joinStatements(one, other)
    expect([both.includes(one), both.includes(other)], both).toEqual([true, true])
  }
})

test('Chinese sentences are joined without blanks and said once', () => {
  expect(joinStatements('周六搬进了新家', '周六搬进了新家。客厅还没有窗帘。')).toBe('周六搬进了新家。客厅还没有窗帘。')
  expect(joinStatements('周六我和小美看了电影。', '周六我跟小美看电影，她睡着了。')).toBe(
    '周六我跟小美看电影，她睡着了。',
  )
})

test('records that would become too long for one stay two', () => {
  const long = (word: string): string => `${Array.from({ length: 400 }, (_, at) => `${word}${at}`).join(' ')}.`
  expect(long('alpha').length).toBeLessThan(MERGED_CHARACTERS)
  expect(mergeByRules(episode(long('alpha')), episode(long('beta'), at(0)), stamp)).toBeNull()
})

test('memories of two projects, or of one and of the user, are never one', () => {
  const first = episode('We picked a venue.', { projectRoot: '/shop' })
  for (const projectRoot of ['/blog', null])
    expect(mayMerge(first, episode('Venue picked.', { ...at(0), projectRoot }))).toBe('no')
  expect(mayMerge(first, episode('Venue picked.', { ...at(0), projectRoot: '/shop' }))).not.toBe('no')
  expect(mergeByRules(first, episode('Venue picked.', { ...at(0), projectRoot: '/shop' }), stamp)?.projectRoot).toBe(
    '/shop',
  )
})

test('a day that is counted from two days makes two records, the label of a separation is left behind', async () => {
  const told = (text: string, day: number) => ({ text, occurredAt: day * DAY_MS, createdAt: day * DAY_MS })
  for (const [first, second] of [
    ['我昨天参加了社区活动，站了很久，腰特别酸。', '我昨天参加了社区活动，今天又站了很久，腰特别酸。'],
    [
      'Stood all day yesterday at the fair in Lund, my back aches.',
      'Stood at the fair in Lund yesterday, my back aches.',
    ],
  ] as const) {
    expect(await isSameEventByRules(told(first, 20_000), told(second, 20_001))).toBe(false)
    expect(await isSameEventByRules(told(first, 20_000), told(second, 20_000))).toBe(true)
  }
  const labelled = memoryOf('a', '[4 May] Repaired the gate.', {
    metadata: { separated_label: '[4 May]', thing: '[4 May] gate' },
  })
  expect(mergeWordsByRules(labelled, memoryOf('b', 'Repaired the gate with oak.', { metadata: {} }))).toMatchObject({
    text: 'Repaired the gate with oak.',
    thing: 'gate.',
  })
})
