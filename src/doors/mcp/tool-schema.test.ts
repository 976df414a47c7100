import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openMemory } from '../library/index.ts'
import { TOOLS, toolSchema } from './tools.ts'

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

test('an id is shown as it is, what was said without marks', async () => {
  const memory = await openMemory({ path: ':memory:' })
  onTestFinished(() => memory.close())
  const call = { memory, userId: 'ana', isOperator: false }
  const turns = [{ role: 'user', content: 'Is it there?' }] as const
  await memory.conversations.store({ userId: 'ana', conversationId: 'c<|x|>', turns })
  const listed = await TOOLS.get('list_conversations')?.call(call, {})
  expect(listed?.structuredContent).toMatchObject({ items: [{ conversation_id: 'c<|x|>' }] })
  const entities = [{ name: 'Ana', entityType: 'person', observations: ['Said <|x|> there'] }]
  const made = await TOOLS.get('create_entities')?.call(call, { entities })
  expect(made?.structuredContent).toMatchObject({ entities: [{ observations: ['Said <\u200b|x|\u200b> there'] }] })
})
