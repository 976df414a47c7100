/** Every answer carries the id of its request, so that it is found in the log. */

/** The header that it stands in. */
export const REQUEST_ID = 'x-request-id'

/** Answers that were made with the id. */
const carrying = new WeakSet<Response>()

/** An answer that carries the id from the beginning, which costs less than to add it: headers become an object only then. */
export function responseWithId(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  status: number,
  headers: Record<string, string>,
  id: string,
): Response {
  const response = new Response(body, { status, headers: { ...headers, [REQUEST_ID]: id } })
  carrying.add(response)
  return response
}

/** Adds the id where it is missing. */
export function giveId(response: Response, id: string): void {
  // Where pages of other origins may call, hono makes the answer anew.
  if (!carrying.has(response) && !response.headers.has(REQUEST_ID)) response.headers.set(REQUEST_ID, id)
}
