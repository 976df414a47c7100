/** /mem0 at the REST door. Errors are plain JSON with the remedy in `detail`, because mem0's clients read only that. */
import type { Context } from 'hono'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Mount } from '../http/app.ts'
import { type Caller, USER_HEADER } from '../http/caller.ts'
import { DoorError, inOneLine, json, problemJson, problemOf } from '../http/problem.ts'
import { decoded, idempotencyKey, parseJson, queryParameters, readJsonObject } from '../http/read-request.ts'
import type { Services } from '../http/services.ts'
import { snakeName } from '../operations/names.ts'
import { namesIn } from '../operations/operation.ts'
import * as change from './change.ts'
import { FIELDS, type Fields, type FieldTable, kindOf, readFields } from './fields.ts'
import { type Access, onlyOwner } from './filters.ts'
import { getRecord, historyRecords, listRecords, type Page, profileRecord, searchRecords, userRecords } from './read.ts'

const PREFIX = '/mem0'

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

const CLIENT_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

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
  const instead = CLIENT_METHODS.has(method) ? WITHOUT_MEANING.find(([one]) => one.test(path))?.[1] : undefined
  // "/v1/memories/search" could also name a memory by the id "search".
  const isNamed = matching.some(({ route }) => route.path === path)
  if (matching.length > 0 && (instead === undefined || isNamed)) {
    const allowed = matching.map(({ route }) => route.method).join(', ')
    const remedy = instead ?? `Use ${allowed}.`
    throw new DoorError('method_not_allowed', 405, 'This path takes another method.', remedy, { allow: allowed })
  }
  if (instead !== undefined)
    throw new MnemeError('unsupported', `${method} ${path} has no meaning here.`, { remedy: instead })
  throw new DoorError('not_found', 404, 'There is nothing under this path.', 'See docs/mem0.md for what there is.')
}

/** The options of a query string; a malformed number or boolean stays text, which the option's check refuses. */
function readQuery(url: string): Readonly<Record<string, unknown>> {
  const options = new Map<string, unknown>()
  for (const [name, values] of queryParameters(url)) {
    const kind = kindOf(snakeName(name))
    if (kind === 'list') options.set(name, values.length === 1 ? values[0]?.split(',') : values)
    else if (values.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    else options.set(name, optionOf(kind, values[0] ?? ''))
  }
  return Object.fromEntries(options)
}

function optionOf(kind: unknown, text: string): unknown {
  if (kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  // Python writes its switches with a capital.
  if (kind === 'flag' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (kind === 'record' && text.startsWith('{"')) return parseJson(text)
  return text
}

interface RouteCall {
  readonly access: Access
  /** The options in query string and body together. */
  readonly fields: Fields
  readonly path: Readonly<Record<string, string>>
  /** The address without the query string. */
  readonly address: string
  readonly caller: Pick<Caller, 'isOperator'>
  /** The user of the key or header; undefined without either. */
  readonly knownUser: string | undefined
  /** Milliseconds of waiting for a model before the answer is pending. */
  readonly patienceMs: number
}

type Run = (call: RouteCall) => Promise<object>

interface Mem0Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/memories/{id}`, after /mem0 and without a slash at the end. */
  readonly path: string
  readonly scope: 'read' | 'write'
  readonly fields: FieldTable
  readonly run: Run
  /** The user whose answer is stored for an Idempotency-Key; absent for routes that are safe to repeat. */
  readonly owner?: (call: RouteCall) => string
}

const routes =
  (scope: Mem0Route['scope']) =>
  (address: string, fields: FieldTable, run: Run): Mem0Route => {
    const [method, path = ''] = address.split(' ')
    return { method: method as Mem0Route['method'], path, scope, fields, run }
  }
const [reading, writing] = [routes('read'), routes('write')]

/** A route that adds memories, once for each Idempotency-Key. */
const adding = (path: string): Mem0Route => ({
  ...writing(`POST ${path}`, FIELDS.add, (call) => change.addRecords(call.access, call.fields, call.patienceMs)),
  owner: ({ access, fields }) => change.ownerOfAddition(access, fields),
})

const search: Run = async ({ access, fields }) => ({ results: await searchRecords(access, fields), relations: [] })
const get: Run = ({ access, fields, path }) => getRecord(access, path.id, fields)
const history: Run = ({ access, fields, path }) => historyRecords(access, path.id, fields)
const update: Run = async ({ access, fields, path }) => ({
  message: 'Memory updated successfully!',
  ...(await change.updateRecord(access, path.id, fields)),
})
const remove: Run = async ({ access, fields, path }) => {
  await change.deleteRecord(access, path.id, fields)
  return { message: 'Memory deleted successfully!' }
}
const removeAll: Run = async ({ access, fields }) => ({
  message: 'Memories deleted successfully!',
  deleted: await change.deleteScope(access, fields),
})
const removeEntity: Run = async ({ access, path }) => {
  await change.deleteEntity(access, path.type ?? '', path.name)
  return { message: 'Entity deleted successfully.' }
}
const list: Run = async ({ access, fields }) => {
  const { results, total } = await listRecords(access, fields)
  return { results, relations: [], total }
}
const reset: Run = async (call) => {
  const { memory } = call.access
  if (call.knownUser === undefined) requireOperator(call)
  const all = call.knownUser === undefined ? change.deleteEverything(memory) : memory.reset({ userId: call.knownUser })
  return { message: 'All memories reset', deleted: (await all).deleted }
}
const ping: Run = async () => ({ status: 'ok', org_id: 'mneme', project_id: 'mneme', user_email: null })
const users: Run = async (call) => {
  requireOperator(call)
  return linked(await userRecords(call.access, call.fields), call.address)
}

const { none, one, list: listed } = FIELDS

const MEM0_ROUTES: readonly Mem0Route[] = [
  adding('/memories'),
  reading('GET /memories', listed, list),
  writing('DELETE /memories', FIELDS.deleteAll, removeAll),
  reading('GET /memories/{id}', one, get),
  writing('PUT /memories/{id}', FIELDS.update, update),
  writing('DELETE /memories/{id}', FIELDS.delete, remove),
  reading('GET /memories/{id}/history', one, history),
  reading('POST /search', FIELDS.search, search),
  writing('POST /reset', none, reset),

  reading('GET /v1/ping', none, ping),
  adding('/v3/memories/add'),
  reading('POST /v3/memories/search', FIELDS.search, search),
  reading('POST /v3/memories', listed, async ({ access, fields, address }) =>
    linked(await listRecords(access, fields), address),
  ),
  reading('GET /v1/memories/{id}', one, get),
  writing('PUT /v1/memories/{id}', FIELDS.update, update),
  writing('DELETE /v1/memories/{id}', FIELDS.delete, remove),
  reading('GET /v1/memories/{id}/history', one, history),
  writing('DELETE /v1/memories', FIELDS.deleteAll, removeAll),
  writing('PUT /v1/batch', FIELDS.batch, async ({ access, fields }) => ({
    message: `Successfully updated ${await change.updateBatch(access, fields)} memories`,
  })),
  writing('DELETE /v1/batch', FIELDS.batch, async ({ access, fields }) => ({
    message: `Successfully deleted ${await change.deleteBatch(access, fields)} memories`,
  })),
  reading('GET /v1/entities', FIELDS.users, users),
  writing('DELETE /v1/entities/{type}/{name}', none, removeEntity),
  writing('DELETE /v2/entities/{type}/{name}', none, removeEntity),
  reading('GET /v2/entities/user/{name}/profile', none, ({ access, path }) => profileRecord(access, path.name)),
]

function requireOperator({ caller }: RouteCall): void {
  if (!caller.isOperator)
    throw new DoorError('forbidden', 403, 'This is about every user.', 'Use a key of the scope admin for all users.')
}

function linked({ results, total, page, pageSize }: Page<unknown>, address: string): object {
  const at = (number: number): string => `${address}?page=${number}&page_size=${pageSize}`
  return {
    count: total,
    next: page * pageSize < total ? at(page + 1) : null,
    previous: page > 1 && total > 0 ? at(Math.min(page - 1, Math.ceil(total / pageSize))) : null,
    results,
  }
}

const OLDER = 'These are calls of older clients: use mem0ai 3 of npm or mem0ai 2 of PyPI, or POST /mem0/memories.'

/** Routes of mem0's platform without a counterpart here, each with its alternative. */
const WITHOUT_MEANING: readonly (readonly [path: RegExp, remedy: string])[] = [
  [/^\/v1\/feedback$/, 'Set confidence or importance with PATCH /memory/long-term/{id}, or delete it.'],
  [/^\/v1\/exports(?:\/get)?$/, 'GET /export, or the command mneme export, gives everything of a user.'],
  [/^\/v1\/summary$/, 'GET /profile tells what is known; POST /context what a model would see.'],
  [/^\/v2\/profiles\/settings$/, 'PATCH /settings has memory.enable_user_profile.'],
  [/^\/v2\/profiles\/jobs(?:\/[^/]+)?$/, 'Profiles are kept as people talk; GET or PUT /profile.'],
  [/^\/api\/v1\/orgs(?:\/.*)?$/, 'There are no projects: GET and PATCH /settings, and mneme keys for keys.'],
  [/^\/api\/v1\/webhooks(?:\/.*)?$/, 'Nothing is sent anywhere; GET /jobs tells what was done.'],
  [/^\/configure$/, 'A server is configured when it starts; see docs/configuration.md.'],
  [/^\/v[12]\/memories(?:\/search)?$/, OLDER],
]

const TABLE = MEM0_ROUTES.map((route) => ({
  route,
  names: namesIn(route.path),
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}))
