/**
 * /mem0 at the REST door, with its server, keys and database. Errors are those of REST as plain JSON, with the remedy in
 * `detail`, because mem0's clients read only that.
 */
import type { Context } from 'hono'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Mount } from '../http/app.ts'
import { USER_HEADER } from '../http/caller.ts'
import { ERRORS, IDEMPOTENCY, linksTo, USER } from '../http/openapi.ts'
import { json } from '../http/operations-routes.ts'
import { DoorError, inOneLine, problemJson, problemOf } from '../http/problem.ts'
import { parseJson, readJsonObject } from '../http/read-body.ts'
import { decoded, idempotencyKey, queryParameters } from '../http/read-request.ts'
import type { Services } from '../http/services.ts'
import { snakeName } from '../operations/names.ts'
import { namesIn } from '../operations/operation.ts'
import { FIELDS, fieldSchema, kindOf, readFields, recordSchema, TEXT } from './fields.ts'
import { MEM0_ROUTES, type Mem0Route, type RouteCall, WITHOUT_MEANING } from './routes.ts'
import { onlyOwner } from './scope.ts'

const PREFIX = '/mem0'

/** mem0's routes, for the server that mounts them. */
export const mem0Routes: Mount = {
  add: (app, services) => {
    app.all(`${PREFIX}/*`, async (context) => {
      const requestId: string = context.get('requestId')
      try {
        return await answer(context, requestId, services)
      } catch (error) {
        const { problem, headers } = problemOf(error, requestId)
        if (problem.status === 500) throw error
        const { detail: _, ...others } = problem
        // `detail` comes first, because mem0's TypeScript client shows the text of the answer as its message.
        return problemJson({ detail: inOneLine(problem), ...others }, headers, 'application/json')
      }
    })
    return MEM0_ROUTES.map((route) => ({
      method: route.method.toLowerCase(),
      path: PREFIX + route.path,
      describe: describeRoute(route),
    }))
  },
}

async function answer(context: Context, requestId: string, services: Services): Promise<Response> {
  const url = new URL(context.req.url)
  const path = url.pathname.slice(PREFIX.length).replace(/\/$/, '')
  const { route, values } = find(context.req.method, path)
  return services.admit(context, { scope: route.scope }, async (admitted) => {
    const { options } = services
    const body = readJsonObject(context)
    const query = readQuery(context.req.url)
    for (const [name, value] of Object.entries(query))
      if (Object.hasOwn(body, name) && body[name] !== value)
        throw invalid(name, 'is given in the address and in the body, differently', 'Give it once.')
    const { caller, user, turn } = admitted
    const { memory } = options
    const isNamed = context.req.header(USER_HEADER) !== undefined
    const isOfOne = isNamed || caller.userId !== null
    const call: RouteCall = {
      access: {
        memory,
        user,
        // The user of the key, of the header or named; otherwise the owner of the memory.
        ownerOf: async (id, named) => (named !== undefined || isOfOne ? user(named) : onlyOwner(memory, id)),
        isNamed,
      },
      fields: readFields({ ...query, ...body }, route.fields),
      path: values,
      address: `${url.origin}${url.pathname}`,
      caller,
      knownUser: isOfOne ? user(undefined) : undefined,
      patienceMs: Math.ceil((options.timeoutMs * 2) / 3),
    }
    await turn(call.knownUser ?? String(body.user_id ?? query.user_id ?? caller.name))
    const key = route.owner === undefined ? undefined : idempotencyKey(context)
    if (key === undefined || route.owner === undefined) return context.json(await route.run(call))
    const asked = JSON.stringify([route.method, route.path, query, body])
    const { repeated, ...reply } = await memory.answerOnce({ userId: route.owner(call), key, asked }, async () => ({
      status: 200,
      body: JSON.stringify(await route.run(call)),
    }))
    return json(reply, repeated, requestId)
  })
}

/** Methods that mem0's clients use. */
const CLIENT_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const TABLE = MEM0_ROUTES.map((route) => ({
  route,
  names: namesIn(route.path),
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}))

function find(method: string, path: string): { readonly route: Mem0Route; readonly values: Record<string, string> } {
  const matching = TABLE.filter(({ pattern }) => pattern.test(path))
  const found = matching.find(({ route }) => route.method === method)
  if (found !== undefined) {
    const [, ...parts] = found.pattern.exec(path) as RegExpExecArray
    return {
      route: found.route,
      values: Object.fromEntries(found.names.map((name, at) => [name, decoded(parts[at] ?? '')])),
    }
  }
  const instead = CLIENT_METHODS.has(method) ? WITHOUT_MEANING.find((one) => one.path.test(path)) : undefined
  // "/v1/memories/search" could also name a memory by the id "search".
  const isNamed = matching.some(({ route }) => route.path === path)
  if (matching.length > 0 && (instead === undefined || isNamed)) {
    const allowed = matching.map(({ route }) => route.method).join(', ')
    const remedy = instead?.remedy ?? `Use ${allowed}.`
    throw new DoorError('method_not_allowed', 405, 'This path takes another method.', remedy, { allow: allowed })
  }
  if (instead !== undefined)
    throw new MnemeError('unsupported', `${method} ${path} has no meaning here.`, { remedy: instead.remedy })
  throw new DoorError('not_found', 404, 'There is nothing under this path.', 'See docs/mem0.md for what there is.')
}

/** The OpenAPI schema of mem0's bodies. Answers have mem0's own shapes, so they are plain objects here. */
const OBJECT = { 'application/json': { schema: { type: 'object' } } }
/** Of an entity. */
const KIND = { type: 'string', enum: ['user', 'agent', 'app', 'run'] }
const LIST = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } }

/** The OpenAPI operation of one of these routes. */
function describeRoute(route: Mem0Route): Record<string, unknown> {
  const { method, path, summary, owner, fields } = route
  const inBody = method === 'POST' || method === 'PUT' || fields === FIELDS.batch
  const content = { 'application/json': { schema: recordSchema(fields) } }
  return {
    operationId: nameOf(route),
    summary,
    tags: ['mem0'],
    parameters: [
      ...namesIn(path).map((name) => ({ name, in: 'path', required: true, schema: name === 'type' ? KIND : TEXT })),
      ...(inBody ? [] : fields.known.map((name) => parameter(name, route))),
      USER,
      ...(owner === undefined ? [] : [IDEMPOTENCY]),
    ],
    ...(inBody ? { requestBody: { required: fields.needed !== undefined, content } } : {}),
    responses: {
      200: {
        description: 'Done.',
        content: path.endsWith('/history') ? LIST : OBJECT,
        ...(owner === undefined ? {} : { links: linksTo(PLACES, { id: '/results/0/id' }) }),
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

const PLACES = MEM0_ROUTES.map((route) => ({ operationId: nameOf(route), path: PREFIX + route.path }))

/** An option in the query string: a list has commas, an object is JSON. */
function parameter(name: Mem0Route['fields']['known'][number], { fields }: Mem0Route): Record<string, unknown> {
  const schema = fieldSchema(name, fields)
  const one = { name, in: 'query', required: fields.needed?.includes(name) ?? false }
  if (schema.type === 'object') return { ...one, content: { 'application/json': { schema } } }
  return { ...one, schema, ...(schema.type === 'array' ? { explode: false } : {}) }
}

/**
 * The options of a query string by name; a malformed number or boolean stays text, which the option's check refuses.
 */
function readQuery(url: string): Readonly<Record<string, unknown>> {
  const options = new Map<string, unknown>()
  for (const [name, values] of queryParameters(url)) {
    const kind = kindOf(snakeName(name))
    if (kind === 'array') options.set(name, values.length === 1 ? values[0]?.split(',') : values)
    else if (values.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    else options.set(name, optionOf(kind, values[0] ?? ''))
  }
  return Object.fromEntries(options)
}

function optionOf(kind: unknown, text: string): unknown {
  if ((kind === 'number' || kind === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  // Python writes its switches with a capital.
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (kind === 'object' && text.startsWith('{"')) return parseJson(text)
  return text
}
