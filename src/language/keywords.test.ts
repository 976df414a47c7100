import { expect, test } from 'vitest'
import { extractKeywords, MOST_KEYWORDS } from './keywords.ts'

test('the sentence of specification 000 gives its three keywords in order of importance', async () => {
  expect(await extractKeywords('我喜欢用 Python 写代码')).toEqual(['Python', '代码', '喜欢'])
})

test('names come before nouns, nouns before verbs', async () => {
  const words = await extractKeywords('昨天我们讨论了 Redis 缓存')
  expect(words[0]).toBe('Redis')
  expect(words).toContain('缓存')
  expect(words).not.toContain('我们')
})

test('a frequent word comes before a rare one', async () => {
  expect((await extractKeywords('咖啡、茶叶、咖啡，还是咖啡'))[0]).toBe('咖啡')
})

test('English text loses its stop words and repeats and puts names first', async () => {
  const words = await extractKeywords('I prefer TypeScript for the backend, and the backends like it too')
  expect(words[0]).toBe('TypeScript')
  expect(words).toContain('backend')
  expect(words).not.toContain('backends')
  expect(words).not.toContain('the')
})

test.each(['', '   ', '的了吗', '👍🎉', '\ud800'])('%j has no keywords', async (text) => {
  expect(await extractKeywords(text)).toEqual([])
})

test('C++, C# and node names stay whole', async () => {
  expect(await extractKeywords('我用 C++ 和 C# 写 server.ts')).toEqual(
    expect.arrayContaining(['C++', 'C#', 'server.ts']),
  )
})

test('a long text gives a bounded number', async () => {
  const text = Array.from({ length: 500 }, (_, index) => `Widget${index}`).join('，')
  expect(await extractKeywords(`部署${text}`)).toHaveLength(MOST_KEYWORDS)
})

test.each([
  ['请用Rust重写这个解析器', ['Rust', '解析器', '重写']],
  ['麻烦用python画个折线图', ['python', '折线图']],
  ['劳驾用Go写个爬虫', ['Go', '爬虫']],
  ['能不能帮忙把readme翻译成中文', ['readme', '翻译成', '中文']],
  ['Please help me plot the rainfall of Lisbon, pls', ['Lisbon', 'plot', 'rainfall']],
])('who is asked and how politely is no keyword: %s', async (text, words) => {
  expect(await extractKeywords(text)).toEqual(words)
})

test('words are cut where the script changes', async () => {
  expect(await extractKeywords('帮我用pandas处理一下csv文件吧')).toEqual(['pandas', 'csv', '文件', '处理'])
  expect(await extractKeywords('我喜欢用Go写后端服务')).toEqual(['Go', '后端', '服务', '喜欢'])
})

test('a word that no dictionary knows is a name, also one that begins with a digit or a dot', async () => {
  expect(await extractKeywords('怎么用git回滚commit')).toEqual(['git', 'commit', '回滚'])
  expect(await extractKeywords('.NET支持3D和5G吗')).toEqual(['.NET', '3D', '5G', '支持'])
})
