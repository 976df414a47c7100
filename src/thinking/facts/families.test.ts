import { expect, test } from 'vitest'
import { relativesOf } from './families.ts'
import { slotNamed } from './topics.ts'

test('the relatives of an attribute are known attributes, and never itself', () => {
  const relatives = relativesOf(['bank'])
  expect(relatives).toContain('savings')
  expect(relatives).not.toContain('bank')
  for (const name of relativesOf(['employer', 'database', 'school', 'wake_time', 'hosting', 'medication', 'book']))
    expect(slotNamed(name), name).toBeDefined()
})

test('what has no relatives has none', () => {
  expect(relativesOf(['blood_type'])).toEqual([])
})
