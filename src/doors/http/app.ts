/** The REST door as a web-standard app, from request to response. It does not listen; `serve.ts` does. */
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { isUnwritable } from '../../domain/errors.ts'
import { maskSecrets } from '../../language/secrets/mask-secrets.ts'
import { isDoneOnce, jsonOf, type RestDoor, scopeOf } from '../operations/operation.ts'
import { type NamedOperation, OPERATIONS } from '../operations/table.ts'
import { createAdmission, createServices, readCall, type ServerApp, type Services } from './admission.ts'
import { checkHost } from './caller.ts'
import { addChatRoute, addCompletionRoutes, CONVERSATION_HEADER, OWN_REQUEST_ID } from './chat-routes.ts'
import { addTransferRoutes } from './import-export-routes.ts'
import { openApiDocument } from './openapi.ts'
import { DoorError, problemResponse, REQUEST_ID, stoppingError, untilStopped, vendorResponse } from './problem.ts'
import { idempotencyKey } from './read-request.ts'
import { type AppOptions, resolveAppOptions } from './server-options.ts'
import { addPageRoutes, addServerRoutes, createMetrics } from './server-routes.ts'

export type App = ReturnType<typeof createApp>

export interface Mount {
  add(app: ServerApp, services: Services, version: string): void
}

const EXPOSED = [
  REQUEST_ID,
  OWN_REQUEST_ID,
  'www-authenticate',
  'retry-after',
  'retry-after-ms',
  'idempotency-replayed',
  CONVERSATION_HEADER,
  'x-mneme-recalled',
  'x-mneme-warning',
]

export function createApp(given: AppOptions, version: string, mounts: readonly Mount[] = []) {
  const options = resolveAppOptions(given)
  const { memory, logger, allowedHosts, allowedOrigins } = options
  const admission = createAdmission(options.concurrency, options.queueLength, options.streams)
  const metrics = createMetrics(memory, admission)
  const stopping = new AbortController()
  const services = createServices(options, admission, stopping.signal)
  const app: ServerApp = new Hono()

  app.use(async (context, next) => {
    const begun = performance.now()
    const asked = context.req.header(REQUEST_ID)
    const requestId = asked !== undefined && /^[\w.:-]{1,128}$/.test(asked) ? asked : randomUUID()
    context.set('requestId', requestId)
    await next()
    // A vendor's answer has the id that it has in the vendor's log.
    if (!context.res.headers.has(REQUEST_ID)) context.res.headers.set(REQUEST_ID, requestId)
    const seconds = (performance.now() - begun) / 1000
    const { method } = context.req
    const route = context.res.status === 404 && context.req.routePath === '/*' ? 'none' : context.req.routePath
    metrics.observe(method, route, context.res.status, seconds)
    logger.info('request', {
      request_id: requestId === asked ? maskSecrets(asked) : requestId,
      method,
      route,
      status: context.res.status,
      milliseconds: Number((seconds * 1000).toFixed(2)),
    })
  })
  app.use(async (context, next) => {
    checkHost(context, allowedHosts, allowedOrigins)
    await next()
  })
  if (allowedOrigins.length > 0) app.use(cors({ origin: [...allowedOrigins], exposeHeaders: EXPOSED, maxAge: 600 }))
  const wrongMethod = (context: Context, methods: readonly string[]): Response => {
    const [remedy, allow] = [`Use ${methods.join(' or ')}.`, methods.join(', ')]
    const error = new DoorError(405, 'This path takes another method.', remedy, { allow })
    return errorResponse(error, context)
  }
  app.use(methodNotAllowed({ app, onMethodNotAllowed: wrongMethod }))
  const extras = addServerRoutes(app, services, metrics, version, () => document)
  for (const mount of mounts) mount.add(app, services, version)
  addTransferRoutes(app, services)
  addChatRoute(app, services)
  addCompletionRoutes(app, services)
  addOperationRoutes(app, OPERATIONS, services)
  if (options.page !== null) addPageRoutes(app, options.page)
  const document = openApiDocument(OPERATIONS, extras, { version })

  const nothing = new DoorError(404, 'There is nothing under this path.', 'See /openapi.json for what there is.')
  app.notFound((context) => errorResponse(nothing, context))
  app.onError((error, context) => {
    if (isUnwritable(error)) services.unwritable = { reason: error.message, at: performance.now() }
    const response = errorResponse(error, context)
    const about = { request_id: maskSecrets(context.get('requestId')), status: response.status }
    if (response.status === 500) logger.error('request failed', { ...about, reason: error.stack ?? String(error) })
    else if (response.status > 500) logger.warn('request refused', { ...about, reason: error.message })
    return response
  })
  const routes = app.routes
    .filter(({ path }) => path !== '/*')
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
  return {
    /** Answers one request; `bindings` come from the server (its `outgoing`, to break a connection off). */
    fetch: async (request: Request, bindings?: object): Promise<Response> => app.fetch(request, bindings),
    /** Stops running work: requests are answered by a 503, chat streams by an `error` event. */
    stop: () => stopping.abort(stoppingError()),
    document,
    /** Every route, as `post /memory/search`, with path parameters in braces. The method `all` takes every method. */
    routes,
  }
}

function errorResponse(error: unknown, context: Context): Response {
  const { path } = context.req
  const requestId: string = context.get('requestId')
  const isOfVendor = path === '/v1' || path.startsWith('/v1/')
  return isOfVendor ? vendorResponse(error, path, requestId) : problemResponse(error, requestId)
}

function addOperationRoutes(app: ServerApp, operations: readonly NamedOperation[], services: Services): void {
  for (const operation of operations)
    if (operation.rest !== undefined && operation.rest.own === undefined) {
      const { rest } = operation
      const path = rest.path.replace(/\{(\w+)\}/g, ':$1')
      app.on(rest.method.toUpperCase(), path, (context) => answerOperation(context, operation, rest, services))
    }
}

async function answerOperation(
  context: Context,
  operation: NamedOperation,
  rest: RestDoor,
  services: Services,
): Promise<Response> {
  const { options, admit } = services
  const { memory, readers } = options
  const needs = { scope: scopeOf(operation), isLong: rest.isLong === true }
  return admit(context, needs, async (admitted) => {
    const { input, ...asking } = await readCall(services, admitted, operation, context)
    const { userId, isOperator, signal } = asking
    await admitted.turn(userId)
    const patienceMs = Math.ceil((options.timeoutMs * 2) / 3)
    const here = () => jsonOf(operation, { ...asking, patienceMs }, input)
    const call = async () => {
      const question = { operation: operation.name, userId, isOperator, input }
      const body = rest.inReader === true && readers !== null ? await readers.answer(question, here) : await here()
      return { status: rest.status ?? 200, body }
    }
    const key = isDoneOnce(operation) ? idempotencyKey(context) : undefined
    if (key === undefined) return admitted.answer(await untilStopped(call(), signal))
    const asked = JSON.stringify([rest.method, rest.path, input])
    const quotes = operation.effect !== 'delete'
    // After a disconnect or timeout the caller may retry: the work for this key continues, and its answer is kept.
    const { repeated, ...reply } = await untilStopped(memory.answerOnce({ userId, key, asked, quotes }, call), signal)
    return admitted.answer(reply, repeated)
  })
}
