/** What the OpenAPI document says of a route of mem0's. Its answers are in mem0's own shapes, so they are objects here. */

import type { Schema } from '../http/json-schema.ts'
import { ERRORS, IDEMPOTENCY, linksTo, USER } from '../http/openapi.ts'
import { namesIn } from '../operations/operation.ts'
import { BATCH_FIELDS } from './batch.ts'
import { fieldSchema, recordSchema, TEXT } from './field-schemas.ts'
import type { FieldTable } from './fields.ts'
import type { Mem0Route } from './routes.ts'

const OBJECT = { 'application/json': { schema: { type: 'object' } } }
/** Of an entity. */
const KIND = { type: 'string', enum: ['user', 'agent', 'app', 'run'] }
const LIST = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } }

/** The OpenAPI operation of one of these routes, under this prefix. */
export function describeRoute(route: Mem0Route, routes: readonly Mem0Route[], prefix: string): Record<string, unknown> {
  const { method, path, summary, owner, fields } = route
  const inBody = method === 'POST' || method === 'PUT' || fields === BATCH_FIELDS
  return {
    operationId: nameOf(route),
    summary,
    tags: ['mem0'],
    parameters: [
      ...namesIn(path).map((name) => ({ name, in: 'path', required: true, schema: name === 'type' ? KIND : TEXT })),
      ...(inBody ? [] : fields.known.map((name) => parameter(name, fields))),
      USER,
      ...(owner === undefined ? [] : [IDEMPOTENCY]),
    ],
    ...(inBody ? { requestBody: bodyOf(fields) } : {}),
    responses: {
      200: {
        description: 'Done.',
        content: path.endsWith('/history') ? LIST : OBJECT,
        ...(owner === undefined ? {} : { links: linksToMade(routes, prefix) }),
      },
      ...Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [status, { description, content: OBJECT }]),
      ),
    },
  }
}

function nameOf({ method, path }: Mem0Route): string {
  return `mem0_${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/\W+/g, '_')}`
}

function bodyOf(fields: FieldTable): Record<string, unknown> {
  const isNeeded = (fields.needed ?? []).length > 0
  return { required: isNeeded, content: { 'application/json': { schema: recordSchema(fields) } } }
}

/** An option in the query string: a list has commas, an object is JSON. */
function parameter(name: string, fields: FieldTable): Record<string, unknown> {
  const schema: Schema = fieldSchema(name, fields)
  const one = { name, in: 'query', required: fields.needed?.includes(name) ?? false }
  if (schema.type === 'object') return { ...one, content: { 'application/json': { schema } } }
  return { ...one, schema, ...(schema.type === 'array' ? { explode: false } : {}) }
}

/** What can be done with a memory that was added. */
function linksToMade(routes: readonly Mem0Route[], prefix: string): object {
  const places = routes.map((route) => ({ operationId: nameOf(route), path: prefix + route.path }))
  return linksTo(places, { id: '/results/0/id' })
}
