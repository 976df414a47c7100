import { expect, test } from 'vitest'
import { shownPath } from './memory-file.ts'

test.each([
  ['/home/ana/notes/MEMORY.md', '~/notes/MEMORY.md'],
  ['/home/ana/笔记/MEMORY.md', '~/笔记/MEMORY.md'],
  ['/srv/mneme/MEMORY.md', 'MEMORY.md'],
  ['/home/anabel/MEMORY.md', 'MEMORY.md'],
  ['/home/ana', 'ana'],
])('%s is named %s', (path, shown) => {
  expect(shownPath(path, '/home/ana')).toBe(shown)
})
