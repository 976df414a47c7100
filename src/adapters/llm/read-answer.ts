/** What does a response that came in one piece answer? */

import { withoutReasoning } from '../../text/reasoning.ts'
import { CallFailure } from '../http/call-failure.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readJson } from '../http/read-json.ts'
import { readCompletion } from './envelope.ts'
import type { ModelReply } from './model-line.ts'

const LARGEST_BODY_BYTES = 1024 * 1024

/** Rejects with CallFailure for a body that is no completion, and for an error that a body with status 200 states. */
export async function readAnswer(response: Response, endpoint: Endpoint): Promise<ModelReply> {
  const { body, quoted } = await readJson(response, endpoint, LARGEST_BODY_BYTES)
  const said = readCompletion(body)
  if (said === null) throw new CallFailure('the answer is no completion', { transient: true, said: quoted })
  return { text: withoutReasoning(said.text), model: said.model, usage: said.usage }
}
