/** Operations on keys, which grant access to a server. They belong to the whole database. */
import { z } from 'zod'
import { KEY_SCOPES } from '../../usecases/keys.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Keys')

const scope = z.enum(KEY_SCOPES as ['read', 'write', 'admin'])
const key = z.object({
  id: z.string(),
  name: z.string(),
  scope,
  user_id: z.string().nullable().describe('The only user that it is good for; null: every user.'),
  created_at: schema.time,
})

export const listKeys = operation({
  summary: 'List the keys that programs have, without the keys.',
  scope: 'admin',
  output: z.object({ items: z.array(key) }),
  rest: { method: 'get', path: '/keys' },
  cli: { command: 'keys list', byDefault: true },
  handler: async ({ memory }) => ({ items: await memory.keys.list() }),
})

export const createKey = operation({
  summary: 'Make a key for a program; it is shown once. From the first one on, this server asks for a key.',
  scope: 'admin',
  input: z.strictObject({
    name: schema.id.describe('What to call it, such as the program that gets it.'),
    scope: scope.optional().describe('read, write or admin. Default: write.'),
    user_id: schema.id.nullish(),
  }),
  output: z.object({ ...key.shape, key: z.string() }),
  rest: { method: 'post', path: '/keys', status: 201 },
  handler: ({ memory }, input) => memory.keys.create(input),
})

export const revokeKey = operation({
  summary: 'Take a key back; it is refused from the next request on.',
  scope: 'admin',
  input: z.strictObject({ id: schema.id }),
  output: z.object({ id: z.string(), revoked: z.literal(true) }),
  rest: { method: 'delete', path: '/keys/{id}' },
  cli: { command: 'keys revoke', positional: ['id'] },
  handler: async ({ memory }, { id }) => {
    await memory.keys.revoke(id)
    return { id, revoked: true as const }
  },
})
