/** What the OpenAPI document says of a route of mem0's: its shapes are mem0's own, so they are objects here. */
import { namesIn } from '../operations/operation.ts'
import { ERRORS, IDEMPOTENCY } from '../rest/openapi.ts'
import type { Mem0Route } from './routes.ts'

const OBJECT = { 'application/json': { schema: { type: 'object' } } }
const WORD = { type: 'string', minLength: 1 }
/** Of an entity. */
const KIND = { type: 'string', enum: ['user', 'agent', 'app', 'run'] }
const LIST = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } }

/** The OpenAPI operation of a route. */
export function describeRoute({ method, path, summary, owner }: Mem0Route): Record<string, unknown> {
  const names = namesIn(path)
  const hasBody = method === 'POST' || method === 'PUT'
  return {
    operationId: `mem0_${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/\W+/g, '_')}`,
    summary,
    tags: ['mem0'],
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: name === 'type' ? KIND : WORD })),
      ...(owner === undefined ? [] : [IDEMPOTENCY]),
    ],
    ...(hasBody ? { requestBody: { required: false, content: OBJECT } } : {}),
    responses: {
      200: { description: 'Done.', content: path.endsWith('/history') ? LIST : OBJECT },
      ...Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [status, { description, content: OBJECT }]),
      ),
    },
  }
}
