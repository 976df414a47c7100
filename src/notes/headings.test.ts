import { expect, test } from 'vitest'
import { checkHeadings } from './document.ts'

test.each([
  [{ user: 'About me', preferences: 'about me' }, 'headings.preferences'],
  [{ user: 'Preferences' }, 'headings.user'],
  [{ problems: 'Fixes / 技术配置' }, 'headings.problems'],
])('two sections of one name are refused: %j', (headings, field) => {
  expect(() => checkHeadings('headings', headings)).toThrow(field)
})

test('a section may keep the name that it has anyway', () => {
  expect(checkHeadings('headings', { user: 'User information', problems: 'Fixes' })).toMatchObject({
    problems: 'Fixes',
  })
})
