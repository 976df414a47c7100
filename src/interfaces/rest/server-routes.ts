/** What a server tells about itself: whether it is well, its figures, what can be asked of it. */
import { checkHealth } from './health.ts'
import type { Metrics } from './metrics.ts'
import type { ExtraRoute } from './openapi.ts'
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
  const { options, admit } = services
  app.get('/health', async (context) => {
    const health = await checkHealth(options.memory, services.admission, version)
    return context.json(health, health.status === 'down' ? 503 : 200)
  })
  app.get('/metrics', (context) =>
    admit(context, { scope: 'admin' }, async () =>
      context.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
    ),
  )
  app.get('/openapi.json', (context) => context.json(document() as object))
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
      errors: [403],
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
      errors: [401, 403, 429, 503],
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
      errors: [403],
    },
  ]
}
