import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { atOnce } from '../../domain/scheduling.ts'
import { type LineTransport, lineTransport, readMessage } from './stdio.ts'

interface Wire {
  readonly transport: LineTransport
  readonly input: PassThrough
  /** Ids of the requests that came in. */
  readonly seen: unknown[]
  /** The written text, message by message. */
  written(): readonly { readonly id?: unknown; readonly error?: { readonly code: number } }[]
}

async function wire(): Promise<Wire> {
  const input = new PassThrough()
  const output = new PassThrough()
  const transport = lineTransport(input, output)
  const seen: unknown[] = []
  let text = ''
  output.on('data', (piece) => {
    text += piece
  })
  transport.onmessage = (message) => {
    if ('method' in message) seen.push('id' in message ? message.id : message.method)
  }
  await transport.start()
  const lines = (): string[] => text.split('\n').filter((line) => line !== '')
  return { transport, input, seen, written: () => lines().map((line) => JSON.parse(line)) }
}

const request = (id: number, method = 'ping'): string => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`
const answer = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} })

test('messages are lines however the pieces fall, also within a character', async () => {
  const { input, seen } = await wire()
  const bytes = Buffer.from(request(1, '你好') + request(2).replace('\n', '\r\n'))
  for (const byte of bytes) input.write(Buffer.from([byte]))
  await expect.poll(() => seen).toEqual([1, 2])
})

test('when the input ends, what was accepted is answered before it closes; nobody waits for a cancelled or open one', async () => {
  const { transport, input, seen, written } = await wire()
  let isClosed = false
  transport.closed.then(() => {
    isClosed = true
  })
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }
  input.end(`${request(1)}${request(2)}${request(3, 'subscriptions/listen')}${JSON.stringify(cancelled)}\n`)
  await expect.poll(() => seen).toEqual([1, 2, 3, 'notifications/cancelled'])
  await setImmediate()
  expect(isClosed).toBe(false)
  await transport.send(answer(1))
  await transport.closed
  expect(written()).toEqual([answer(1)])
  await expect(transport.send(answer(3))).rejects.toThrow('closed')
})

test('a client that asks a thousand things at once waits, and gets a thousand answers', async () => {
  const { transport, input, seen, written } = await wire()
  for (let id = 1; id <= 1000; id += 1) input.write(request(id))
  input.end()
  await setImmediate()
  expect(seen.length).toBeLessThan(200)
  for (let answered = 0; answered < 1000; ) {
    for (const id of seen.slice(answered)) await transport.send(answer(Number(id)))
    answered = written().length
    await setImmediate()
  }
  await transport.closed
  expect(written()).toHaveLength(1000)
})

test('what is no message is answered as the protocol says', async () => {
  const { input, seen, written } = await wire()
  input.write('{"jsonrpc"\n{"id": 7}\n\n')
  input.write(request(1))
  await expect.poll(() => seen).toEqual([1])
  expect(written().map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32_700],
    [7, -32_600],
  ])
})

test('a request that is refused before it is read is answered by its id: the client waits for that one', async () => {
  const { input, written } = await wire()
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`
  input.write(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":${deep}}}\n`)
  input.write('{"jsonrpc":"2.0","id":"nine","method":"tools/call","params":{"name":"a","name":"b"}}\n')
  await expect
    .poll(() => written().map(({ id, error }) => [id, error?.code]))
    .toEqual([
      [8, -32_600],
      ['nine', -32_600],
    ])
})

test('a line that is too long is refused, and the next one is read', async () => {
  const { input, seen, written } = await wire()
  input.write(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"text":"${'x'.repeat(16 * 1024 * 1024)}"}}\n`)
  input.write(request(5))
  await expect.poll(() => seen).toEqual([5])
  expect(written().map(({ id, error }) => [id, error?.code])).toEqual([[null, -32_700]])
})

test('a last line without its newline is answered, too', async () => {
  const { transport, input, seen, written } = await wire()
  input.end(request(1) + request(2).trimEnd())
  await expect.poll(() => seen).toEqual([1, 2])
  await transport.send(answer(1))
  await transport.send(answer(2))
  await transport.closed
  expect(written()).toEqual([answer(1), answer(2)])
  const other = await wire()
  other.input.end('{"jsonrpc":"2.0","id":')
  await other.transport.closed
  expect(other.written().map(({ error }) => error?.code)).toEqual([-32_700])
})

test('a list of messages, as an older revision had them, is refused', async () => {
  const { input, seen, written } = await wire()
  input.write(`[${request(1).trim()}]\n[]\n${request(2)}`)
  await expect.poll(() => seen).toEqual([2])
  const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: expect.any(String) } }
  expect(written()).toEqual([refused, refused])
})

test('what fails while a message is read, though nothing is wrong with it, is no refusal: it is told, and the next is read', async () => {
  const { transport, input, seen, written } = await wire()
  const told: unknown[] = []
  transport.onerror = (error) => told.push(error)
  const fault = new RangeError('no memory is left')
  const parse = vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw fault
  })
  try {
    expect(() => atOnce(readMessage(Buffer.from('{}')))).toThrow(fault)
    input.write(request(1))
    await expect.poll(() => told).toEqual([fault])
  } finally {
    parse.mockRestore()
  }
  input.write(request(2))
  await expect.poll(() => seen).toEqual([2])
  expect(written()).toMatchObject([{ id: null, error: { code: -32_603 } }])
})
