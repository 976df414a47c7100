/** Server-sent events out of a stream of bytes, as the chat sends them. */

/** One event: its name and its data as JSON. */
export interface StreamEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: whoever listens knows what the event of this name holds
  readonly data: any
}

/** Reads events until the stream ends; chunks may split anywhere, even within a character. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let waiting = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      waiting += decoder.decode(value, { stream: !done })
      const blocks = waiting.split('\n\n')
      waiting = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event !== null) yield event
      }
      if (done) return
    }
  } finally {
    reader.releaseLock()
  }
}

function eventOf(block: string): StreamEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
  }
  return data.length === 0 ? null : { event, data: JSON.parse(data.join('\n')) }
}
