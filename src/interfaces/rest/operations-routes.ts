/** The routes of the table of operations: read the request, check it, call, answer in JSON. */
import type { Context } from 'hono'
import { type AnyOperation, isDoneOnce, isPresent, type RestDoor, scopeOf } from '../operations/operation.ts'
import { readInput } from '../operations/read-input.ts'
import { DoorError } from './problem.ts'
import { decoded, idempotencyKey, readRequest } from './read-request.ts'
import type { ServerApp, Services } from './services.ts'

/** Adds a route for every operation that REST has. */
export function addOperationRoutes(app: ServerApp, operations: readonly AnyOperation[], services: Services): void {
  for (const operation of operations)
    if (isPresent(operation.rest)) {
      const { rest } = operation
      app.on(rest.method.toUpperCase(), honoPath(rest.path), (context) => answer(context, operation, rest, services))
    }
}

/** `/memory/{id}` as hono writes it. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

async function answer(
  context: Context,
  operation: AnyOperation,
  rest: RestDoor,
  { options, admit }: Services,
): Promise<Response> {
  const { memory } = options
  return admit(context, { scope: scopeOf(operation) }, async ({ caller, user, signal }) => {
    const raw = await readRequest(operation, context, pathValues(context.req.url, rest.path), options)
    const userId = user(raw.userId)
    const input = readInput(operation, raw.input)
    const { isOperator } = caller
    const call = async () => {
      const answered = await operation.handler({ memory, userId, isOperator, signal }, input)
      return { status: rest.status ?? 200, body: JSON.stringify(answered) }
    }
    const key = isDoneOnce(operation) ? idempotencyKey(context) : undefined
    if (key === undefined) return json(await within(call(), signal))
    const asked = JSON.stringify([rest.method, rest.path, input])
    const quotes = operation.effect !== 'delete'
    // Whoever hangs up, or waits too long, may ask again: what was begun for this key goes on, and its answer is kept.
    const { repeated, ...reply } = await within(memory.answerOnce({ userId, key, asked, quotes }, call), signal)
    return json(reply, repeated ? { 'idempotency-replayed': 'true' } : {})
  })
}

function json(
  reply: { readonly status: number; readonly body: string },
  headers: Record<string, string> = {},
): Response {
  return new Response(reply.body, { status: reply.status, headers: { ...headers, 'content-type': 'application/json' } })
}

/** The values of the names in braces. The path is matched already. */
function pathValues(url: string, path: string): Readonly<Record<string, string>> {
  const parts = new URL(url).pathname.split('/')
  const values: Record<string, string> = {}
  for (const [index, part] of path.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) values[name] = decoded(parts[index] ?? '')
  }
  return values
}

/** What `work` resolves to, or the reason why it has to stop. What it wrote by then stays. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void =>
      reject(
        new DoorError('timeout', 503, 'This took too long, or the caller went away.', 'Ask for less at once.', {
          'retry-after': '1',
        }),
      )
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
