/** The scenarios of specification 000 on how memories are found, by the rules and with a scripted model, which is never asked. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { extractKeywords } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { DAY, openThinking, THINKERS, type ThinkingMemory } from '../support/thinking-memory.ts'

describe.each(THINKERS)('thinking by %s', (by) => {
  let open: ThinkingMemory | undefined
  const start = async (path = freshDatabase()): Promise<ThinkingMemory> => {
    open = await openThinking(by, { path })
    return open
  }
  /** "none to recall": what these tests ask for never costs a call of a model. */
  afterEach(() => {
    expect(open?.requests ?? []).toEqual([])
    open = undefined
  })
  const keep = async ({ memory }: ThinkingMemory, text: string, more: object = {}) =>
    (await memory.add(text, { infer: false, ...more })).results[0]!.id
  const find = async ({ memory }: ThinkingMemory, query: string) =>
    (await memory.search(query, { ranking: 'long-term', explain: true })).results
  const factor = (found: Awaited<ReturnType<typeof find>>[number] | undefined, name: string) =>
    found?.explanation?.features.find(({ feature }) => feature === name)

  test('Keyword extraction from user message: "提取有意义的关键词，如 ["Python", "代码", "喜欢"] … 过滤停用词 … 支持中英文混合提取"', async () => {
    expect([...(await extractKeywords('我喜欢用 Python 写代码'))].toSorted()).toEqual(
      ['Python', '代码', '喜欢'].toSorted(),
    )
    const thinking = await start()
    const id = await keep(thinking, '平时写代码用 Python。')
    await keep(thinking, '我用的是左手。')
    // The stop words 我 and 用 find nothing by themselves.
    expect((await find(thinking, '我喜欢用 Python 写代码')).map((found) => found.id)).toEqual([id])
  })

  test('Category-based candidate recall: "优先召回 preference 类别的记忆 … 应用 1.5x 的 category_boost"', async () => {
    const thinking = await start()
    const fact = await keep(thinking, '绿茶产自杭州。', { category: 'fact' })
    const taste = await keep(thinking, '绿茶每天都喝。', { category: 'preference' })
    const boosts = async (query: string) => {
      const results = await find(thinking, query)
      return [taste, fact].map(
        (id) =>
          factor(
            results.find((found) => found.id === id),
            'category',
          )?.value,
      )
    }
    expect(await boosts('我喜欢绿茶')).toEqual([1.5, 1])
    expect(await boosts('绿茶')).toEqual([1, 1])
    expect((await find(thinking, '我喜欢绿茶'))[0]?.id).toBe(taste)
  })

  test('Keyword matching with SQLite FTS: "使用 FTS5 的 MATCH 语法 … 支持前缀匹配（如 "Pyth*" 匹配 "Python"）… 返回 BM25 相关性评分作为 keyword_score"', async () => {
    const path = freshDatabase()
    const thinking = await start(path)
    const twice = await keep(thinking, 'Python, and Python again.')
    const once = await keep(thinking, 'Somebody in the village keeps a python in the shed behind the old mill.')
    for (const query of ['Pyth*', 'python']) {
      const results = await find(thinking, query)
      expect(results.map(({ id }) => id)).toEqual([twice, once])
      const [best, other] = results.map((found) => factor(found, 'keyword')!.value)
      expect(best).toBe(1)
      expect(other).toBeGreaterThan(0)
      expect(other).toBeLessThan(1)
    }
    using database = new DatabaseSync(path, { readOnly: true })
    const table = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'memory_words'").get()
    expect(table?.sql).toMatch(/USING fts5/i)
  })

  test('Fallback to LIKE matching: "FTS5 索引不可用或查询失败 … 降级使用 SQL LIKE 模糊匹配 … 基于匹配关键词数量计算 keyword_score"', async () => {
    const path = freshDatabase()
    const thinking = await start(path)
    const both = await keep(thinking, 'The choir rehearses in the chapel.')
    const one = await keep(thinking, 'The chapel was painted white.')
    const chinese = await keep(thinking, '合唱团在小教堂里排练。')
    {
      using database = new DatabaseSync(path)
      database.exec('DROP TABLE memory_words')
    }
    const results = await find(thinking, 'choir chapel')
    expect(results.map(({ id }) => id)).toEqual([both, one])
    const [twoWords, oneWord] = results.map((found) => factor(found, 'keyword')!.value)
    expect([twoWords, oneWord]).toEqual([1, 0.5])
    expect((await find(thinking, '合唱团'))[0]?.id).toBe(chinese)
  })

  test('Relevance score calculation: "score = (keyword_score * 0.4) + (category_boost * 0.2) + (recency_score * 0.15) + (frequency_score * 0.1) + (confidence * 0.15)"', async () => {
    const thinking = await start()
    const id = await keep(thinking, 'The cello is at the luthier’s.', { confidence: 0.8 })
    for (let access = 0; access < 9; access += 1) await thinking.memory.touch([id])
    thinking.pass(7 * DAY)
    const [found] = await find(thinking, 'cello')
    // The only match has the best BM25; half of the recency is gone after 7 days; nine accesses on a logarithmic scale.
    const sum = 0.4 * 1 + 0.2 * 1 + 0.15 * 0.5 + 0.1 * (Math.log(10) / Math.log(101)) + 0.15 * 0.8
    expect(found!.score).toBeCloseTo(sum, 3)
    expect(found!.explanation!.features.map(({ feature, weight }) => [feature, weight])).toEqual([
      ['keyword', 0.4],
      ['category', 0.2],
      ['recency', 0.15],
      ['frequency', 0.1],
      ['confidence', 0.15],
    ])
  })

  test('Empty retrieval result: "返回空列表 … 不影响后续对话流程"', async () => {
    const thinking = await start()
    await keep(thinking, '自行车在地下室。')
    expect(await thinking.memory.search('submarine cable', { ranking: 'long-term' })).toMatchObject({
      results: [],
      warnings: [],
    })
    const { layers, messages } = await thinking.memory.context.build('submarine cable', { conversationId: 'chat' })
    expect(layers[3]).toMatchObject({ text: '', tokens: 0 })
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'submarine cable' })
  })

  test('Memory storage capacity: "系统不设置人为的记忆条目数量上限"', async () => {
    const path = freshDatabase()
    const thinking = await start(path)
    await keep(thinking, 'The first of many.')
    using database = new DatabaseSync(path)
    // As many as SQLite can number: no table bounds its rows, no trigger counts them, no file its pages.
    const schema = database.prepare('SELECT group_concat(sql, char(10)) AS text FROM sqlite_schema').get()
    expect(String(schema?.text)).not.toMatch(/RAISE\s*\(\s*(?:ABORT|FAIL)[^)]*(?:limit|too many|full)/i)
    expect(database.prepare('PRAGMA max_page_count').get()).toEqual({ max_page_count: 4_294_967_294 })
    await expect(thinking.memory.maintenance.evict()).rejects.toMatchObject({ field: 'threshold' })
  })
})
