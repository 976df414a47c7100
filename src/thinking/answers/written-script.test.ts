import { expect, test } from 'vitest'
import { inSameScript, mainScript } from './grounding.ts'

test('names of another script do not change the script of a text', () => {
  expect(mainScript('I moved to 上海 last week')).toBe('latin')
  expect(mainScript('我用 React 写 dashboard，后端是 Go')).toBe('han')
  expect(mainScript('昨日、東京に引っ越しました')).toBe('kana')
  expect(mainScript('Я переехал в Казань')).toBe('cyrillic')
  expect(mainScript('12 + 7 = 19!')).toBeNull()
})

test('an answer in another language is noticed, a name in the same one is not', () => {
  expect(inSameScript('我下个月搬到成都', 'The user moves to Chengdu next month.')).toBe(false)
  expect(inSameScript('I move to Chengdu next month', '用户下个月搬到成都。')).toBe(false)
  expect(inSameScript('用 VS Code 写 Python', '用户用 VS Code 写 Python。')).toBe(true)
  expect(inSameScript('我用 Neovim', 'Neovim 是用户的编辑器')).toBe(true)
  expect(inSameScript('I moved to 上海 last week', 'The user moved to 上海.')).toBe(true)
  expect(inSameScript('42', 'The answer is forty-two.')).toBe(true)
})
