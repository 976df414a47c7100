import { expect, test } from 'vitest'
import { DAY_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { withoutLabel } from '../merge/episode-metadata.ts'
import { areSeparated, type SeparationSide, separateByRules, separationPatch } from './separate-by-rules.ts'

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
  expect(a.text).toBe(`[4 May] ${monday.text}`)
  expect(b.text).toBe(`[7 May] ${thursday.text}`)
  expect(a.metadata).toMatchObject({ context: '[4 May] training', thing: '[4 May] run' })
  expect(a.metadata!.context).not.toBe(b.metadata!.context)
  expect(a.metadata!.thing).not.toBe(b.metadata!.thing)
})

test('of one day both begin with what each has in the place of the other’s, in English and in Chinese', () => {
  const english = [side('m', 'Met Jonas at the harbour for lunch.'), side('t', 'Met Edda at the harbour for lunch.')]
  const chinese = [side('甲', '和设计组开会讨论了首页改版。'), side('乙', '和财务组开会讨论了首页改版。')]
  const texts = (pair: readonly SeparationSide[]) => separated(pair[0]!, pair[1]!).map(({ text }) => text)
  expect(texts(english)).toEqual([`[Jonas] ${english[0]!.text}`, `[Edda] ${english[1]!.text}`])
  expect(texts(chinese)).toEqual([`【设计】${chinese[0]!.text}`, `【财务】${chinese[1]!.text}`])
})

test('what stands in front is written in the language of the record', () => {
  const [a] = separated(side('甲', '在老店吃了牛肉面。'), side('乙', '在老店吃了羊肉面。', 1))
  expect(a.text).toBe('【5月4日】在老店吃了牛肉面。')
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
