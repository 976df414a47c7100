import { expect, test } from 'vitest'
import type { KeptPart } from '../../domain/thought.ts'
import { besideNews } from './beside-news.ts'

const part = (text: string): KeptPart => ({ text, semantic: false, category: 'fact', importance: 0 })
const texts = (content: string, ...kept: readonly string[]) =>
  besideNews(content, kept.map(part)).map(({ text }) => text)

test('a sentence that was left out stays beside the news that it explains', () => {
  expect(texts('The new bike arrived! Green, with a basket.', 'The new bike arrived!')).toEqual([
    'The new bike arrived! Green, with a basket.',
  ])
  expect(texts('提车了！灰色的奔腾，省油', '提车了！')).toEqual(['提车了！灰色的奔腾，省油'])
})

test('news that was left out stays beside what was kept', () => {
  expect(texts('Scratch that, I read the wrong line. Staging is on 7002.', 'Staging is on 7002.')).toEqual([
    'Scratch that, I read the wrong line. Staging is on 7002.',
  ])
})

test('questions stay out, and so does everything where nothing has changed', () => {
  expect(texts('The new bike arrived! Do you like green?', 'The new bike arrived!')).toEqual(['The new bike arrived!'])
  expect(texts('I have a green bike. Lovely weather here.', 'I have a green bike.')).toEqual(['I have a green bike.'])
})
