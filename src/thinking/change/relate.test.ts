import { describe, expect, test } from 'vitest'
import { watchReadings } from '../../domain/read-once.ts'
import { relate, relateAll } from './relate.ts'
import { type Relation, readingOf, type Statement } from './statement-reading.ts'

const DAY = 86_400_000

function said(text: string, day = 0): Statement {
  return { text, who: 'user', occurredAt: day * DAY, key: null }
}

const heard = (text: string, day = 0): Statement => ({ ...said(text, day), heard: true })

test('the reason names whole words, also where only their parts are shared', () => {
  const older = heard('租的车位在地下二层，房东说每月400', 1)
  expect(relate(heard('房东说车位要涨到450', 30), older).reason).toMatch(/ \((?:房东|车位)(?:, (?:房东|车位))?\)$/)
})

test('the reason names the quantity, and no attribute that happens to be named beside', () => {
  const older = said('My knitting group has 12 members, and we meet beside the piano.')
  const { reason } = relate(said('The knitting group now has 19 members, and the piano is gone.', 30), older)
  expect(reason).toContain('members')
  expect(reason).not.toContain('instrument')
})

test.each<[Relation, string, string]>([
  // a new value takes the place of the old one, also where that is only implied
  ['supersedes', 'First day at Nordwind Instruments, they gave me a plant.', 'I work for Hazel & Sons.'],
  ['supersedes', 'The OnePlus arrived, moving my contacts across.', 'My phone is an old Motorola.'],
  ['supersedes', 'We switched the wiki from Confluence to BookStack.', 'Our wiki runs on Confluence.'],
  ['supersedes', 'My locker combination is 7-7-12.', 'My locker combination is 4-19-33.'],
  ['supersedes', '今天去青禾报到，工位靠窗', '我在瑞丰公司上班'],
  ['supersedes', '全家搬到珠海了', '我住在洛阳老城'],
  ['supersedes', '终端换成 Ghostty 了', '终端我用 iTerm'],
  // over, and nothing takes its place
  ['ends', 'Cancelled the gym membership, my knees said no.', 'I go to the gym on Elm Street.'],
  ['ends', 'Pepper died in her basket this morning.', 'Our dog Pepper is twelve.'],
  ['ends', '健身卡退了', '我在楼下健身房办了年卡'],
  ['ends', "I've cancelled my Lido membership.", 'My pool membership is at Lido.'],
  ['ends', '泰山不去了', '打算国庆去泰山旅游'],
  ['ends', '烟戒了', '我一天抽半包烟'],
  // a mistake is put right
  ['corrects', 'I misread the ticket, the flight to Lima is on the 9th.', 'My flight to Lima is on the 6th.'],
  ['corrects', '记错了，体检是周五', '体检约在周三'],
  // a child's class, and whoever holds a post is gone
  ['supersedes', '儿子升初三了', '儿子上初二'],
  ['supersedes', '女儿升大班了', '女儿在向阳幼儿园上中班'],
  ['supersedes', "He's started third grade.", 'My son is in second grade.'],
  ['none', 'Oisin quit smoking.', 'My flatmate is called Oisin.'],
  // both are true
  ['none', 'I also play the harp.', 'I play the clarinet.'],
  // a part of a business is over, or another employer than the one whose name is told
  ['none', 'Colm left the party early.', 'Our union rep is Colm.'],
  ['none', '另外我还养了一只乌龟', '我养了一只猫'],
  ['none', '这周四围棋课取消了，老师感冒', '我每周四去上围棋课'],
  // an act leaves nothing that could be over
  ['none', 'The sewing machine belongs to Irma.', 'The sewing machine was oiled by Irma on Friday.'],
  ['none', 'The lift was inspected by Novak in March.', 'The lift was inspected by Aydin last Monday.'],
  ['none', '电梯是物业在三月换的', '上周三电梯是老吴修的'],
  ['ends', 'Cancelled the allotment, too many slugs.', 'We signed up for an allotment last year.'],
  // one value, said more exactly; a part of where one comes from
  ['corrects', "Actually I'm from Ravenna, not Ferrara.", "I'm from Ferrara."],
  // each day has its own
  ['none', 'I swim 40 lengths on Sundays.', 'I swim 20 lengths on Tuesdays.'],
  // two things of one name
  ['none', 'The mail worker listens on port 6200.', 'The search worker listens on port 6100.'],
  ['none', '车位的租金每月四百', '老房子的租金每月两千五'],
  ['none', 'The mail worker listens on port 6200.', 'Our gateway listens on port 6100.'],
  ['none', 'My exam in physics is on 9 June.', 'My exam in botanics is on 2 June.'],
  // one relation, two people; the post of another's
  ['none', 'My friend Sven moved to Lima.', 'My friend Irma lives in Ghent.'],
  ['none', 'My wife got a new boss, Colm, and dislikes him already.', 'My boss is Irma.'],
  ['none', 'My colleague pays 1,300 rent.', 'My rent is 1,050 a month.'],
  ['none', '同事房租五千二', '我房租四千'],
  ['none', '我老婆换了个新主管，姓高', '我主管叫柳青'],
  ['none', '朋友阿杰搬到珠海了', '朋友小满住在洛阳'],
  ['doubts', '跟小满好聚好散了', '女朋友小满是洛阳人'],
  // a correction of one attribute that names its matter alone
  ['doubts', 'The donor card says O negative, so forget what I told you.', 'My blood type is A positive.'],
  // past told later
  ['none', 'Years ago I lived in Lima for a winter.', 'I live in Ghent.'],
  ['none', '小时候我住在洛阳', '我住在珠海'],
  // an order ends with another one that orders the same but for a value, or takes it back
  ['supersedes', 'Reply in Italian from now on.', 'Always reply in Portuguese.'],
  ['supersedes', '以后注释写中文。', '注释都写英文。'],
  ['ends', "Don't open with a joke any more.", 'Always open with a joke.'],
  ['ends', 'No more footnotes please, just plain text.', 'Use footnotes when you cite something.'],
  ['supersedes', 'Call me Wilhelmina.', 'Call me Mina.'],
  ['supersedes', 'We moved back from Pulsar to Kafka.', 'We moved from Kafka to Pulsar.'],
  ['ends', 'You may suggest alcohol again.', 'Never suggest alcohol.'],
  ['ends', '不用再先给结论了。', '每次先给结论。'],
  ['none', 'From now on write poems in English.', 'Always write emails in German.'],
  ['none', 'Never suggest pork.', 'Never suggest alcohol.'],
  ['none', '每次都附上日期。', '每次都附上来源。'],
  // the same in other words
  ['same', 'Remember that I live in Ghent.', 'I live in Ghent.'],
  ['same', '我住在珠海，别忘了', '我住在珠海'],
  // that it was told before is said in front
  ['same', 'As I said, I live in Ghent.', 'I live in Ghent, near the zoo.'],
  ['same', 'Again, my nephew is allergic to kiwi.', 'My nephew is allergic to kiwi.'],
  ['same', '刚才说过，我女儿读三年级。', '我女儿读三年级。'],
  ['supersedes', '我说过了，我在青禾上班。', '我在瑞丰上班。'],
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
  expect(related.reason === '').toBe(relation === 'none')
})

test.each([
  ["I'm allergic to shellfish.", "I'm allergic to peanuts."],
  ['我对花生过敏。', '我对芒果过敏。'],
  ['我对桑葚过敏。', "I'm allergic to cashews."],
  ['I speak Danish.', 'I speak Polish.'],
  ['I play the piano.', 'I play the oboe.'],
  ['I like coffee.', 'I like tea.'],
  ['I take lisinopril.', 'I take metformin.'],
])('of what one may have several another one ends none: "%s" after "%s"', (newer, older) => {
  expect(relate(said(newer, 30), said(older)).relation).toBe('none')
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
  expect(['none', 'doubts']).toContain(relation)
})

test.each([
  ['Wendela retired, so Bart cuts my hair now.', 'My hairdresser is Wendela.'],
  ['Sam starts at Ridgeway on Monday, employed by the council.', 'My brother Sam works for Tesco.'],
  ['词典换成欧陆了', '我用的词典是金山'],
  ['我跟小芸分手了，心情不好。', '我和女朋友小芸在一起两年了。'],
])('who holds a post is spoken of by name: "%s" after "%s"', (newer, older) => {
  expect(['supersedes', 'ends', 'doubts']).toContain(relate(said(newer, 30), said(older)).relation)
})

test('what has ceased is over however long ago it was told, and whatever the other clauses say', () => {
  expect(relate(heard('我不吃素了，医生说我贫血', 300), heard('我吃素，也不喝酒')).relation).toBe('ends')
})

test('of two that a change may mean, the plainer one is meant', () => {
  const [harp, tuba] = relateAll(said('Sold the harp to a school.', 30), [
    said('I play the harp on Sundays.'),
    said('I play the tuba in a brass band.'),
  ])
  expect(harp!.relation).toBe('ends')
  expect(tuba!.relation).not.toBe('ends')
})

test.each([
  ['Storybook runs on port 6006', 'The dev server runs on port 5050'],
  ['Redis 端口是 6380', '开发服务器端口是 5050'],
  ['Node is version 22', 'Postgres is version 16'],
])('each thing has a value of its own: %s', (newer, older) => {
  expect(relate(said(newer, 1), said(older)).relation).toBe('none')
})

test.each<[Relation, string, string]>([
  ['ends', 'you can edit the seeds folder from now on', 'never touch the seeds folder'],
  ['ends', '现在可以改 seeds 目录了', '不要动 seeds 目录'],
  ['none', 'you can push to develop directly', 'never push to main directly'],
  ['none', 'You can call me Ana', 'Do not call me before nine'],
])('what is permitted ends a ban on the same thing only: %s', (relation, newer, older) => {
  expect(relate(said(newer, 1), said(older)).relation).toBe(relation)
})

describe('a correction without a subject means the message before it', () => {
  test.each([
    ['No wait, it is the 8th', 'The recital is on 3 June', 'the 8th'],
    ['打错了，叫小铭', '我侄子叫小明', '小铭'],
    ['更正一下，是4300', '车位每月4200', '4300'],
    ['oops I meant 16:40', 'our ferry leaves at 6:40', '16:40'],
    ['I typed it wrong, kiwi-4417.', 'Gate code is kiwi-4471.', 'kiwi-4417'],
    ['Wrong spelling, it is Marchetti.', 'The baker is Mr Marcheti.', 'Marchetti'],
    ['Ignore that, the manual says 450.', 'It takes 45 sheets.', '450'],
    ['No wait, purple.', 'My favourite colour is orange.', 'purple'],
    ['Sorry, I meant Turin, not Trieste.', 'We take the train to Trieste on Friday for a fair.', 'Turin'],
    ['wait no, terminal 6.', 'The bus leaves from terminal 1.', '6'],
    ['不对，是灰色的。', '我新买的伞是红色的。', '灰色'],
  ])('%s', (newer, older, right) => {
    const [before, just] = relateAll(heard(newer), [heard('I keep 12 hens.'), { ...heard(older), justBefore: true }])
    expect([before!.relation, just!.relation, just!.repairs?.right]).toEqual(['none', 'corrects', right])
    expect(relateAll(heard(newer), [heard(older)])[0]!.repairs).toBeUndefined()
  })

  test.each([
    ['no wait, I also need a cake for Jess on the 8th', 'The recital is on 3 June'],
    ['不对，你算错了，应该是15个人', '会议是周三下午3点'],
    ['Oh no, the oven broke again after 2 years', 'We are nine people'],
    ['打错了，我是问怎么做红烧肉', '我侄子叫小明'],
    ['no wait, it is broken', 'My phone is a Nokia 3310.'],
    ['不对，是我没说清楚', '我新买的伞是红色的。'],
  ])('and another matter none: %s', (newer, older) => {
    expect(relateAll(heard(newer), [{ ...heard(older), justBefore: true }])[0]!.relation).toBe('none')
  })
})

describe('what rests on a changed fact becomes doubtful', () => {
  test.each([
    ['The movers came, we live in Ghent now.', 'I live in Lima.', 'My dentist is Dr Paz on the corner.'],
    ['Sold the Mazda and bought a Kia EV6.', 'I drive a diesel Mazda.', 'I fill up at the station by the bridge.'],
    ['搬到珠海了', '我住在洛阳', '孩子在育才小学上二年级'],
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

  test.each([
    ['another version of it', 'We upgraded to Neo4j 6.', 'Our database is Neo4j 5.', 'We deploy on Mondays.'],
    ['the ground of another', '我搬到珠海了', '我住在洛阳', '花店的房租每月六千'],
    ['a change of one’s own', 'I moved to Skopje.', 'I live in Lima.', "My brother's gym is two streets away."],
    [
      'a change of a child’s',
      'Marlow school has closed for good.',
      'My daughter goes to Marlow school.',
      'I take the tram to work every day.',
    ],
    ['a change of a child’s', '育红小学关了', '我女儿在育红小学上学', '我每天坐地铁上班'],
    ['nothing of the kind', '数据库换成 Neo4j 了', '数据库是 MySQL', '缓存用 Redis'],
  ])('but not by %s', (_, newer, changed, other) => {
    const [, related] = relateAll(heard(newer, 30), [heard(changed), heard(other)])
    expect(related!.relation).toBe('none')
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

test('a short statement without a key gives the value of no attribute', () => {
  expect([...readingOf(said('Lost Pepper on Tuesday.')).stated]).toEqual([])
})

const CHANGES: ReadonlySet<Relation> = new Set(['supersedes', 'ends', 'corrects'])

describe('in a conversation', () => {
  test.each([
    // another value of the very thing, in long messages and questions too
    ['The picnic is set for 12 May.', 'We had to push the picnic to 19 May.'],
    [
      'A deadline of April 1 for the first sprint is what I planned.',
      'Can you plan for the new sprint deadline of April 5?',
    ],
    [
      'The book launch with Amy is on November 15.',
      'How do I cope with the book launch being moved from November 15 to November 22?',
    ],
    ['The boat launch with Ines is on May 3.', 'How do I cope with the boat launch being moved from May 3 to May 9?'],
    ['My snack budget is $65 for the film weekend.', "I've adjusted the snack budget to $75, which drinks fit?"],
    ['The meeting with Tom is on Tuesday at 3 PM', 'The meeting with Tom has been rescheduled to 4:30 PM'],
    ['预算是 5000 元', '预算提高到 6500 元了'],
    // the left thing is named
    ['I use Emacs for my notes.', 'I switched from Emacs to Helix for my notes.'],
    // plainly over
    ['I go to the gym on Elm Street.', 'I no longer go to the gym.'],
    ['I play the harp.', "I don't play the harp any more."],
    ["i'm allergic to wasps", "i'm not allergic to wasps anymore"],
    ['我用Figma画图', '我不用Figma画图了'],
    ['我在健身房办了年卡', '我不去健身房了'],
    // an order about the same
    ['Always answer in French.', 'Always answer in English from now on.'],
  ])('"%s" ends with "%s"', (older, newer) => {
    expect(CHANGES).toContain(relate(heard(newer, 30), heard(older)).relation)
  })

  test.each([
    // other people, told along the way
    ["I've been with Douglas for 3 years, we met in Lyon.", 'My friend Kevin, who is 40, keeps asking about it.'],
    ["I've been with Ingrid for 6 years.", 'My colleague Olaf, who is 52, thinks so too.'],
    ['I met Michael at the film school on Jan 15.', 'I met Amy at the library on Feb 5.'],
    ['我三十四岁', '我有两个孩子，大的八岁'],
    ['我四十一岁', '我妹妹家的小的五岁'],
    // what somebody does ends no order, and an order about something else does not either
    [
      'Always include audiobook narrator details when I ask for books.',
      "I've started mixing print and audiobook formats.",
    ],
    ['Always answer in French.', 'Always use metric units.'],
    // a plan has not begun
    ['我住在杭州滨江区', '年底要搬到余杭'],
    ['I live in Lima.', 'We are going to move to Ghent at the end of the year.'],
    // an attribute named in passing, in many words
    [
      '我做了多年销售，但自己开店做选款决策，感觉责任更重。我上午核对了夏装的数据，也看了订货会的笔记，总担心判断太主观，或者漏掉了什么关键趋势。',
      '你好，我刚从银行回来，拿到了贷款的清单。我是开精品服饰店的，想申请贷款来拓展线上业务。清单上列了营业执照、财务报表、银行流水这些，有点担心材料不够规范，影响审批。',
    ],
    // another amount beside, or relative to it
    ['My gift budget is $150 for the family.', 'I reduced my passive voice by 25%.'],
    ['A triangle with sides 8 cm, 15 cm and 17 cm came up.', 'The new side lengths are 10 cm, 15 cm and 20 cm now.'],
    ['I live in a dorm on my own!', 'Currently studying in the library!'],
    ['My work hours are eight a day.', "It's one of the perks of the trade."],
  ])('"%s" stands beside "%s"', (older, newer) => {
    expect([...CHANGES, 'doubts']).not.toContain(relate(heard(newer, 30), heard(older)).relation)
  })
})

test.each([
  ['They raised the zinc to 40 mg', 'I take zinc 25 mg every day', 'supersedes'],
  ['They raised the zinc to 40 mg', 'I take iron 60 mg, zinc 25 mg every day', 'doubts'],
])('a heard value ends no memory that gives others of its kind: "%s" after "%s"', (newer, older, relation) => {
  expect(relate(heard(newer, 1), heard(older)).relation).toBe(relation)
})

test.each([
  ["I've quit the bakery, starting as a florist in May!", 'I work as a pastry chef', 'I live in Ghent'],
  ['我辞掉面包店的工作了，五月开始当花艺师', '我是一名糕点师', '我住在珠海'],
])('who leaves for another post has no longer the one before, and lives where he did: "%s"', (newer, post, home) => {
  const relations = relateAll(said(newer, 30), [said(post), said(home)]).map(({ relation }) => relation)
  expect(relations[0]).toBe('supersedes')
  expect(relations[1]).toBe('none')
})

test.each([
  ['My sister quit the bakery, starting as a florist in May!', 'I work as a pastry chef'],
  ['我妹妹辞掉面包店的工作了', '我是一名糕点师'],
  ["I've quit smoking, starting as a runner in May!", 'My sister works as a pastry chef'],
])('another one\'s post is kept: "%s" after "%s"', (newer, older) => {
  expect(relate(said(newer, 30), said(older)).relation).toBe('none')
})

test('a value told again after it has changed is no news, unless it is called changed', () => {
  const before = heard('The kiln repair budget is $400.', 0)
  const changed = heard('I increased the kiln repair budget to $520.', 3)
  expect(relate(changed, before).relation).toBe('supersedes')
  const [again] = relateAll(heard('The kiln repair budget of $400 covers two shelves.', 6), [changed, before])
  expect(again?.relation).toBe('none')
  const [back] = relateAll(heard('The kiln repair budget is now $400.', 6), [changed, before])
  expect(back?.relation).toBe('supersedes')
})

test('what was so on one day does not change what was so on another', () => {
  const [older, newer] = [said('I swam 900 metres on Monday.'), said('I swam 1,400 metres on Friday.', 4)]
  expect(relate({ ...newer, heard: true }, { ...older, heard: true }).relation).toBe('none')
})

test.each<[Relation, string, string]>([
  // all that is over is said by the older one, beside other things
  ['ends', 'I stopped practising judo.', 'I practise judo at the town hall on Mondays.'],
  ['ends', "I've given up the accordion.", 'I play the accordion in a polka band.'],
  ['none', "I haven't stopped smoking.", 'I smoke a pipe.'],
  ['none', 'I stopped playing hockey.', 'I play the accordion.'],
  ['none', '我不喝可可了', '我每天坐轮渡上班'],
  // a failure is no end
  ['none', '我开的是花店，但怎么定优惠规则，我就有点拿不准了', '课程讲了基础操作，但怎么设计，我有点拿不准'],
  // who leaves his work need not name it
  ['supersedes', 'I retired last spring.', 'I work for Hazel & Sons.'],
  ['supersedes', '我被青禾裁了', '我在青禾上班'],
  ['none', 'My aunt retired last spring.', 'I work for Hazel & Sons.'],
  // the dead live nowhere, and nobody has them
  ['ends', 'Inky passed away on Tuesday.', 'I have a ferret called Inky.'],
  ['none', 'I almost sold the Lambretta.', 'I ride a Lambretta.'],
  ['none', 'I nearly quit the bakery.', 'I work at the bakery.'],
  ['none', '我们鼓手退出乐队了', '我在乐队弹贝斯'],
  ['none', 'Another team dropped Kafka for Pulsar.', 'We use Kafka.'],
  // what one does or likes is turned round
  ['supersedes', 'I eat celery now.', 'I never eat celery.'],
  ['supersedes', 'I like celery now.', 'I hate celery.'],
  ['supersedes', '我现在吃芹菜了', '我不吃芹菜'],
  // a value comes back, a bare hour is one, a goal is none that is reached
  ['supersedes', '晨会又改回九点半了', '晨会改到十点了'],
  ['supersedes', 'Standup is back at 9:30.', "Standup's at 10 now."],
  ['supersedes', 'Upgraded the wiki to Postgres 16.', 'The wiki is on Postgres 14.'],
  ['none', 'I weigh 82 kg now.', 'My goal is to weigh 70 kg.'],
  // one value, written otherwise
  ['none', '五岁的女儿今天学会骑车了', '我女儿5岁，上中班'],
  ['none', 'The other team moved from Kafka to Pulsar.', 'We use Kafka.'],
  ['none', '隔壁组晨会改到十点了', '我们晨会九点半'],
  ['none', 'Landlord wanted to raise the rent to 800, I said no.', 'My rent is 700.'],
  ['none', 'My grandfather died in May.', 'My grandfather taught me to whittle.'],
  ['none', 'Inky stole a sock.', 'I have a ferret called Inky.'],
  // a birthday gives the age
  ['supersedes', 'I turned 52 on Saturday.', "I'm 51."],
  ['supersedes', 'It was my 52nd birthday yesterday.', "I'm 51."],
  ['supersedes', '我昨天满四十了', '我今年三十九'],
  // an end is of what its own clause names, of all of it, and for good
  ['none', 'Half my team has left Siemens this year.', 'I work at Siemens.'],
  ['none', '昨晚没练二胡，太困了', '我每晚练二胡'],
  ['none', '我老公说：我以后不喝普洱茶了', '我喝普洱茶'],
  ['none', '想从铁路局离职了，又不敢', '我在铁路局上班'],
  // one word stands for another in an attribute of one value
  ['supersedes', 'I prefer aisle seats now.', 'I prefer window seats.'],
  ['none', 'I enjoy crime novels now.', 'I enjoy spy novels.'],
  // what is left, denied or taken anew is the value that was given
  ['supersedes', '手机换成 Mate 60 了', '我手机是 iPhone 13'],
  // another day of the same place is another visit
  ['none', 'I visited Corfu Public Library on February 12.', 'I will visit Corfu Public Library on November 10.'],
])('an end told in other words: %s, "%s" after "%s"', (relation, newer, older) => {
  expect(relate(heard(newer, 30), heard(older)).relation).toBe(relation)
})

test.each([
  [
    'I wish we could move to Galway one day.',
    'We live above the bakery in Sligo, and my brother Fergal works downstairs.',
  ],
  ['听说他们想搬去大理。', '我住在洱源县城，我弟弟阿树在镇上修车。'],
])('beside a wish or hearsay without a value no older statement is read: %s', (wish, older) => {
  const read: string[] = []
  const stop = watchReadings((name, text) => read.push(`${name}: ${text}`))
  expect(relate(heard(wish, 3), heard(older)).relation).toBe('none')
  stop()
  expect(read.filter((one) => one === `facts: ${older}` || one === `people: ${older}`)).toEqual([])
})

test.each([
  ['On Sunday I planted tomatoes and basil on the balcony.', 'I planted tomatoes on the balcony on Sunday.'],
  ['On Tuesday I met Dana and Boris at the pier.', 'I met Dana at the pier on Tuesday.'],
  ['周日我在阳台种了番茄和罗勒。', '周日我在阳台种了番茄。'],
])('a statement that names one thing more is no repeat: %s', (newer, older) => {
  expect(relate(heard(newer, 3), heard(older, 0)).relation).toBe('none')
})
