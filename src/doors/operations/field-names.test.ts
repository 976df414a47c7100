import { expect, test } from 'vitest'
import { snakeNames } from './field-names.ts'

test('names of one level become snake_case; what a caller stored inside stays as it was', () => {
  expect(snakeNames({ turnId: 3, isSummary: false, metadata: { myKey: 1 }, absent: undefined })).toEqual({
    turn_id: 3,
    is_summary: false,
    metadata: { myKey: 1 },
  })
})
