import { expect, test } from 'vitest'
import {
  editParts,
  emptyNotes,
  entriesOf,
  entryId,
  entryLine,
  idIn,
  isOver,
  joinParts,
  parseNotes,
  textIn,
  withMarks,
} from './parse-notes.ts'

const FILE = `# MEMORY

Written by hand, above everything.

## 用户信息 / User information
- [2026-05-07] I live in Porto. <!-- mneme:0123456789ab -->
  together with two cats
* 我会说德语。

Some words between.

### Family
- My sister is called Ana.

## Recipes
- leek soup

##偏好设置
1. I drink oolong tea.

\`\`\`md
- not an entry <!-- mneme:ffffffffffff -->
\`\`\`

The last words`

test('a file taken apart and put together is the same to the last byte', () => {
  for (const text of [FILE, FILE.replaceAll('\n', '\r\n'), '', '\n\n', '- \n-', '\ufeff# 用户信息\n- 一'])
    expect(joinParts(parseNotes(text))).toBe(text)
})

test('entries are list items under the five headings, with their section and id', () => {
  const entries = entriesOf(parseNotes(FILE)).map(({ section, id, text }) => ({ section, id, text }))
  expect(entries).toEqual([
    { section: 'user', id: '0123456789ab', text: 'I live in Porto.\ntogether with two cats' },
    { section: 'user', id: null, text: '我会说德语。' },
    { section: 'user', id: null, text: 'My sister is called Ana.' },
    { section: 'preferences', id: null, text: 'I drink oolong tea.' },
  ])
})

test('an item with an id is an entry wherever a person has moved it', () => {
  const parts = parseNotes('## My own\n- moved here <!-- mneme:0123456789ab -->\n')
  expect(entriesOf(parts)[0]).toMatchObject({ id: '0123456789ab', section: null, text: 'moved here' })
})

test('code and comments that never end hide nothing', () => {
  const entries = entriesOf(parseNotes('## 用户信息\n```\n- a cat\n<!-- open\n- 一只狗\n'))
  expect(entries.map(({ text }) => text)).toEqual(['a cat', '一只狗'])
})

test('a new entry stands behind the last one of its section, and missing sections are made in order', () => {
  const at = (text: string) => ({ line: entryLine('2026-05-08', text, { id: entryId(text), note: '', isOver: false }) })
  const parts = parseNotes(FILE)
  const written = joinParts(
    editParts(
      parts,
      new Map(),
      [
        { section: 'user', ...at('I am 41.') },
        { section: 'problems', ...at('数据库锁住时重启即可。') },
        { section: 'decisions', ...at('We chose Postgres.') },
      ],
      'zh',
    ),
  )
  const entries = entriesOf(parseNotes(written))
  expect(entries.map(({ section, text }) => `${section}: ${text}`).slice(2)).toEqual([
    'user: My sister is called Ana.',
    'user: I am 41.',
    'preferences: I drink oolong tea.',
    'decisions: We chose Postgres.',
    'problems: 数据库锁住时重启即可。',
  ])
  expect(written.replaceAll('\n', '')).toContain('The last words')
  for (const line of FILE.split('\n')) expect(written.split('\n')).toContain(line)
  expect(written.indexOf('## 重要决定')).toBeLessThan(written.indexOf('## 技术问题'))
})

test('an empty file has the five headings in the order of the specification', () => {
  expect(emptyNotes('zh').match(/## (.+)/g)).toEqual([
    '## 用户信息',
    '## 偏好设置',
    '## 技术配置',
    '## 重要决定',
    '## 技术问题',
  ])
})

test('changing an entry changes nothing else', () => {
  const parts = parseNotes(FILE)
  const [first, second] = entriesOf(parts)
  const marks = (id: string) => ({ id, note: '', isOver: false })
  const changes = new Map([
    [first!, withMarks(first!.raw, marks('0123456789ab'), () => 'I live in Lisbon. <!-- -->', true)],
    [second!, withMarks(second!.raw, marks('abcdefabcdef'))],
  ])
  const text = joinParts(editParts(parts, changes, [], 'both'))
  expect(text).toContain('- [2026-05-07] I live in Lisbon. <\u200b!-- --> <!-- mneme:0123456789ab -->\n')
  expect(text).toContain('* 我会说德语。 <!-- mneme:abcdefabcdef -->\n')
  expect(text.split('\n').length).toBe(FILE.split('\n').length - 1)
})

test.each(['I live in Porto.', '我住在杭州。'])(
  'an entry that is over is struck through and says the same: %s',
  (text) => {
    const holds = { id: '0123456789ab', note: '', isOver: false }
    const line = entryLine('2026-05-07', text, holds)
    const over = withMarks(line, { ...holds, note: 'over since 2026-05-08', isOver: true })
    expect(over).toBe(`- [2026-05-07] ~~${text}~~ <!-- mneme:0123456789ab over since 2026-05-08 -->`)
    expect([isOver(over), textIn(over), idIn(over)]).toEqual([true, text, '0123456789ab'])
    expect(withMarks(over, holds)).toBe(line)
  },
)

test('an entry goes on in deeper lines; one that is struck out, or empty, is none', () => {
  const [entry, ...others] = entriesOf(
    parseNotes(
      '## 用户信息\n- I row. <!-- mneme:0123456789ab -->\n\t\t- on Sundays\n- ~~I ski.~~ <!-- mneme:0123456789ac -->\n- <!-- mneme:0123456789ad -->\n',
    ),
  )
  expect(entry?.text).toBe('I row.\n- on Sundays')
  expect(others).toEqual([])
})

test('of a comment whose id was broken nothing becomes words', () => {
  expect(textIn('- I row. <!-- mneme:zz9 -->\n')).toBe('I row.')
  expect(idIn('- I row. <!-- mneme:zz9 -->\n')).toBeNull()
})
