/** Errors for clients of a vendor's API: our problem document with the vendor's `error` object added. */
import { inOneLine, type Problem, problemJson, problemOf } from '../problem.ts'

/** A problem that vendor clients can read as well. */
export interface OpenAiProblem extends Problem {
  readonly error: {
    readonly message: string
    readonly type: 'rate_limit_error' | 'invalid_request_error' | 'api_error'
    readonly code: string
    readonly param: string | null
  }
}

/** Whether a path belongs to a vendor's interface. */
export function isVendorPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

/** Whether it belongs to Anthropic's. */
export function isAnthropicPath(path: string): boolean {
  return path === '/v1/messages' || path.startsWith('/v1/messages/')
}

/** The problem with the `error` object. */
export function forOpenAi(problem: Problem): OpenAiProblem {
  const { status, code, field = null } = problem
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'api_error'
  return { ...problem, error: { message: inOneLine(problem), type, code, param: field } }
}

/** The response to an error. Anthropic's clients identify errors by `type`. */
export function vendorResponse(error: unknown, path: string, requestId: string): Response {
  const { problem, headers } = problemOf(error, requestId)
  return problemJson({ ...forOpenAi(problem), ...(isAnthropicPath(path) ? { type: 'error' } : {}) }, headers)
}
