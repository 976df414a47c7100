/** What does a response that came in one piece answer? */

import { withoutReasoning } from '../../text/reasoning.ts'
import { CallFailure } from './call-failure.ts'
import { readCompletion, readError } from './envelope.ts'
import type { Outcome } from './model-line.ts'
import { type Endpoint, quote, statedFailure } from './post.ts'
import { responseText } from './response-text.ts'

const LARGEST_BODY_BYTES = 1024 * 1024

/** Rejects with CallFailure for a body that is no completion, and for an error that a body with status 200 states. */
export async function readAnswer(response: Response, endpoint: Endpoint): Promise<Outcome> {
  const text = await responseText(response, LARGEST_BODY_BYTES)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new CallFailure(`the answer is not JSON: ${quote(text.slice(0, 2000), endpoint) || '(empty)'}`, {
      transient: true,
    })
  }
  const stated = readError(body)
  if (stated !== null) throw statedFailure(stated.status, stated.message, endpoint)
  const said = readCompletion(body)
  if (said === null)
    throw new CallFailure(`the answer is no completion: ${quote(text.slice(0, 2000), endpoint)}`, { transient: true })
  return { text: withoutReasoning(said.text).trim(), model: said.model, usage: said.usage }
}
