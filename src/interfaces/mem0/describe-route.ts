/** What the OpenAPI document says of a route of mem0's: its shapes are mem0's own, so they are objects here. */
import type { Mem0Route } from './routes.ts'

const ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad input: `field` names it.',
  401: 'No key, or an unknown one.',
  403: 'The key is good for less, or another site asked.',
  404: 'There is none.',
  405: 'Another method is meant; see Allow.',
  409: 'It contradicts what is there.',
  413: 'Too large.',
  415: 'Not JSON.',
  422: 'Not possible here.',
  429: 'Too many; see Retry-After.',
  502: 'A model failed.',
  503: 'Not now; see Retry-After.',
}
const OBJECT = { 'application/json': { schema: { type: 'object' } } }
const LIST = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } }

/** The OpenAPI operation of a route. */
export function describeRoute({ method, path, summary }: Mem0Route): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const hasBody = method === 'POST' || method === 'PUT'
  return {
    operationId: `mem0_${method.toLowerCase()}${path.replace(/[{}]/g, '').replace(/\W+/g, '_')}`,
    summary,
    tags: ['mem0'],
    parameters: names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
    })),
    ...(hasBody ? { requestBody: { required: false, content: OBJECT } } : {}),
    responses: {
      200: { description: 'Done.', content: path.endsWith('/history') ? LIST : OBJECT },
      ...Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [status, { description, content: OBJECT }]),
      ),
    },
  }
}
