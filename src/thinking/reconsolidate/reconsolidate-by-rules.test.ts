import { expect, test } from 'vitest'
import { watchReadings } from '../../domain/read-once.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import {
  type CurrentContext,
  RECONSOLIDATED_CHARACTERS,
  type ReconsolidationSide,
  reconsolidateByRules,
} from './reconsolidate-by-rules.ts'

const NOW = Date.parse('2026-07-10T15:00:00Z')

function memory(text: string, metadata: ReconsolidationSide['metadata'] = {}): ReconsolidationSide {
  return {
    text,
    memoryType: 'episodic',
    category: 'fact',
    validTo: null,
    metadata: { context: 'at work', thing: 'audit', time: '2026-07-01', chatid: 'old', who: 'user', ...metadata },
  }
}

function said(content: string, before: readonly string[] = [], turnId = 9): CurrentContext {
  const turn = (text: string, at: number): ThinkMessage => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: text,
    speaker: null,
    turnId: turnId - (before.length - at),
    createdAt: NOW,
  })
  return { conversationId: 'now', now: NOW, turns: [...before, content].map(turn) }
}

const AUDIT = memory('The tax audit of the Lindgren bakery began on Monday.')
const AUDIT_NEWS = 'The tax audit of the Lindgren bakery ended without a fine.'

test('002 R4.1, R4.3: text, context and thing tell the chronological evolution, the old words first', () => {
  const patch = reconsolidateByRules(AUDIT, said(AUDIT_NEWS))!
  expect(patch.text).toBe(`${AUDIT.text} 2026-07-10: ${AUDIT_NEWS}`)
  expect(patch.metadata).toMatchObject({ context: 'at work (last told 2026-07-10)' })
  expect(String(patch.metadata!.thing)).toMatch(/^audit → The tax audit/)
})

test('002 R4.2: metadata.time, chat_id and metadata.who stay unchanged', () => {
  const patch = reconsolidateByRules(AUDIT, said(AUDIT_NEWS))!
  expect(patch.metadata).toMatchObject({ time: '2026-07-01', chatid: 'old', who: 'user' })
  expect(Object.keys(patch).toSorted()).toEqual(['metadata', 'text'])
})

test('002 R4.4: metadata.updates gets time and description appended', () => {
  const earlier = { time: '2026-07-03T00:00:00.000Z', update: 'The books were copied.' }
  const patch = reconsolidateByRules(memory(AUDIT.text, { updates: [earlier] }), said(AUDIT_NEWS))!
  expect(patch.metadata!.updates).toEqual([
    earlier,
    { time: new Date(NOW).toISOString(), update: AUDIT_NEWS, chat_id: 'now', turn_id: 9 },
  ])
})

test('of a message and of a memory of a megabyte only the beginning is read', () => {
  const read: number[] = []
  const stop = watchReadings((_, text) => read.push(text.length))
  const update = reconsolidateByRules(
    AUDIT,
    said(`${AUDIT_NEWS} ${'Then we went on '.repeat(60_000)}`, ['Well.', 'a'.repeat(900_000)]),
  )
  const long = memory(`${AUDIT.text} ${'We own many jars. '.repeat(60_000)}`)
  expect(reconsolidateByRules(long, said(AUDIT_NEWS))?.text).toContain(AUDIT_NEWS)
  stop()
  expect(update?.text).toContain(AUDIT_NEWS)
  expect(Math.max(...read)).toBeLessThan(10_000)
})

test('the same turn adds once', () => {
  const patch = reconsolidateByRules(AUDIT, said(AUDIT_NEWS))!
  expect(reconsolidateByRules({ ...AUDIT, ...patch }, said(AUDIT_NEWS))).toBeNull()
})

test('a question, a request, a guess or thanks about the event adds nothing', () => {
  for (const text of [
    'When did the tax audit of the Lindgren bakery begin?',
    'Please summarise the tax audit of the Lindgren bakery for my sister in two lines.',
    'Maybe the Lindgren bakery audit will be cheaper than feared.',
    'Remind me how the Lindgren audit went',
    'Thanks!',
  ])
    expect(reconsolidateByRules(AUDIT, said(text)), text).toBeNull()
})

test('another event, or what is known already, adds nothing', () => {
  for (const text of ['My cousin opened a flower shop in Lund.', 'The audit of the Lindgren bakery began on Monday.'])
    expect(reconsolidateByRules(AUDIT, said(text)), text).toBeNull()
})

test('a message that only points back is understood from the turns before it', () => {
  const before = [
    'How did the tax audit of the Lindgren bakery go?',
    'The audit of the Lindgren bakery began on Monday.',
  ]
  expect(reconsolidateByRules(AUDIT, said('It ended with a small refund.', before))?.text).toContain('small refund')
  expect(reconsolidateByRules(AUDIT, said('It ended with a small refund.'))).toBeNull()
})

test('so is one that begins with somebody, whom the turns before it name', () => {
  const rabbit = memory('Our rabbit Olive escaped from the hutch on Monday.')
  const asked = ['Where could our rabbit Olive have gone after she escaped from the hutch?', 'Look behind the house.']
  expect(reconsolidateByRules(rabbit, said('She sat in the shed of our neighbour.', asked))?.text).toContain(
    'in the shed',
  )
  const tenant = memory('我家二楼的租客小陈打算退租。')
  expect(
    reconsolidateByRules(tenant, said('他最后决定再住半年。', ['小陈退租的事我之前怎么说的？', '好的。']))?.text,
  ).toContain('再住半年')
})

test('what happened may stand in the second clause, behind how somebody is', () => {
  const operated = memory('奶奶上个月做了白内障手术。')
  const news = reconsolidateByRules(
    operated,
    said('她恢复得很好，昨天拆了纱布。', ['奶奶的手术是什么时候做的？', '上个月。']),
  )
  expect(news?.text).toContain('拆了纱布')
})

test('Chinese events go on in Chinese, and what is asked beside the news is left out', () => {
  const move = memory('七月二号和小柯开始装修城西的老房子。', { context: '', thing: '' })
  const patch = reconsolidateByRules(move, said('城西老房子的装修昨天铺完了地板。你觉得瓷砖选什么颜色好？'))!
  expect(patch.text).toBe('七月二号和小柯开始装修城西的老房子。2026-07-10：城西老房子的装修昨天铺完了地板。')
})

test('the text stays bounded however often the event goes on, and begins with the original words', () => {
  let current = AUDIT
  for (let turn = 1; turn <= 60; turn++) {
    const news = `The tax audit of the Lindgren bakery reached folder ${turn} with ${turn * 31} receipts checked by officer Ek${turn}.`
    const patch = reconsolidateByRules(current, { ...said(news, [], turn), now: NOW + turn * 86_400_000 })
    if (patch !== null) current = { ...current, ...patch }
  }
  expect(current.text.length).toBeLessThanOrEqual(RECONSOLIDATED_CHARACTERS)
  expect(current.text.startsWith(AUDIT.text)).toBe(true)
  expect(current.text).toContain('folder 60')
})

test('talk of the same matter, a wish, praise and small talk add nothing, nor does a memory grow by what was added', () => {
  const wedding = memory(
    'We are planning the wedding of my sister Runa in the boathouse for the last weekend of August.',
  )
  for (const text of [
    'Weddings in August are lovely.',
    'That sounds like a great plan for the wedding!',
    'I always like to plan such things in detail.',
    'I think I will start with a list and then move on to the guests.',
    'My neighbour had a wedding last year, and it rained all weekend.',
  ])
    expect(
      reconsolidateByRules(wedding, said(text, ['Tell me about the wedding.', 'It sounds lovely.'])),
      text,
    ).toBeNull()
  const trip = memory('八月底和小柯去青海湖骑车，酒店订在西海镇。', { context: '', thing: '' })
  for (const text of ['骑车真的很解压。', '听起来不错！', '我习惯提前规划。', '同事上周也去骑车了，天气很好。'])
    expect(reconsolidateByRules(trip, said(text)), text).toBeNull()
  const told = reconsolidateByRules(wedding, said('The boathouse for the wedding of Runa burned down, August is off.'))
  expect(told?.text).toContain('burned down')
  expect(
    reconsolidateByRules({ ...wedding, ...told }, said('A boathouse in Malmö burned down too, in August.', [], 12)),
  ).toBeNull()
})

test('a wish or an order is no event that goes on', () => {
  const order = {
    ...memory('Always include the costs when I ask about the Lindgren bakery.'),
    category: 'preference' as const,
  }
  expect(reconsolidateByRules(order, said('The costs of the Lindgren bakery rose to 900 euros last week.'))).toBeNull()
})

test('an event goes on in either language when the words that tell it are named again', () => {
  for (const [event, news] of [
    ['我给奶奶订了一副助听器。', '助听器到了，奶奶戴着嫌吵。'],
    ['我们在顺义租了一块菜地。', '顺义的菜地被大水淹了，西红柿全没了。'],
    ['我在考无人机驾照。', '无人机驾照的理论考试我没过，差两分。'],
    ['We rented an allotment in Leith.', 'The allotment in Leith was flooded and all tomatoes are gone.'],
  ] as const)
    expect(reconsolidateByRules(memory(event), said(news))?.text, event).toContain(news)
  for (const [event, other] of [
    ['我向公司申请了去重庆分公司。', '重庆的火锅太辣了。'],
    ['我和阿敏在学做寿司。', '阿敏的女儿今年上小学。'],
    ['I lent my tent to Oskar.', 'Oskar got married in May.'],
  ] as const)
    expect(reconsolidateByRules(memory(event), said(other)), event).toBeNull()
})

test('what was asked about just before goes on by its name alone; a like thing of somebody else does not', () => {
  const canoe = memory('My canoe hit a rock near the weir at Bled and the bow got a hole on Sunday afternoon.')
  const asked = ['What happened to my canoe?', 'It hit a rock.']
  const news = 'We brought the canoe to a boat builder, who wants three weeks.'
  expect(reconsolidateByRules(canoe, said(news, asked))?.text).toContain(news)
  expect(reconsolidateByRules(canoe, said(news))).toBeNull()
  expect(reconsolidateByRules(canoe, said('Our neighbour bought a canoe with three seats.', asked))).toBeNull()
  const pond = memory('前天我和师兄把池塘的旧水泵拆下来换了密封圈。')
  const leak = '水泵今天又漏了，半个院子都是水。'
  expect(reconsolidateByRules(pond, said(leak, ['我的水泵呢？', '换了密封圈。']))?.text).toContain(leak)
  expect(reconsolidateByRules(pond, said(leak))).toBeNull()
})
