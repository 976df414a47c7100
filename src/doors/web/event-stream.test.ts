import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'

test('events are read whole, wherever the pieces are cut', async () => {
  const events = [
    { event: 'recalled', data: { tokens: 3 } },
    { event: 'delta', data: { text: '茶 and\n\ntea' } },
    { event: 'done', data: {} },
  ]
  const bytes = new TextEncoder().encode(
    events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  )
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, at * size + size),
    )
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    const read: unknown[] = []
    for await (const event of readEvents(stream)) read.push(event)
    expect(read).toEqual(events)
  }
})
