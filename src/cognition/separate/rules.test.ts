import { expect, test } from 'vitest'
import { DAY_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { lexicalSimilarity } from '../similarity/rules.ts'
import { areSeparated, type SeparationSide, separateByRules, separationPatch, withoutLabel } from './rules.ts'

const START = Date.parse('2026-05-04T10:00:00Z')

function side(id: string, text: string, days = 0, metadata: Memory['metadata'] = null): SeparationSide {
  return { id, text, occurredAt: START + days * DAY_MS, who: 'user', metadata }
}

/** Both as they are after separation. */
function separated(a: SeparationSide, b: SeparationSide): readonly [SeparationSide, SeparationSide] {
  const { first, second } = separateByRules(a, b)!
  return [
    { ...a, ...separationPatch(a, first, b.id) },
    { ...b, ...separationPatch(b, second, a.id) },
  ]
}

const monday = side('m', 'Ran along the river with Jonas, 6 km, felt strong.', 0, { context: 'training', thing: 'run' })
const thursday = side('t', 'Ran along the river with Edda, 9 km, felt strong.', 3, {
  context: 'training',
  thing: 'run',
})

test('002 R5.5: separating updates text, metadata.context and metadata.thing of both records', () => {
  const [a, b] = separated(monday, thursday)
  expect(a.text).toBe(`[4 May, Jonas, 6 km] ${monday.text}`)
  expect(b.text).toBe(`[7 May, Edda, 9 km] ${thursday.text}`)
  expect(a.metadata).toMatchObject({ context: '[4 May, Jonas, 6 km] training', thing: '[4 May, Jonas, 6 km] run' })
  expect(a.metadata!.context).not.toBe(b.metadata!.context)
  expect(a.metadata!.thing).not.toBe(b.metadata!.thing)
})

test('both begin with what distinguishes them and keep their own words, in English and in Chinese', () => {
  const chinese = [
    side('甲', '周一早上和阿杰在滨江跑步，跑了六公里，状态不错。'),
    side('乙', '周四早上和小蔓在滨江跑步，跑了九公里，状态不错。', 3),
  ] as const
  for (const [a, b] of [[monday, thursday] as const, chinese]) {
    const [one, other] = separated(a, b)
    const [first, second] = [one, other].map(({ metadata }) => String(metadata!.separated_label))
    expect(lexicalSimilarity(first!, second!)).toBeLessThan(lexicalSimilarity(a.text, b.text))
    expect(one.text.endsWith(a.text)).toBe(true)
    expect(other.text.endsWith(b.text)).toBe(true)
  }
})

test('what stands in front is written in the language of the record', () => {
  const [a] = separated(side('甲', '在老店吃了牛肉面。'), side('乙', '在老店吃了羊肉面。', 1))
  expect(a.text).toBe('【5月4日，牛肉】在老店吃了牛肉面。')
})

test('memories that were told apart are not rewritten again', () => {
  const [a, b] = separated(monday, thursday)
  expect(areSeparated(a, b)).toBe(true)
  expect(separateByRules(a, b)).toBeNull()
  expect(separateByRules(b, a)).toBeNull()
})

test('a record that is told apart from one after another keeps its words and one short label', () => {
  let a = monday
  for (let day = 1; day <= 20; day++) {
    const other = side(`o${day}`, `Ran along the river with Nils${day}, ${day + 20} km, felt weak.`, day)
    const separation = separateByRules(a, other)
    if (separation !== null) a = { ...a, ...separationPatch(a, separation.first, other.id) }
  }
  expect(withoutLabel(a)).toBe(monday.text)
  expect(a.text.length).toBeLessThan(monday.text.length + 120)
  expect(String(a.metadata!.thing).length).toBeLessThan(120)
})

test('two records that nothing distinguishes stay as they are', () => {
  expect(separateByRules(side('a', 'Watered the plants.'), side('b', 'Watered the plants.'))).toBeNull()
})
