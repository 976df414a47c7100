/** The routes of the table of operations: read the request, check it, call, answer in JSON. */
import type { Context } from 'hono'
import type { KeptReply } from '../../usecases/keys.ts'
import { type AnyOperation, isDoneOnce, isPresent, jsonOf, type RestDoor, scopeOf } from '../operations/operation.ts'
import { DoorError, responseWithId } from './problem.ts'
import { checkedInput, decoded, idempotencyKey, readRequest } from './read-request.ts'
import type { ServerApp, Services } from './services.ts'

/** Adds a route for every operation in REST, except those with their own file. */
export function addOperationRoutes(app: ServerApp, operations: readonly AnyOperation[], services: Services): void {
  for (const operation of operations)
    if (isPresent(operation.rest) && operation.rest.own === undefined) {
      const { rest } = operation
      const route = { operation, rest, pathValues: pathReader(rest.path) }
      app.on(rest.method.toUpperCase(), honoPath(rest.path), (context) => answer(context, route, services))
    }
}

/** `/memory/{id}` as hono writes it. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** An operation where REST has it. */
interface Route {
  readonly operation: AnyOperation
  readonly rest: RestDoor
  /** The values of the names in braces, from an address that matches the path. */
  readonly pathValues: (url: string) => Readonly<Record<string, string>>
}

async function answer(
  context: Context,
  { operation, rest, pathValues }: Route,
  { options, admit }: Services,
): Promise<Response> {
  const { memory, readers } = options
  return admit(context, { scope: scopeOf(operation) }, async ({ caller, user, turn, signal }) => {
    const raw = readRequest(operation, context, pathValues(context.req.url))
    const userId = user(raw.userId)
    await turn(userId)
    const input = checkedInput(operation, raw.input)
    const { isOperator } = caller
    const patienceMs = Math.ceil((options.timeoutMs * 2) / 3)
    const here = () => jsonOf(operation, { memory, userId, isOperator, signal, patienceMs }, input)
    const call = async () => {
      const question = { operation: operation.name, userId, isOperator, input }
      const body = rest.inReader === true && readers !== null ? await readers.answer(question, here) : await here()
      return { status: rest.status ?? 200, body }
    }
    const key = isDoneOnce(operation) ? idempotencyKey(context) : undefined
    if (key === undefined) return json(await within(call(), signal), false, context.get('requestId'))
    const asked = JSON.stringify([rest.method, rest.path, input])
    const quotes = operation.effect !== 'delete'
    // After a disconnect or timeout the caller may retry: the work for this key continues, and its answer is kept.
    const { repeated, ...reply } = await within(memory.answerOnce({ userId, key, asked, quotes }, call), signal)
    return json(reply, repeated, context.get('requestId'))
  })
}

/** An answer in JSON; a repeated one is marked as such. */
export function json({ status, body }: KeptReply, isRepeated: boolean, requestId: string): Response {
  const replayed = isRepeated ? { 'idempotency-replayed': 'true' } : {}
  return responseWithId(body, status, { 'content-type': 'application/json', ...replayed }, requestId)
}

function pathReader(path: string): Route['pathValues'] {
  const names = path.split('/').flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [{ name, index }]
  })
  return (url) => {
    if (names.length === 0) return {}
    const parts = pathOf(url).split('/')
    return Object.fromEntries(names.map(({ name, index }) => [name, decoded(parts[index] ?? '')]))
  }
}

/** The path of an address that the server passes absolute and normalised. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + '://'.length)
  return start < 0 ? '/' : (/^[^?#]*/.exec(url.slice(start))?.[0] ?? '/')
}

/** The result of `work`, or a rejection with the reason to stop. Completed writes stay. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void =>
    stopped.reject(
      signal.reason instanceof DoorError
        ? signal.reason
        : new DoorError('timeout', 503, 'This took too long, or the caller went away.', 'Ask for less at once.', {
            'retry-after': '1',
          }),
    )
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
