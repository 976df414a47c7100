/** Does an answer come as events or in one piece? The content type tells, or else how it begins: some vendors send events as text/plain. */

/** How an answer comes. */
export type AnswerForm = 'events' | 'body'

/** How a stream of events begins: with a field, or with a comment. */
const FIELD = /^(?:data|event|id|retry)?:/
/** Characters after which its first field has ended. */
const LONGEST_FIELD = 16

/** What the content type tells; undefined: nothing for sure. */
export function formOfType(contentType: string | null): AnswerForm | undefined {
  return /\btext\/event-stream\b/i.test(contentType ?? '') ? 'events' : undefined
}

/** What the beginning tells; undefined: it is too short yet. */
export function formOfBeginning(text: string): AnswerForm | undefined {
  const start = text.trimStart()
  if (start.length < LONGEST_FIELD && !start.includes(':') && !start.startsWith('{')) return undefined
  return FIELD.test(start) ? 'events' : 'body'
}

/** How the response comes, and the same response to be read from its beginning. */
export async function formOfResponse(
  response: Response,
): Promise<{ readonly form: AnswerForm; readonly response: Response }> {
  const told = formOfType(response.headers.get('content-type'))
  if (told !== undefined || response.body === null) return { form: told ?? 'body', response }
  const [ahead, whole] = response.body.tee()
  const { status, headers } = response
  return { form: (await formOfStream(ahead)) ?? 'body', response: new Response(whole, { status, headers }) }
}

async function formOfStream(body: ReadableStream<Uint8Array>): Promise<AnswerForm | undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let begun = ''
  let form: AnswerForm | undefined
  while (form === undefined) {
    const { done, value } = await reader.read()
    if (done) break
    begun += decoder.decode(value, { stream: true })
    form = formOfBeginning(begun)
  }
  void reader.cancel().catch(() => undefined)
  return form
}
