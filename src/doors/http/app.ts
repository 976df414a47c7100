/**
 * The REST door as a web-standard app, from request to response. It does not listen (`serve.ts` does), so it can be
 * mounted in another server or called in a test.
 */
import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { MnemeError } from '../../domain/errors.ts'
import { OPERATIONS } from '../operations/table.ts'
import { createAdmission, createRateLimit } from './admission.ts'
import { checkHost } from './caller.ts'
import { addChatRoute } from './chat/chat-route.ts'
import { addCompletionRoutes, CONVERSATION_HEADER, OWN_REQUEST_ID } from './chat/completions-route.ts'
import { type ExtraRoute, openApiDocument } from './openapi.ts'
import { addOperationRoutes } from './operations-routes.ts'
import { type AppOptions, resolveAppOptions } from './options.ts'
import {
  DoorError,
  giveId,
  isVendorPath,
  problemResponse,
  REQUEST_ID,
  stoppingError,
  vendorResponse,
} from './problem.ts'
import { addPageRoutes, addServerRoutes, createMetrics, isUnwritable } from './server-routes.ts'
import { createServices, type ServerApp, type Services } from './services.ts'
import { addTransferRoutes } from './transfer-routes.ts'

/** A made app. */
export interface App {
  /** Answers one request; `bindings` come from the server (its `outgoing`, to break a connection off). */
  fetch(request: Request, bindings?: object): Promise<Response>
  /** Stops running work: requests are answered by a 503, chat streams by an `error` event. */
  stop(): void
  /** The OpenAPI 3.1 document. */
  readonly document: Record<string, unknown>
  /** Every route, as `post /memory/search`, with path parameters in braces. The method `all` takes every method. */
  readonly routes: readonly string[]
}

/** A door that another room adds to the server. */
export interface Mount {
  /** Headers of its answers that pages of allowed origins may read. */
  readonly exposes?: readonly string[]
  /** Adds its routes; gives those that the OpenAPI document shall name. */
  add(app: ServerApp, services: Services, version: string): readonly ExtraRoute[]
}

/** Headers of answers that pages of allowed origins may read. */
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

/** Makes the app. `version` is told in the document and by /health. */
export function createApp(given: AppOptions, version: string, mounts: readonly Mount[] = []): App {
  const options = resolveAppOptions(given)
  const { memory, logger, allowedHosts, allowedOrigins } = options
  const admission = createAdmission(options.concurrency, options.queueLength, options.streams)
  const metrics = createMetrics(memory, admission)
  const stopping = new AbortController()
  const services = createServices(options, admission, createRateLimit(options.requestsPerMinute), stopping.signal)
  const app: ServerApp = new Hono()

  app.use(async (context, next) => {
    const begun = performance.now()
    const asked = context.req.header(REQUEST_ID)
    const requestId = asked !== undefined && /^[\w.:-]{1,128}$/.test(asked) ? asked : randomUUID()
    context.set('requestId', requestId)
    await next()
    giveId(context.res, requestId)
    const seconds = (performance.now() - begun) / 1000
    const { method } = context.req
    const route = context.res.status === 404 && context.req.routePath === '/*' ? 'none' : context.req.routePath
    metrics.observe(method, route, context.res.status, seconds)
    logger.info('request', {
      request_id: requestId,
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
  if (allowedOrigins.length > 0)
    app.use(
      cors({
        origin: [...allowedOrigins],
        exposeHeaders: [...EXPOSED, ...mounts.flatMap(({ exposes = [] }) => exposes)],
        maxAge: 600,
      }),
    )
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (context, methods) =>
        errorResponse(
          new DoorError('method_not_allowed', 405, 'This path takes another method.', `Use ${methods.join(' or ')}.`, {
            allow: methods.join(', '),
          }),
          context,
        ),
    }),
  )
  const extras: readonly ExtraRoute[] = [
    ...addServerRoutes(app, services, metrics, version, () => document),
    ...mounts.flatMap((mount) => mount.add(app, services, version)),
  ]
  addTransferRoutes(app, services)
  addChatRoute(app, services)
  addCompletionRoutes(app, services)
  addOperationRoutes(app, OPERATIONS, services)
  if (options.page !== null) addPageRoutes(app, options.page)
  const document = openApiDocument(OPERATIONS, extras, { version })

  app.notFound((context) =>
    errorResponse(
      new DoorError('not_found', 404, 'There is nothing under this path.', 'See /openapi.json for what there is.'),
      context,
    ),
  )
  app.onError((error, context) => {
    if (error instanceof MnemeError && isUnwritable(error))
      services.unwritable = { reason: error.message, at: performance.now() }
    const response = errorResponse(error, context)
    const about = { request_id: context.get('requestId'), status: response.status }
    if (response.status === 500) logger.error('request failed', { ...about, reason: error.stack ?? String(error) })
    else if (response.status > 500) logger.warn('request refused', { ...about, reason: error.message })
    return response
  })
  const routes = app.routes
    .filter(({ path }) => path !== '/*')
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`)
  return {
    fetch: async (request, bindings) => app.fetch(request, bindings),
    stop: () => stopping.abort(stoppingError()),
    document,
    routes,
  }
}

/** An error in the format of the clients that use such a path. */
function errorResponse(error: unknown, context: Context<{ Variables: { requestId: string } }>): Response {
  const { path } = context.req
  const requestId = context.get('requestId')
  return isVendorPath(path) ? vendorResponse(error, path, requestId) : problemResponse(error, requestId)
}
