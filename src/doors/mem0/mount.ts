/** /mem0 at the REST door. Errors are plain JSON with the remedy in `detail`, because mem0's clients read only that. */
import type { Context } from 'hono'
import { invalid } from '../../domain/errors.ts'
import type { Services } from '../http/admission.ts'
import type { Mount } from '../http/app.ts'
import { USER_HEADER } from '../http/caller.ts'
import { DoorError, inOneLine, problemJson, problemOf } from '../http/problem.ts'
import { decoded, idempotencyKey, queryParameters, readJsonRequest } from '../http/read-request.ts'
import { namesIn } from '../operations/operation.ts'
import { readTextValue } from '../operations/read-input.ts'
import { type Access, onlyOwner } from './filters.ts'
import { CALLS, type Fields, kindOf, readOptions } from './options.ts'
import {
  addRecords,
  deleteEverything,
  deleteRecord,
  deleteScope,
  getRecord,
  historyRecords,
  listRecords,
  ownerOfAddition,
  type Page,
  searchRecords,
  updateRecord,
} from './records.ts'

const PREFIX = '/mem0'

export const mem0Routes: Mount = {
  add: (app, services) => {
    app.all(`${PREFIX}/*`, async (context) => {
      try {
        return await answer(context, services)
      } catch (error) {
        const { problem, headers } = problemOf(error, context.get('requestId'))
        if (problem.status === 500) throw error
        const { detail: _, ...others } = problem
        // `detail` comes first, because mem0's TypeScript client shows the text of the answer as its message.
        return problemJson({ detail: inOneLine(problem), ...others }, headers, 'application/json')
      }
    })
  },
}

async function answer(context: Context, services: Services): Promise<Response> {
  const { origin, pathname } = new URL(context.req.url)
  const { route, path } = find(context.req.method, pathname.slice(PREFIX.length).replace(/\/$/, ''))
  const { method, options, scope, run, owner } = route
  return services.admit(context, { scope }, async ({ caller, user, turn, answer }) => {
    const { memory, timeoutMs } = services.options
    const given = await readGiven(context, path)
    const isNamed = context.req.header(USER_HEADER) !== undefined
    const knownUser = isNamed || caller.userId !== null ? user(undefined) : undefined
    const fields = readOptions(given, CALLS[options])
    const call: Call = {
      memory,
      user,
      // The user of the key, of the header or named; otherwise the owner of the memory.
      ownerOf: async (id, named) => ((named ?? knownUser) === undefined ? onlyOwner(memory, id) : user(named)),
      isNamed,
      isOperator: caller.isOperator,
      knownUser,
      address: origin + pathname,
      patienceMs: Math.ceil((timeoutMs * 2) / 3),
    }
    await turn(knownUser ?? fields.user_id ?? caller.name)
    const once = async () => ({ status: 200, body: JSON.stringify(await run(call, fields)) })
    const key = owner === undefined ? undefined : idempotencyKey(context)
    if (key === undefined || owner === undefined) return answer(await once())
    const asked = JSON.stringify([method, route.path, given])
    const { repeated, ...reply } = await memory.answerOnce({ userId: owner(call, fields), key, asked }, once)
    return answer(reply, repeated)
  })
}

async function readGiven(
  context: Context,
  path: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const query = [...queryParameters(context.req.url)].map(([name, texts]) => {
    const kind = kindOf(name)
    if (texts.length > 1) throw invalid(name, 'is given twice', 'Give it once.')
    // Python writes its switches with a capital.
    return [name, readTextValue(kind, kind === 'boolean' ? texts.map((text) => text.toLowerCase()) : texts)] as const
  })
  const given = new Map(Object.entries((await readJsonRequest(context)).value))
  for (const [name, value] of [...query, ...Object.entries(path)]) {
    if (given.has(name) && given.get(name) !== value)
      throw invalid(name, 'is given in the address and in the body, differently', 'Give it once.')
    given.set(name, value)
  }
  return Object.fromEntries(given)
}

function find(method: string, path: string): { readonly route: Route; readonly path: Record<string, string> } {
  const matching = TABLE.filter(({ pattern }) => pattern.test(path))
  const found = matching.find(({ route }) => route.method === method)
  if (found !== undefined) {
    const [, ...parts] = found.pattern.exec(path) as RegExpExecArray
    const values = found.names.map((name, at) => [name, decoded(parts[at] ?? '')])
    return { route: found.route, path: Object.fromEntries(values) }
  }
  if (matching.length > 0) {
    const allow = matching.map(({ route }) => route.method).join(', ')
    throw new DoorError(405, 'This path takes another method.', `Use ${allow}.`, { allow })
  }
  throw new DoorError(404, 'There is nothing under this path.', 'See docs/mem0.md for what there is.')
}

interface Call extends Access {
  readonly isOperator: boolean
  /** The user of the key or header; undefined without either. */
  readonly knownUser: string | undefined
  readonly address: string
  /** Milliseconds of waiting for a model before the answer is pending. */
  readonly patienceMs: number
}

interface Route {
  readonly method: string
  /** `/memories/{memory_id}`, after /mem0 and without a slash at the end. */
  readonly path: string
  readonly scope: 'read' | 'write'
  readonly options: keyof typeof CALLS
  readonly run: (call: Call, fields: Fields) => Promise<object>
  /** The user whose answer is stored for an Idempotency-Key; absent for routes that are safe to repeat. */
  readonly owner?: (call: Call, fields: Fields) => string
}

const add: Route['run'] = (call, fields) => addRecords(call, fields, call.patienceMs)
const search: Route['run'] = async (call, fields) => ({ results: await searchRecords(call, fields), relations: [] })
const list: Route['run'] = async (call, fields) => {
  const { results, total } = await listRecords(call, fields)
  return { results, relations: [], total }
}
const listPages: Route['run'] = async (call, fields) => linked(await listRecords(call, fields), call)
const reset: Route['run'] = async (call) => {
  const { memory, knownUser: userId } = call
  if (userId === undefined && !call.isOperator)
    throw new DoorError(403, 'This is about every user.', 'Use a key of the scope admin for all users.')
  const { deleted } = await (userId === undefined ? deleteEverything(memory) : memory.reset({ userId }))
  return { message: 'All memories reset', deleted }
}
const ping: Route['run'] = async () => ({ status: 'ok', org_id: 'mneme', project_id: 'mneme', user_email: null })

/** A row names what it does, its options, and its addresses: on a server of one's own, and on the platform. */
const ROUTES: readonly (readonly [Route['scope'], Route['run'], Route['options'], ...string[]])[] = [
  ['write', add, 'add', 'POST /memories', 'POST /v3/memories/add'],
  ['read', search, 'search', 'POST /search', 'POST /v3/memories/search'],
  ['read', list, 'list', 'GET /memories'],
  ['read', listPages, 'list', 'POST /v3/memories'],
  ['read', getRecord, 'one', 'GET /memories/{memory_id}', 'GET /v1/memories/{memory_id}'],
  ['write', updateRecord, 'update', 'PUT /memories/{memory_id}', 'PUT /v1/memories/{memory_id}'],
  ['write', deleteRecord, 'one', 'DELETE /memories/{memory_id}', 'DELETE /v1/memories/{memory_id}'],
  ['write', deleteScope, 'deleteAll', 'DELETE /memories', 'DELETE /v1/memories'],
  ['read', historyRecords, 'one', 'GET /memories/{memory_id}/history', 'GET /v1/memories/{memory_id}/history'],
  ['write', reset, 'none', 'POST /reset'],
  ['read', ping, 'none', 'GET /v1/ping'],
]

const TABLE = ROUTES.flatMap(([scope, run, options, ...addresses]) =>
  addresses.map((address) => {
    const [method = '', path = ''] = address.split(' ')
    const route: Route = { method, path, scope, options, run, ...(run === add ? { owner: ownerOfAddition } : {}) }
    return { route, names: namesIn(path), pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`) }
  }),
)

function linked({ results, total, page, pageSize }: Page<unknown>, { address }: Call): object {
  const at = (number: number): string => `${address}?page=${number}&page_size=${pageSize}`
  return {
    count: total,
    next: page * pageSize < total ? at(page + 1) : null,
    previous: page > 1 && total > 0 ? at(Math.min(page - 1, Math.ceil(total / pageSize))) : null,
    results,
  }
}
