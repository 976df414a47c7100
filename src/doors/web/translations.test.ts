import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { language } from './session.ts'
import { told } from './translations.ts'

function speakChinese(): void {
  language.value = 'zh'
  onTestFinished(() => {
    language.value = ''
  })
}

test('what the server says is told in Chinese with what stands in it, and what is not known stays as it came', () => {
  const said = '12 turns from here on: the turn is longer than 99 bytes'
  expect(told(said)).toBe(said)
  speakChinese()
  expect(told(said)).toBe('从这里起 12 条：这条消息超过 99 字节')
  expect(told('it gives another value (dentist, Mill Road); the rest of it may still hold')).toBe(
    '有了不同的说法（dentist, Mill Road）；其余部分可能仍然有效',
  )
  expect(told('memory.rag_top_n: -3 is out of range')).toBe('memory.rag_top_n：-3 超出范围')
  for (const unknown of ['', ': ', 'note: nobody knows', 'turns 3-', '它变了']) expect(told(unknown)).toBe(unknown)
})

test('every reason for which an import passes something over, or a context leaves it out, is known in Chinese', () => {
  speakChinese()
  const folder = new URL('../import-export/', import.meta.url)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const reasons = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/\breason: '([^']+)'/g)].map(([, reason]) => reason!),
  )
  const context = readFileSync(new URL('../../search/evidence/select-evidence.ts', import.meta.url), 'utf8')
  reasons.push(...[...context.matchAll(/^const [A-Z_]+ = '([^']+)'$/gm)].map(([, reason]) => reason!))
  expect(reasons.length).toBeGreaterThan(17)
  expect(reasons.filter((reason) => told(reason) === reason)).toEqual([])
})

test('why a model gave no answer, and what to do, is known in Chinese', () => {
  speakChinese()
  const source = readFileSync(new URL('../../models/llm/model-client.ts', import.meta.url), 'utf8')
  const sentences = [...source.matchAll(/(?:\d{3}:|remedy:|\?\?|_failed',)\s+['`]([^'`]+)['`]/g)].map(
    ([, words]) => words!,
  )
  expect(sentences.length).toBeGreaterThan(8)
  const said = sentences.map((words) => words.replace(/\$\{times\}/, '').replace(/\$\{[^}]+\}/g, '7'))
  expect(said.filter((words) => told(words) === words)).toEqual([])
})
