/** What does a response hold? Read as it comes, never more than the bound. */

/** UTF-8 pieces of the body, in order. Throws RangeError past `maxBytes`; ending early lets the connection go. */
export async function* responsePieces(response: Response, maxBytes: number): AsyncGenerator<string> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let bytes = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.byteLength
      if (bytes > maxBytes) throw new RangeError(`the body is larger than ${maxBytes} bytes`)
      yield decoder.decode(read.value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The whole body. Throws RangeError past `maxBytes`. */
export async function responseText(response: Response, maxBytes: number): Promise<string> {
  let text = ''
  for await (const piece of responsePieces(response, maxBytes)) text += piece
  return text
}

/** The beginning of the body, at most about `maxBytes`; '' when it cannot be read. */
export async function responseBeginning(response: Response, maxBytes: number): Promise<string> {
  let text = ''
  try {
    for await (const piece of responsePieces(response, Number.POSITIVE_INFINITY)) {
      text += piece
      if (text.length >= maxBytes) break
    }
  } catch {
    return text
  }
  return text.slice(0, maxBytes)
}
