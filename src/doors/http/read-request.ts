/** The raw input of an operation, from the path, the query string and the body of a request. */
import type { Context } from 'hono'
import { invalid } from '../../domain/errors.ts'
import { type AnyOperation, isPresent } from '../operations/operation.ts'
import { fieldKinds, InputRefusal, readInput, readTextValue } from '../operations/read-input.ts'
import { decodedHeader } from './caller.ts'
import { readJsonObject } from './read-body.ts'

/** Where a request may name the user besides the header. */
export const USER_PARAMETER = 'user_id'

/** Characters of an Idempotency-Key. */
const LONGEST_KEY = 255

/** The Idempotency-Key of a request; undefined when there is none. */
export function idempotencyKey(context: Context): string | undefined {
  const key = context.req.header('idempotency-key')
  if (key !== undefined && key.length > LONGEST_KEY)
    throw invalid('Idempotency-Key', `is longer than ${LONGEST_KEY} characters`, 'Use a shorter one, such as a UUID.')
  return key
}

/** The input of a request, and its user. */
export interface RawRequest {
  readonly input: Record<string, unknown>
  /** `user_id` of the query string or the body; undefined when there is none. */
  readonly userId: unknown
}

/** Parameters of the query string, each with all its values. */
export function queryParameters(url: string): ReadonlyMap<string, readonly string[]> {
  const start = url.indexOf('?')
  const parameters = new Map<string, string[]>()
  if (start < 0) return parameters
  for (const part of url
    .slice(start + 1)
    .split('#')[0]
    ?.split('&') ?? []) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decodedInQuery(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decodedInQuery(part.slice(at + 1))
    const values = parameters.get(name)
    if (values === undefined) parameters.set(name, [value])
    else values.push(value)
  }
  return parameters
}

/** A part of a path as text; a plus is a plus. Throws `invalid` where it is no UTF-8. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw invalid('url', 'is not valid percent-encoded UTF-8', 'Encode it with encodeURIComponent.')
  }
}

/** As `decoded`, for a query string, where a plus is a space. */
function decodedInQuery(part: string): string {
  return decoded(part.replaceAll('+', ' '))
}

function sendsBody({ req }: Context): boolean {
  return Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
}

/** Reads a request that was let in. `path` are the values of the names in braces. */
export function readRequest(
  operation: AnyOperation,
  context: Context,
  path: Readonly<Record<string, string>>,
): RawRequest {
  const rest = isPresent(operation.rest) ? operation.rest : undefined
  const kinds = fieldKinds(operation)
  const query = queryParameters(context.req.url)
  const whole = rest?.own?.body?.field
  const headers = rest?.own?.headers ?? {}
  if (rest?.method === 'get' && sendsBody(context))
    throw invalid('body', 'is not taken by a GET', 'Put it into the query string.')
  // A filter on a deletion must be honoured, whether it is in the query string or in the body.
  const body = rest?.method === 'get' || whole !== undefined ? {} : readJsonObject(context)
  const input = new Map<string, unknown>(Object.entries(rest?.defaults ?? {}))
  let userId: unknown
  for (const [name, value] of Object.entries(body))
    if (name === USER_PARAMETER) userId = value
    else input.set(name, value)
  for (const [name, values] of query) {
    if (name === USER_PARAMETER) {
      if (userId !== undefined && userId !== values[0])
        throw invalid(USER_PARAMETER, 'is given twice, differently', 'Name one user.')
      userId = values.length === 1 ? values[0] : values
    } else if (name === whole) throw new InputRefusal(name, 'is not known here', 'Send it as the body.')
    else if (Object.hasOwn(headers, name))
      throw new InputRefusal(name, 'is not known here', `Send it as the header ${headers[name]}.`)
    else if (Object.hasOwn(body, name)) throw invalid(name, 'is given in the address and in the body', 'Give it once.')
    else input.set(name, readTextValue(kinds.get(name) ?? 'text', values))
  }
  for (const [name, header] of Object.entries(headers)) {
    const value = context.req.header(header)
    if (value !== undefined) input.set(name, decodedHeader(header, value))
  }
  for (const [name, value] of Object.entries(path)) {
    if (Object.hasOwn(body, name) || query.has(name))
      throw invalid(name, 'stands in the path already', 'Leave it out of the body and the query string.')
    input.set(name, readTextValue(kinds.get(name) ?? 'text', [value]))
  }
  return { input: Object.fromEntries(input), userId }
}

/** The input of a request with its types. Throws `invalid_input` for the first thing that is wrong. */
export function checkedInput(operation: AnyOperation, input: unknown): Record<string, unknown> {
  return readInput(operation, input, [USER_PARAMETER])
}
