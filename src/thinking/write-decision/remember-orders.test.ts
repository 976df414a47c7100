import { expect, test } from 'vitest'
import { isBareOrder, mentionsOrder, withoutOrder } from './remember-orders.ts'

test.each([
  ['Remember that I never work on Mondays', 'I never work on Mondays'],
  ['could you make a note: the gate code is 5512', 'the gate code is 5512'],
  ['for future reference, our tests need the VPN', 'our tests need the VPN'],
  ['My shoe size is 41, please remember that.', 'My shoe size is 41'],
  ['oh and btw, please remember: the till float is 80 pounds', 'the till float is 80 pounds'],
  ['对了，帮我记一下，门禁是4471#', '门禁是4471#'],
  ['帮我记一下，车位在负二层', '车位在负二层'],
  ['我不吃羊肉，记住了啊', '我不吃羊肉'],
  ['记到你的长期记忆里：我不吃羊肉', '我不吃羊肉'],
  ['记到笔记里，周五之前交稿', '周五之前交稿'],
])('%s', (order, statement) => {
  expect(withoutOrder(order)).toBe(statement)
})

test('a memory that was wrong is no order', () => {
  expect(withoutOrder('你记错了，展览在周六')).toBe('你记错了，展览在周六')
  expect(withoutOrder('记：展览在周六')).toBe('展览在周六')
})

test.each(['remember to call the vet', 'Remember when we lived in Porto?', '记得吗', 'remember this', '记住这个'])(
  'stays as it was, for nothing is stated without the order: %s',
  (content) => {
    expect(withoutOrder(content)).toBe(content)
  },
)

test.each([
  ['Can you write down that we park at level -2?', 'we park at level -2.'],
  ['For future reference, the boiler was serviced in October.', 'the boiler was serviced in October.'],
  ['Store this in memory: our tax number is 998 221 134.', 'our tax number is 998 221 134.'],
  ['I need you to remember one thing: I’m colour-blind.', 'I’m colour-blind.'],
  ['Remember the ferry is cancelled on Sundays.', 'the ferry is cancelled on Sundays.'],
  ['可以帮我记住我的生日是九月三号吗？', '我的生日是九月三号。'],
  ['请牢记我们的品牌色是 #1A73E8。', '我们的品牌色是 #1A73E8。'],
  ['把这个记下来：备用钥匙在花盆下面。', '备用钥匙在花盆下面。'],
  ['备忘：护照 2028 年到期。', '护照 2028 年到期。'],
  ['记得我不吃辣。', '我不吃辣。'],
  ['你一定不要忘记我住在湖州', '我住在湖州'],
  ["You mustn't ever forget that we close at five.", 'we close at five.'],
  ['Please keep a record of this: the chimney was swept in May.', 'the chimney was swept in May.'],
  ['I need this remembered: my berth is number 18.', 'my berth is number 18.'],
  ['这件事你得记住：我爸不能喝酒。', '我爸不能喝酒。'],
  ['请把我的新地址记下来：人民路88号。', '我的新地址：人民路88号。'],
  ['我吃素，麻烦记录一下。', '我吃素'],
  ['把下面这条存进长期记忆：仓库在三号楼', '仓库在三号楼'],
])('the statement of an order stays: %s', (order, statement) => {
  expect(withoutOrder(order)).toBe(statement)
})

test.each([
  ['Store that, please.', true],
  ['Can you write that down for me?', true],
  ['请记住这一点。', true],
  ['你记一下。', true],
  ['Save the figures.', false],
  ['Remember Ida?', false],
  ['记录表更新了。', false],
])('an order that names nothing itself: %s', (sentence, isBare) => {
  expect(isBareOrder(sentence)).toBe(isBare)
})

test.each([
  ['I must remember to feed the neighbour’s fish.', false],
  ['I note down all my runs.', false],
  ['He told me to remember the rules.', false],
  ['I want you to remember my size.', true],
  ['Our vet moved, please keep that in mind.', true],
  ['老板让我记录每个电话。', false],
  ['我奶奶还记得我的小名。', false],
  ['我住八楼，你要记住。', true],
])('only who is told to remember is given an order: %s', (sentence, orders) => {
  expect(mentionsOrder(sentence)).toBe(orders)
})
