import { expect, test } from 'vitest'
import { forbidsKeeping, forgetOrder, takesBack, withoutTakenBack } from './forget-orders.ts'

test.each([
  ['Please forget that I play the oboe.', ['I play the oboe']],
  ['forget my salary please', ['my salary']],
  ["you can delete the salary thing, it's private", ['salary']],
  ['please delete what I told you about my mum', ['my mum']],
  ["Forget the thing about my aunt's loan, she was upset that I told people", ["my aunt's loan"]],
  ['Could you forget everything I said about the divorce?', ['the divorce']],
  ['Keep my diagnosis out of your notes, please', ['my diagnosis']],
  ["pretend I didn't tell you about my brother", ['my brother']],
  ['forget about my ex', ['my ex']],
  ['忘掉我住在泉州', ['我住在泉州']],
  ['把我的生日忘掉', ['我的生日']],
  ['忘掉我刚才说的房租的事', ['房租']],
  ['我之前说的房租的事你忘了吧，就是4200那个', ['房租', '就是4200那个']],
  ['请忘掉我的电话号码。', ['我的电话号码']],
])('"%s" names what is to be forgotten', (text, named) => {
  expect(forgetOrder(text)?.named).toEqual(named)
  expect([forbidsKeeping(text), takesBack(text)]).toEqual([true, false])
})

test.each([
  'forget that',
  'Please erase what I just said.',
  '忘了刚才说的',
  '你把我刚才的话忘了吧',
  "don't remember that",
  '刚才说的别记',
  'delete that from your memory',
  'please keep that out of your memory',
  "that stays between us, don't store it",
  'never mind, pretend i never said that',
  "delete that, please don't store it",
  '这话你就当我没说过',
  '刚才那条别记',
  '当我没说',
  '月薪那个你别往心里记，当我没说',
])('"%s" means the message before it', (text) => {
  expect([forbidsKeeping(text), takesBack(text)]).toEqual([true, true])
})

test.each([
  'Forget it.',
  "Forget it, let's take the blue one.",
  "Forget my diet, let's order pizza",
  'I forgot my keys at the office',
  "Don't forget that I need a vegan menu.",
  'Forget Python, use Rust',
  '忘了吧',
  '忘了带钥匙',
  '忘了我的钥匙放哪了',
  '我把密码忘了',
  '别忘了我周五不上班',
  '我怕时间久了会忘记这些细节。',
  '我姐夫昨天把自己公司的车牌忘了',
  'We do not store passwords in plain text.',
  "I don't remember the name of the street.",
  'Do you store this somewhere?',
  '日志不要记录用户的手机号，这是我们的规范',
  'I never keep receipts.',
  'Forget about sugar, I use honey in my tea now',
  'Keep the cache out of memory',
  'We pretend I never said that to my boss and move on',
  '别往心里去',
  '当我没说话的时候，他就走了',
  'Do not store my token in the repository',
  'You never remember my birthday.',
  'I like opera but do not remember my first one.',
  '他让我别记我们的仇。',
  '这家店让人特别记住我。',
  '不用记那么多单词。',
])('"%s" orders and forbids nothing', (text) => {
  expect([forgetOrder(text), forbidsKeeping(text), takesBack(text)]).toEqual([null, false, false])
})

test.each([
  'Don’t remember this: my locker combination is 31-7-12.',
  "I'm seeing a therapist, please don't write that down.",
  'Off the record, we are going to sell the company.',
  '别记：我下个月要离职',
  '这件事不要保存，我在看心理医生。',
  "Keep this out of your memory: I'm seeing a therapist",
  'Please do not save that my cousin left the army.',
  "Don't keep a record of my bets. What shall I cook?",
  "I'd rather you didn't remember that I failed the bar exam.",
  "I don't want it saved that I'm moving out.",
  'My prescription must not be stored.',
  'Could you please not remember that I snore?',
  '别记住我搬家了。今晚吃什么？',
  '别把我住院的事记下来。',
  '我不想让你记录我的体重，九十公斤。',
  '不用记我住在哪个小区。',
])('nothing of "%s" may be kept, and nothing before it is meant', (text) => {
  expect([forbidsKeeping(text), takesBack(text)]).toEqual([true, false])
})

test('what is taken back goes with its answer', () => {
  const messages = [
    'I rent a boat.',
    'Nice.',
    'My loan is 40k.',
    'Noted, 40k.',
    'forget that',
    'Done.',
    'I rent a van.',
    'OK.',
  ]
  const chat = messages.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))
  expect(withoutTakenBack(chat).map(({ content }) => content)).toEqual([
    'I rent a boat.',
    'Nice.',
    'I rent a van.',
    'OK.',
  ])
})

test('a long message is not to be kept where its beginning or its end says so, and is read no further', () => {
  const pasted = 'The log of the pump says nothing new. '.repeat(1000)
  const order = "Don't remember this, it is between us."
  expect([`${order} ${pasted}`, `${pasted}${order}`, `${pasted}${order} ${pasted}`].map(forbidsKeeping)).toEqual([
    true,
    true,
    false,
  ])
})
