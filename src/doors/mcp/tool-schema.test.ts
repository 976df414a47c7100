import { expect, test } from 'vitest'
import { z } from 'zod'
import { toolSchema } from './tool.ts'

test('a model is told names, types and what is required, and nothing that only costs', () => {
  const part = z.strictObject({ role: z.enum(['user', 'tool']), at: z.iso.datetime().nullish() }).meta({ id: 'Part' })
  const input = z.strictObject({
    id: z.string().min(1).max(9),
    limit: z.int().min(1).optional().meta({ description: 'At most' }),
    parts: z.array(part).min(1),
  })
  expect(toolSchema(input)).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string' },
      limit: { type: 'integer', description: 'At most' },
      parts: {
        type: 'array',
        items: {
          type: 'object',
          properties: { role: { type: 'string', enum: ['user', 'tool'] }, at: { type: 'string', format: 'date-time' } },
          required: ['role'],
        },
      },
    },
    required: ['id', 'parts'],
  })
  expect(toolSchema(z.strictObject({}))).toEqual({ type: 'object', properties: {} })
})
