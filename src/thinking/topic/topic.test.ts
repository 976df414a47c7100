import { expect, test } from 'vitest'
import { spansOf } from './title-spans.ts'
import { BETWEEN, topicOf } from './topic.ts'
import { rarityOf } from './word-rarity.ts'

const said = (...texts: readonly string[]) => texts.map((text, turn) => ({ text, turn, weight: 1, names: true }))
const spans = (sentence: string): readonly string[] => spansOf(sentence).map(({ text }) => text)

test('what many chats say tells less than what few do', () => {
  expect(rarityOf('make')).toBe(0)
  expect(rarityOf('今天')).toBe(0)
  expect(rarityOf('budget')).toBeLessThan(rarityOf('aubergin'))
  expect(rarityOf('计划')).toBeLessThan(rarityOf('提拉米苏'))
})

test('a span stands in one clause, begins and ends with words of content, and leaves what is asked outside', () => {
  for (const [sentence, span] of [
    ['I was wondering about the leak in the garden hose, and I need a new one', 'leak in the garden hose'],
    ['Could you please tune the organ?', 'tune the organ'],
    ['我们想给小程序改按钮的点击反馈', '按钮的点击反馈'],
    ['帮我写封感谢信', '写封感谢信'],
    ['The grant of 12,500 crowns came', 'grant of 12,500 crowns'],
    ['我外婆周三来扬州住半个月 她眼睛刚做过手术', '来扬州住半个月'],
    ['看了《海边的灯塔》的话剧', '《海边的灯塔》的话剧'],
    ['我刚给阳台装好了滴灌系统', '阳台装好了滴灌系统'],
  ] as const)
    expect(spans(sentence), sentence).toContain(span)
  for (const span of [...spans('昨晚参加了一场有趣的陶艺讲座'), ...spans('周末又在听民谣电台')])
    expect(span).not.toMatch(/^[了又]/)
  for (const span of spans('First, the ferry leaves at nine (or ten)'))
    expect(span).not.toMatch(/,|\bthe$|^at|\([^)]*$/)
})

test.each([
  ['我刚刚跑完了同里的半程马拉松，膝盖有点酸', /半程马拉松/],
  ['Last week I signed up for a pottery class in Ghent, it was so much fun', /pottery class/],
])('the topic is no sentence of a teller: %s', (sentence, topic) => {
  const { parts } = topicOf(said(sentence), 60)!
  expect(parts.join()).toMatch(topic)
  expect(parts.join()).not.toMatch(/我|刚|\bI\b|last week/i)
})

test('what comes again in other turns is the topic; nothing said is none', () => {
  expect(
    topicOf(said('A kestrel nests above our balcony.', 'Bread is rising.', 'Does a kestrel mind noise?'), 60)?.parts[0],
  ).toContain('kestrel')
  expect(topicOf([], 60)).toBeNull()
  expect(topicOf(said('the and of 的了吗', '!!! 123'), 60)).toBeNull()
})

test('a matter that comes again is named beside the first, one mentioned once is not', () => {
  const chat = ['The tram was late.', 'A kestrel nest is on our balcony.', 'My sourdough starter smells of vinegar.']
  const later = ['Does the kestrel nest need shade?', 'We had rain.', 'The tram is full.']
  expect(topicOf(said(...chat, 'I feed the sourdough starter.', ...later), 60)?.parts).toEqual([
    'kestrel nest',
    'sourdough starter',
  ])
  expect(topicOf(said(...chat, ...later), 60)?.parts).toEqual(['kestrel nest'])
})

test('a topic keeps its bound, and a very long text is read in time that grows with its length only', () => {
  for (const text of ['word '.repeat(20_000), '灯塔透镜'.repeat(5_000), 'a, '.repeat(20_000), 'x'.repeat(50_000)])
    expect([...(topicOf(said(text.slice(0, 600)), 60)?.parts.join(BETWEEN) ?? '')].length).toBeLessThanOrEqual(60)
})
