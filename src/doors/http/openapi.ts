/** The OpenAPI 3.1 document, from the table of operations and the server's extra routes. */
import { z } from 'zod'
import { isDoneOnce, type Medium, namesIn, type RestDoor } from '../operations/operation.ts'
import type { NamedOperation } from '../operations/table.ts'

export interface ExtraRoute {
  readonly method: string
  readonly path: string
  readonly describe: Record<string, unknown>
  readonly errors?: readonly number[]
}

const ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad input: `field` names it.',
  401: 'No key, or an unknown one.',
  403: 'The key is good for less, or another site asked.',
  404: 'There is none, for this user.',
  405: 'Another method is meant; see Allow.',
  408: 'The body did not come in time, or broke off.',
  409: 'It contradicts what is there, or is being worked on.',
  413: 'Too large.',
  415: 'Not JSON.',
  417: 'Expect asks for what is not known here.',
  422: 'Not possible here.',
  429: 'Too many; see Retry-After.',
  431: 'The headers are too large.',
  502: 'A model failed.',
  503: 'Not now; see Retry-After.',
}

export function openApiDocument(
  operations: readonly NamedOperation[],
  extras: readonly ExtraRoute[],
  info: { readonly version: string },
): Record<string, unknown> {
  const schemas: Record<string, Schema> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const put = (path: string, method: string, operation: unknown): void => {
    paths[path] = { ...paths[path], [method]: operation }
  }
  for (const operation of operations)
    if (operation.rest !== undefined)
      put(operation.rest.path, operation.rest.method, describe(operation, operation.rest, schemas))
  for (const { method, path, describe: own, errors = [] } of extras)
    put(path, method, { ...own, responses: { ...errorResponses(errors), ...(own.responses as object) } })
  return {
    openapi: '3.1.0',
    info: { title: 'Mneme', version: info.version, description: 'A memory for AI chat and coding assistants.' },
    paths,
    components: {
      schemas: { ...schemas, Problem: PROBLEM },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
    security: [{}, { bearer: [] }, { key: [] }],
  }
}

const PROBLEM: Schema = {
  type: 'object',
  description: 'RFC 9457. `code` is for programs, `remedy` says what to do.',
  required: ['type', 'title', 'status', 'detail', 'code', 'remedy'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    remedy: { type: 'string' },
    field: { type: 'string' },
    request_id: { type: 'string' },
  },
}

const header = (name: string, description: string, more: object = {}) => {
  return { name, in: 'header', required: false, description, schema: { type: 'string', minLength: 1, ...more } }
}
const USER = header('X-User-Id', 'Whose memory it is; also user_id in the query string or the body.')
const DONE_ONCE = 'The same key with the same request is done once within a day, and answered alike.'
const IDEMPOTENCY = header('Idempotency-Key', DONE_ONCE, { maxLength: 255 })

function describe(operation: NamedOperation, rest: RestDoor, schemas: Record<string, Schema>): Record<string, unknown> {
  const { own } = rest
  const input = jsonSchema(operation.input, 'input', schemas)
  const properties = (input.properties ?? {}) as Record<string, Schema>
  const required = new Set((input.required ?? []) as string[])
  const inPath = new Set(namesIn(rest.path))
  const names = Object.keys(properties).filter((name) => name !== own?.body?.field)
  const hasBody = rest.method !== 'get' && rest.method !== 'delete'
  const isBody = hasBody && own?.body === undefined
  const parameters: unknown[] = names
    .filter((name) => inPath.has(name) || !isBody)
    .map((name) => {
      const one = parameter(name, inPath.has(name), required.has(name), properties[name] as Schema)
      const header = own?.headers?.[name]
      return header === undefined ? one : { ...one, name: header, in: 'header' }
    })
  const body = names.filter((name) => isBody && !inPath.has(name))
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [operation.subject],
    parameters: [...parameters, USER, ...(isDoneOnce(operation) ? [IDEMPOTENCY] : [])],
    ...(isBody ? { requestBody: bodyOf(body, properties, required, input.oneOf) } : {}),
    ...(own?.body === undefined
      ? {}
      : { requestBody: { required: true, content: mediaOf(own.body.media, properties[own.body.field] ?? {}) } }),
    responses: {
      [String(rest.status ?? 200)]: {
        description: 'Done.',
        content:
          own === undefined
            ? { 'application/json': { schema: jsonSchema(operation.output, 'output', schemas) } }
            : mediaOf(own.sends, {}),
      },
      ...(own?.ofVendor ? { default: { description: 'What the vendor answers, as it is.' } } : {}),
      ...errorResponses([401, 403, 404, 409, 422, 429, 503, ...(hasBody ? [413, 415, 502] : [])], own?.ofVendor),
    },
  }
}

/** Schemas by medium: JSON has its own, and events are described in words. */
function mediaOf(media: readonly Medium[], schema: Schema): Record<string, unknown> {
  const schemas: Readonly<Record<Medium, object>> = {
    'application/json': { schema },
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    'text/event-stream': {},
  }
  return Object.fromEntries(media.map((one) => [one, schemas[one]]))
}

function parameter(name: string, isPath: boolean, isRequired: boolean, schema: Schema): Record<string, unknown> {
  const { description, ...bare } = schema
  // A query string cannot hold null.
  const [choice, another] = ((bare.anyOf ?? []) as readonly Schema[]).filter(({ type }) => type !== 'null')
  const isJson = bare.type === 'object' && !isPath
  return {
    name,
    in: isPath ? 'path' : 'query',
    required: isPath || isRequired,
    ...(description === undefined ? {} : { description }),
    ...(isJson
      ? { content: { 'application/json': { schema: bare } } }
      : { schema: another === undefined ? (choice ?? bare) : bare }),
  }
}

function bodyOf(
  names: readonly string[],
  properties: Record<string, Schema>,
  required: ReadonlySet<string>,
  oneOf: unknown,
): unknown {
  const needed = names.filter((name) => required.has(name))
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(oneOf === undefined ? {} : { oneOf }),
    additionalProperties: false,
  }
  const isNeeded = needed.length > 0 || oneOf !== undefined
  return { required: isNeeded, content: { 'application/json': { schema } } }
}

/** Error statuses that any request may get, because it arrives incomplete or is not valid HTTP. */
const OF_EVERY_REQUEST = [400, 408, 417, 431]

/** Answers for these statuses and the common ones, each a Problem; with `ofVendor`, also in a vendor's format. */
function errorResponses(statuses: readonly number[], ofVendor = false): Record<string, unknown> {
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...new Set([...OF_EVERY_REQUEST, ...statuses])].map((status) => [
      String(status),
      {
        description: `${ERRORS[status] ?? 'Failed.'}${ofVendor ? ' Or what the vendor answers, as it is.' : ''}`,
        content: ofVendor ? { ...problem, '*/*': {} } : problem,
      },
    ]),
  )
}

type Schema = Record<string, unknown>

function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Schema>): Schema {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Schema>)) {
    const { id: _id, ...rest } = definition
    schemas[name] = atComponents(rest) as Schema
  }
  const { id: name, ...rest } = own
  const here = atComponents(rest) as Schema
  if (typeof name !== 'string') return here
  schemas[name] = here
  return { $ref: `#/components/schemas/${name}` }
}

function atComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(atComponents)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => {
    const isReference = name === '$ref' && typeof inner === 'string'
    return [name, isReference ? inner.replace('#/$defs/', '#/components/schemas/') : atComponents(inner)]
  })
  return Object.fromEntries(entries)
}
