/** What a server tells about itself: whether it is well, its figures, what can be asked of it. */
import { InputRefusal } from '../operations/read-input.ts'
import { checkHealth } from './health.ts'
import type { Metrics } from './metrics.ts'
import type { ExtraRoute } from './openapi.ts'
import { queryParameters } from './read-request.ts'
import type { ServerApp, Services } from './services.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }

/** Adds the routes and says what to write about them. */
export function addServerRoutes(
  app: ServerApp,
  services: Services,
  metrics: Metrics,
  version: string,
  document: () => unknown,
): readonly ExtraRoute[] {
  const { admit } = services
  app.get('/health', async (context) => {
    refuseParameters(context.req.url)
    const health = await checkHealth(services, version)
    return context.json(health, health.status === 'down' ? 503 : 200)
  })
  app.get('/metrics', (context) =>
    admit(context, { scope: 'admin' }, async () => {
      refuseParameters(context.req.url)
      return context.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
    }),
  )
  app.get('/openapi.json', (context) => {
    refuseParameters(context.req.url)
    return context.json(document() as object)
  })
  return [
    {
      method: 'get',
      path: '/health',
      describe: {
        operationId: 'health',
        summary: 'Tell whether all is well, and what is degraded.',
        tags: ['Server'],
        security: [],
        responses: {
          200: { description: 'It answers.', content: JSON_OBJECT },
          503: { description: 'It cannot.', content: JSON_OBJECT },
        },
      },
      errors: [400, 403],
    },
    {
      method: 'get',
      path: '/metrics',
      describe: {
        operationId: 'metrics',
        summary: 'Figures for Prometheus.',
        tags: ['Server'],
        responses: {
          200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
      errors: [400, 401, 403, 429, 503],
    },
    {
      method: 'get',
      path: '/openapi.json',
      describe: {
        operationId: 'openapi',
        summary: 'This document.',
        tags: ['Server'],
        security: [],
        responses: { 200: { description: 'OpenAPI 3.1.', content: JSON_OBJECT } },
      },
      errors: [400, 403],
    },
  ]
}

/** What these routes tell, they tell whole. */
function refuseParameters(url: string): void {
  for (const name of queryParameters(url).keys())
    throw new InputRefusal(name, 'is not known here', 'Leave it out: this path takes no parameters.')
}
