/** What is sent for a question? Everything that was asked for, but no parameter that the server has refused. */
import type { ModelRequest } from '../../domain/contracts/language-model.ts'

/** Parameters that an answer can do without. */
export const OPTIONAL_PARAMETERS = [
  'response_format',
  'stream_options',
  'temperature',
  'max_completion_tokens',
  'max_tokens',
] as const
/** A parameter that a server may refuse by name and that it can do without. */
export type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number]

/** The body of a chat completion, without the parameters in `refused`. */
export function requestBody(
  request: ModelRequest,
  endpoint: { readonly model: string; readonly provider: 'openrouter' | 'openai' },
  stream: boolean,
  refused: ReadonlySet<OptionalParameter>,
): Record<string, unknown> {
  // Newer models of OpenAI want the longer name and refuse the older one.
  const limit = refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens'
  const body: Record<string, unknown> = {
    model: endpoint.model,
    messages: request.messages.map(({ role, content }) => ({ role, content: content.toWellFormed() })),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { [limit]: request.maxTokens }),
    ...(request.json === true ? { response_format: { type: 'json_object' } } : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    // Only so does OpenRouter state the cost.
    ...(endpoint.provider === 'openrouter' ? { usage: { include: true } } : {}),
  }
  for (const name of refused) delete body[name]
  return body
}
