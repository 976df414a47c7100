import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { type MemoryTool, memoryTool } from './memory-tool.ts'

let memory: OpenMemory
let tool: MemoryTool

beforeEach(async () => {
  memory = await openMemory({ path: ':memory:', userId: 'ann' })
  tool = memoryTool(memory)
})
afterEach(() => memory.close())

const create = (path: string, text: string) => tool.execute({ command: 'create', path, file_text: text })
const view = (path: string, range?: readonly number[]) =>
  tool.execute({ command: 'view', path, ...(range === undefined ? {} : { view_range: range }) })

test('a file is a memory: found by its words, and gone with it', async () => {
  await create('/memories/travel/japan.md', 'Ann wants to see the snow monkeys of Jigokudani.\n她想坐新干线。')
  const { results } = await memory.search('snow monkeys')
  expect(results[0]?.text).toContain('Jigokudani')
  expect((await memory.search('新干线')).results).toHaveLength(1)
  await tool.execute({ command: 'delete', path: '/memories/travel' })
  expect((await memory.search('snow monkeys')).results).toEqual([])
})

test('folders are listed two levels deep with their sizes, hidden names left out', async () => {
  await create('/memories/a.txt', 'x'.repeat(1536))
  await create('/memories/one/two/three.txt', 'deep')
  await create('/memories/.secret', 'hidden')
  expect(await view('/memories')).toBe(
    [
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
      '1.5K\t/memories/',
      '1.5K\t/memories/a.txt',
      '4B\t/memories/one/',
      '4B\t/memories/one/two/',
    ].join('\n'),
  )
})

test('an empty memory has its root, and nothing else', async () => {
  expect(await view('/memories')).toMatch(/:\n0B\t\/memories\/$/)
  await expect(view('/memories/none')).rejects.toThrow('The path /memories/none does not exist.')
})

test('files are stored verbatim, blank ones too', async () => {
  await create('/memories/blank.md', '\n')
  expect(await view('/memories/blank.md')).toMatch(/:\n {5}1\t\n {5}2\t$/)
  await tool.execute({ command: 'insert', path: '/memories/blank.md', insert_line: 1, insert_text: '  第一行\n' })
  expect(await view('/memories/blank.md', [2, -1])).toMatch(/:\n {5}2\t {2}第一行\n {5}3\t$/)
})

test('a replacement is taken as it is written, and one line that says it twice is refused', async () => {
  await create('/memories/p.md', 'price: 10\nprice and price')
  await tool.execute({ command: 'str_replace', path: '/memories/p.md', old_str: '10', new_str: '$& and $1' })
  expect(await view('/memories/p.md', [1, 1])).toContain('price: $& and $1')
  await expect(
    tool.execute({ command: 'str_replace', path: '/memories/p.md', old_str: 'price', new_str: 'cost' }),
  ).rejects.toThrow('in lines: 1, 2.')
  await expect(
    tool.execute({ command: 'str_replace', path: '/memories/p.md', old_str: 'and price', new_str: '' }),
  ).resolves.toContain('     2\tprice ')
})

test.each(['/memories/../etc/passwd', '/memories_backup/x', '/memories/a/../../x'])('%s leaves the folder', (path) =>
  expect(view(path)).rejects.toThrow('would escape /memories directory'),
)

test('a folder moves with all that lies in it, never into itself', async () => {
  await create('/memories/old/a.md', 'A')
  await create('/memories/old/b/c.md', 'C')
  await expect(
    tool.execute({ command: 'rename', old_path: '/memories/old', new_path: '/memories/old/b/d' }),
  ).rejects.toThrow('lies in /memories/old')
  await tool.execute({ command: 'rename', old_path: '/memories/old', new_path: '/memories/new' })
  expect(await view('/memories/new/b/c.md')).toContain('\tC')
  await expect(view('/memories/old')).rejects.toThrow('does not exist')
})

test('what two write at once is written by both', async () => {
  await create('/memories/log.md', '')
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      tool.execute({ command: 'insert', path: '/memories/log.md', insert_line: 0, insert_text: `line ${index}` }),
    ),
  )
  const text = await view('/memories/log.md')
  for (let index = 0; index < 8; index += 1) expect(text).toContain(`line ${index}`)
})

test('the files of one user are nobody else’s', async () => {
  await create('/memories/mine.md', 'mine')
  await expect(
    memoryTool(memory, { userId: 'bob' }).execute({ command: 'view', path: '/memories/mine.md' }),
  ).rejects.toThrow('does not exist')
})

test('a command that there is none of is told to the model', async () => {
  for (const command of ['execute', 'toString', 'copy'])
    await expect(tool.execute({ command, path: '/memories/a.md' } as never)).rejects.toThrow('Use one of: view, create')
})

test('a command without a text that it needs names it, and changes nothing', async () => {
  await create('/memories/tea.md', 'undefined, 绿茶')
  const unfit = [
    { command: 'create', path: '/memories/new.md' },
    { command: 'str_replace', path: '/memories/tea.md' },
    { command: 'insert', path: '/memories/tea.md', insert_line: 0 },
    { command: 'view' },
    { command: 'rename', old_path: '/memories/tea.md' },
  ]
  for (const command of unfit)
    await expect(tool.execute(command as never)).rejects.toThrow(/Missing required parameter/)
  expect(await view('/memories/tea.md')).toMatch(/1\tundefined, 绿茶$/)
  await expect(view('/memories/new.md')).rejects.toThrow('does not exist')
})

test('nothing comes to lie below a file', async () => {
  await create('/memories/旅行', 'a file')
  await create('/memories/旅行计划/a.md', 'its name only begins like that of the file')
  await expect(create('/memories/旅行/b.md', 'b')).rejects.toThrow('The path /memories/旅行 is a file')
  await expect(
    tool.execute({ command: 'rename', old_path: '/memories/旅行计划', new_path: '/memories/旅行/c' }),
  ).rejects.toThrow('The path /memories/旅行 is a file')
  expect(await view('/memories/旅行计划/a.md')).toContain('begins like')
})
