import { describe, expect, test } from 'vitest'
import { profileOf } from './profile.ts'
import { relate, relateAll } from './relate.ts'
import type { Relation, Statement } from './statement.ts'

const DAY = 86_400_000

function said(text: string, day = 0): Statement {
  return { text, who: 'user', occurredAt: day * DAY, key: null, value: null }
}

test.each<[Relation, string, string]>([
  // a new value takes the place of the old one, also where that is only implied
  ['supersedes', 'First day at Nordwind Instruments, they gave me a plant.', 'I work for Hazel & Sons.'],
  ['supersedes', 'The OnePlus arrived, moving my contacts across.', 'My phone is an old Motorola.'],
  ['supersedes', 'We switched the wiki from Confluence to BookStack.', 'Our wiki runs on Confluence.'],
  ['supersedes', 'My locker combination is 7-7-12.', 'My locker combination is 4-19-33.'],
  ['supersedes', '今天去青禾报到，工位靠窗', '我在瑞丰公司上班'],
  ['supersedes', '全家搬到珠海了', '我住在洛阳老城'],
  ['supersedes', '终端换成 Ghostty 了', '终端我用 iTerm'],
  // whoever changes what is nobody's own
  ['supersedes', '他们把端口改成 1294 了', '我们测试库端口是 5433'],
  ['supersedes', '老板把周会挪到周三了', '周会周一上午十点'],
  // over, and nothing takes its place
  ['ends', 'Cancelled the gym membership, my knees said no.', 'I go to the gym on Elm Street.'],
  ['ends', 'Pepper died in her basket this morning.', 'Our dog Pepper is twelve.'],
  ['ends', '健身卡退了', '我在楼下健身房办了年卡'],
  ['ends', '烟戒了', '我一天抽半包烟'],
  // a mistake is put right
  ['corrects', 'I misread the ticket, the flight to Lima is on the 9th.', 'My flight to Lima is on the 6th.'],
  ['corrects', '记错了，体检是周五', '体检约在周三'],
  // both are true
  ['adds', 'I also play the harp.', 'I play the clarinet.'],
  ['adds', 'Max has a new bike', 'My son Max goes to Elm School'],
  // a part of a business is over, or another employer than the one whose name is told
  ['adds', 'We have stopped mending e-bikes, too fiddly.', 'I run a small bike repair shop in Bray.'],
  ['adds', 'Colm left the party early.', 'Our union rep is Colm.'],
  ['adds', 'The gym was packed today.', 'I go to the Oakfield gym'],
  ['adds', '另外我还养了一只乌龟', '我养了一只猫'],
  // past told later
  ['adds', 'Years ago I lived in Lima for a winter.', 'I live in Ghent.'],
  ['adds', '小时候我住在洛阳', '我住在珠海'],
  // the same in other words
  ['same', 'Remember that I live in Ghent.', 'I live in Ghent.'],
  ['same', '我住在珠海，别忘了', '我住在珠海'],
  // another person
  ['none', 'My uncle drives a Tesla now.', 'I drive a Mazda.'],
  ['none', 'I drive a Mazda now.', 'My uncle drives a Tesla.'],
  ['none', '我叔叔提了辆特斯拉', '我开马自达'],
  // nothing in common, or nothing said
  ['none', 'The soup needs salt.', 'I work for Hazel & Sons.'],
  ['none', 'Should I move to Lima?', 'I live in Ghent.'],
])('%s: "%s" after "%s"', (relation, newer, older) => {
  const related = relate(said(newer, 30), said(older))
  expect(related.relation).toBe(relation)
  expect(related.strength).toBeGreaterThanOrEqual(0)
  expect(related.strength).toBeLessThanOrEqual(1)
  expect(related.reason).not.toBe('')
})

test.each([
  ['Our neighbour sold her tandem.', 'My bike is a Gazelle.'],
  ['She brings the wrong bread every single time.', 'My husband is called Joris.'],
  ['The kids started a puzzle today.', 'My daughter Lieke goes to the Montessori school.'],
  ['Dinner was late again, now I am tired.', 'I do not eat pork.'],
  ['把蓝牙关了就好了，车里清静多了', '我开一辆五菱'],
  ['这次会议改到下午了', '我们后端用 Go'],
  ['My sister left the party early.', 'My sister lives in Bath.'],
  ['We switched from Kafka to NATS.', 'I am allergic to peanuts.'],
  ['House rule from today: no phones at dinner.', 'In our house we keep bees on the roof.'],
])('"%s" does not end "%s"', (newer, older) => {
  const { relation } = relate(said(newer, 30), said(older))
  expect(['none', 'adds', 'doubts']).toContain(relation)
})

test.each([
  ['Wendela retired, so Bart cuts my hair now.', 'My hairdresser is Wendela.'],
  ['Sam starts at Ridgeway on Monday, employed by the council.', 'My brother Sam works for Tesco.'],
  ['词典换成欧陆了', '我用的词典是金山'],
])('who holds a post is spoken of by name: "%s" after "%s"', (newer, older) => {
  expect(['supersedes', 'ends', 'doubts']).toContain(relate(said(newer, 30), said(older)).relation)
})

test('of two that a change may mean, the plainer one is meant', () => {
  const [harp, tuba] = relateAll(said('Sold the harp to a school.', 30), [
    said('I play the harp on Sundays.'),
    said('I play the tuba in a brass band.'),
  ])
  expect(harp!.relation).toBe('ends')
  expect(tuba!.relation).not.toBe('ends')
})

describe('what rests on a changed fact becomes doubtful', () => {
  test.each([
    ['The movers came, we live in Ghent now.', 'I live in Lima.', 'My dentist is Dr Paz on the corner.'],
    ['Sold the Mazda and bought a Kia EV6.', 'I drive a diesel Mazda.', 'I fill up at the station by the bridge.'],
    ['搬到珠海了', '我住在洛阳', '孩子在育才小学上二年级'],
    ['后端改用 Elixir 重写了', '后端是 Java 写的', '构建用 Maven'],
  ])('%s', (newer, changed, resting) => {
    const relations = relateAll(said(newer, 30), [said(changed), said(resting)])
    expect(relations.map(({ relation }) => relation)).toEqual(['supersedes', 'doubts'])
    expect(relations[1]!.reason).toContain('changed')
  })

  test('without a change nothing is doubted', () => {
    const relations = relateAll(said('The house needs paint.', 30), [
      said('I live in Lima.'),
      said('My dentist is Dr Paz on the corner.'),
    ])
    expect(relations.map(({ relation }) => relation)).not.toContain('doubts')
  })

  test('a name of what is gone is doubtful too', () => {
    const relations = relateAll(said('Nordwind let me go, my badge is handed in.', 30), [
      said('I work for Nordwind.'),
      said('Nordwind pays for my train ticket.'),
    ])
    expect(relations[0]!.relation).toBe('ends')
    expect(relations[1]!.relation).not.toBe('none')
  })
})

test('what was taken over from an older statement still connects', () => {
  const older: Statement = { ...said('Mr Ito is retiring.'), topics: ['teacher'] }
  expect(relate(said('First lesson with Ruth today.', 30), older).relation).toBe('supersedes')
})

test('a short statement without a key gives the value of no attribute', () => {
  expect([...profileOf(said('Lost Pepper on Tuesday.')).stated]).toEqual([])
})

test('what an employer lends takes the place of nothing one owns', () => {
  expect(relate(said('My new job comes with a van.', 30), said('I drive a Polo.')).relation).toBe('adds')
  expect(relate(said('单位给配了辆皮卡', 30), said('我开一辆朗逸')).relation).toBe('adds')
})
