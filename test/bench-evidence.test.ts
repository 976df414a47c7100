/** The measures of the benches `evidence` and `recall-quality`, on texts small enough to be judged by eye. */
import { expect, test } from 'vitest'
import type { ChatTurn } from '../bench/quality/chats.ts'
import { packPlainly, plainSearch } from '../bench/quality/plain-search.ts'
import { measure } from '../bench/quality/retrieval-metrics.ts'
import { contentWords, saidTwice, shownIn } from '../bench/quality/shown-in.ts'

const shows = (context: string, turn: string): boolean => shownIn(contentWords(context), turn)

test('a turn is shown when one stretch of the context holds half of its words', () => {
  const turn = 'My sister Joanna moved to Porto last spring with her two cats'
  expect(shows('- [2026-05-01] Joanna, the sister, moved to Porto in spring.', turn)).toBe(true)
  expect(shows('Porto is a town. Her sister is called Joanna.', turn)).toBe(false)
  const apart = `Joanna ${'talks about other things entirely '.repeat(20)} Porto`
  expect(shows(`sister moved ${apart} spring cats`, turn)).toBe(false)
})

test('Chinese is compared by pairs of characters', () => {
  expect(shows('用户去年春天搬到了厦门，养了两只猫', '我去年春天搬到了厦门')).toBe(true)
  expect(shows('用户住在北京', '我去年春天搬到了厦门')).toBe(false)
})

test('forty words of a long answer are a good excerpt, thirty-nine are not', () => {
  const answer = Array.from({ length: 200 }, (_, at) => `word${at}`)
  expect(shows(answer.slice(60, 100).join(' '), answer.join(' '))).toBe(true)
  expect(shows(answer.slice(60, 99).join(' '), answer.join(' '))).toBe(false)
})

test('a sentence that stands in two items is said twice, alone or within another', () => {
  const once = '- [2026-05-01; the user said so] "I take the night train to Vienna on Friday."'
  const again = '- [2026-05-02] "Good news! I take the night train to Vienna on Friday. And you?"'
  expect(saidTwice(`${once}\n${again}`)).toEqual(['i take the night train to vienna on friday'])
  expect(
    saidTwice('- Ann:\n  - **Example**: "I will call the vet today."\n- Ben: **You**: "I will call the vet today."'),
  ).toEqual(['i will call the vet today'])
  expect(
    saidTwice('- 我下周五坐夜车去维也纳看望我的姐姐和她的孩子。\n- 我下周五坐夜车去维也纳看望我的姐姐和她的孩子。'),
  ).toHaveLength(1)
})

test('origins, short sentences and what one item repeats are not said twice', () => {
  const origin = '[2026-05-01; about or by Caroline; the user said so; confidence 0.90]'
  expect(saidTwice(`- ${origin} "Thank you!"\n- ${origin} "Thank you! It helped."`)).toEqual([])
  const plan = '- **April 3**: talk with Douglas from 7 to 9'
  expect(saidTwice(`- Ann: The plan:\n  ${plan}\n  ${plan.replace('3', '10')}`)).toEqual([])
  expect(saidTwice('- I prefer walnut ink.\n- user: As I prefer walnut ink, this is nothing for me.')).toEqual([])
  expect(saidTwice('- "We are out of oat milk again. We are out of oat milk again."')).toEqual([])
})

const turn = (externalId: string, role: ChatTurn['role'], content: string): ChatTurn => {
  return { conversationId: 'c', externalId, speaker: null, role, content, createdAt: '2026-05-01T08:00:00Z' }
}
const TURNS = [
  turn('1', 'user', 'I bought a kayak in Bergen'),
  turn('2', 'assistant', 'A kayak! Kayaks need a dry place. Is your kayak dry?'),
  turn('3', 'user', '我的皮划艇放在厦门的仓库里'),
]

test('the plain rival finds stems and Chinese words, best first', () => {
  const search = plainSearch(TURNS)
  const ids = (question: string): readonly string[] => search(question).map(({ externalId }) => externalId)
  expect(ids('Where did I buy the kayaks in Bergen?')[0]).toBe('1')
  expect(ids('仓库在哪里？')).toEqual(['3'])
  expect(ids('?!')).toEqual([])
})

test('the plain packer stays within its budget and can put the user first', () => {
  const question = 'Is the kayak dry?'
  const found = [TURNS[1]!, TURNS[0]!]
  expect(packPlainly(found, question, 1000, false).text).toMatch(/Kayaks need.*\n.*Bergen/)
  expect(packPlainly(found, question, 1000, true).text).toMatch(/Bergen.*\n.*Kayaks need/)
  const small = packPlainly(found, question, 35, false)
  expect(small.tokens).toBeLessThanOrEqual(35)
  expect(small.text).toContain('Bergen')
})

test('a ranked list is measured by the share of gold turns, by one, by all and by the first', () => {
  const ranked = ['a', 'b', 'gold-1', ...Array.from({ length: 20 }, (_, at) => `x${at}`), 'gold-2']
  expect(measure(ranked, ['gold-1', 'gold-2'])).toEqual({
    'recall@5': 0.5,
    'recall@10': 0.5,
    'recall@50': 1,
    'any@10': 1,
    'all@10': 0,
    MRR: 1 / 3,
  })
})
