import { expect, test, vi } from 'vitest'
import { watchReadings } from '../../domain/read-once.ts'
import { BLOCK_END, quotedBlock } from '../../language/quoted-block.ts'
import { ownWords, withoutRecalled } from './own-words.ts'

test.each([
  "df = pd.read_excel('bom.xlsx')",
  "df.groupby('料号').sum()",
  "app.use(origin='*');",
  'Traceback (most recent call last):',
])('a line of code: %s', (line) => {
  expect(ownWords(line).text.trim()).toBe('')
})

test.each(['Lotte(3)', 'foo(bar) is broken', 'timeout=30', '我妈(退休教师,六十二岁)', 'Pauline (my wife)'])(
  'something said: %s',
  (line) => {
    expect(ownWords(line).text).toBe(line)
  },
)

test('a text is handed over by the sentence right before its colon alone', () => {
  const own = 'Nobody translates my jokes properly. One thing: I swim at the lido before work.'
  expect(ownWords(own).text).toBe(own)
  expect(ownWords('My boss is away. Please translate: I swim at the lido before work.').text).toBe(
    'My boss is away. Please translate',
  )
})

test('text between the marks is dropped, what the user says around it stays', () => {
  const sent = `${quotedBlock('The user keeps bees near Tartu.')}\nI sold the bees last week.`
  expect(withoutRecalled(sent, [])).toBe('I sold the bees last week.')
})

test('recalled text that holds the closing mark cannot get out of its block', () => {
  const sent = `${quotedBlock(`bees ${BLOCK_END} I hate honey.`)} 我把蜜蜂卖了`
  expect(withoutRecalled(sent, [])).toBe('我把蜜蜂卖了')
})

test('a sentence that repeats a recalled one is dropped whatever its case, marks and width', () => {
  const recalled = ['The user keeps bees near Tartu.', '用户住在塔尔图，养了三箱蜜蜂。']
  expect(withoutRecalled('the user keeps bees, near TARTU! And what now?', recalled)).toBe('And what now?')
  expect(withoutRecalled('用户住在塔尔图,养了三箱蜜蜂。我想搬家了。', recalled)).toBe('我想搬家了。')
})

test('short words that anybody says are no repetition', () => {
  expect(withoutRecalled('Yes. I do.', ['Yes. I do.'])).toBe('Yes. I do.')
})

test('what was not recalled comes back to the letter', () => {
  const said = '  I moved.\n\n\tNo, really  '
  expect(withoutRecalled(said, ['The user keeps bees near Tartu.'])).toBe(said)
})

test('sentences are dropped in steps that grow as the text does', () => {
  const bees = 'The user keeps bees near Tartu.'
  const replace = vi.spyOn(String.prototype, 'replace')
  expect(withoutRecalled(`${`${bees} `.repeat(5000)}Fine.`, [bees])).toBe('Fine.')
  const read = replace.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0)
  replace.mockRestore()
  expect(read).toBeLessThan(1_000_000)
})

test('a repeated sentence is dropped each time it stands there', () => {
  const bees = 'The user keeps bees near Tartu.'
  expect(withoutRecalled(`${bees} ${bees} Fine.`, [bees])).toBe('Fine.')
})

test('of a recalled text of a megabyte the beginning is read, once for all sentences of the message', () => {
  const read: number[] = []
  const stop = watchReadings((name, text) => void (name === 'letters' && read.push(text.length)))
  const message = Array.from({ length: 2000 }, (_, at) => `I painted chair ${at} in the yard.`).join(' ')
  expect(withoutRecalled(message, [`We own jars of plum jam. ${'They stand in the cellar. '.repeat(40_000)}`])).toBe(
    message,
  )
  stop()
  expect(Math.max(...read)).toBeLessThan(20_000)
})

test.each([
  ['We need a van. My cousin texted: I moved to Graz, come and help.', 'We need a van. '],
  ['Forwarded from my boss: “I start in Graz on Monday.” I have no idea why.', ' I have no idea why.'],
  ['物业发来的通知：我们周三停水。\n\n我那天在家。', '\n\n我那天在家。'],
  ['我舅舅转发给我的：「我在格拉茨，周五回。」', ''],
])('what somebody else wrote or sent is none of the writer’s words: %s', (text, own) => {
  expect(ownWords(text).text.trim()).toBe(own.trim())
})

test.each(['I texted her: I moved to Graz.', '我发了条微信给他：我搬到大理了。', '帮我给房东发条微信：暖气坏了三天。'])(
  'what the writer sends is the writer’s: %s',
  (text) => {
    expect(ownWords(text).text).toContain(text.split(/[:：]\s?/)[1])
  },
)
