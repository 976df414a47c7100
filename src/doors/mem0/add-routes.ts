/**
 * /mem0 at the REST door: the same server, the same keys, the same database. Errors are those of REST, sent as plain
 * JSON, since mem0's Python client reads no other; their `detail`, from which the clients make exceptions, says the remedy.
 */
import type { Context } from 'hono'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { USER_HEADER } from '../http/caller.ts'
import type { ExtraRoute } from '../http/openapi.ts'
import { json } from '../http/operations-routes.ts'
import { DoorError, inOneLine, problemJson, problemOf } from '../http/problem.ts'
import { readJsonObject } from '../http/read-body.ts'
import { decoded, idempotencyKey } from '../http/read-request.ts'
import type { Admitted, ServerApp, Services } from '../http/services.ts'
import { namesIn } from '../operations/operation.ts'
import { onlyOwner } from './access.ts'
import { describeRoute } from './describe-route.ts'
import { readFields } from './fields.ts'
import { readQuery } from './query.ts'
import { MEM0_ROUTES, type Mem0Route, type RouteCall } from './routes.ts'
import type { Whose } from './scope.ts'
import { WITHOUT_MEANING } from './without-meaning.ts'

const PREFIX = '/mem0'

/** Adds the routes and says what to write about them. */
export function addMem0Routes(app: ServerApp, services: Services): readonly ExtraRoute[] {
  app.all(`${PREFIX}/*`, async (context) => {
    const requestId: string = context.get('requestId')
    try {
      return await answer(context, requestId, services)
    } catch (error) {
      const { problem, headers } = problemOf(error, requestId)
      if (problem.status === 500) throw error
      const { detail: _, ...others } = problem
      // First, because mem0's TypeScript client shows the text of the answer as its message.
      return problemJson({ detail: inOneLine(problem), ...others }, headers, 'application/json')
    }
  })
  return MEM0_ROUTES.map((route) => ({
    method: route.method.toLowerCase(),
    path: PREFIX + route.path,
    describe: describeRoute(route, MEM0_ROUTES, PREFIX),
  }))
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
    const { caller } = admitted
    const header = context.req.header(USER_HEADER)
    const call: RouteCall = {
      access: { memory: options.memory, whose: whoseOf(admitted, header !== undefined, options.memory) },
      memory: options.memory,
      fields: readFields({ ...query, ...body }, route.fields),
      path: values,
      address: `${url.origin}${url.pathname}`,
      isOperator: caller.isOperator,
      knownUser: header !== undefined || caller.userId !== null ? admitted.user(undefined) : undefined,
      patienceMs: Math.ceil((options.timeoutMs * 2) / 3),
    }
    const key = route.owner === undefined ? undefined : idempotencyKey(context)
    if (key === undefined || route.owner === undefined) return context.json(await route.run(call))
    const asked = JSON.stringify([route.method, route.path, query, body])
    const { repeated, ...reply } = await options.memory.answerOnce(
      { userId: route.owner(call), key, asked },
      async () => ({ status: 200, body: JSON.stringify(await route.run(call)) }),
    )
    return json(reply, repeated, requestId)
  })
}

/** Who may be meant: the user of the key, of the header, or the one named; else whoever has the memory. */
function whoseOf({ caller, user }: Admitted, isNamed: boolean, memory: RouteCall['memory']): Whose {
  return {
    user,
    ownerOf: async (id, named) =>
      named !== undefined || isNamed || caller.userId !== null ? user(named) : onlyOwner(memory, id),
    isNamed,
  }
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
  // "/v1/memories/search" is also the place of a memory of that name.
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
