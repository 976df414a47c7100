import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bytesOf, createBodies } from './read-request.ts'

const limits = { maxBodyBytes: 1000, timeoutMs: 60_000 }

/** A request whose body comes piece by piece, as `send` is called. */
function coming(said?: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const start = (given: ReadableStreamDefaultController<Uint8Array>): void => {
    controller = given
  }
  const body = new ReadableStream<Uint8Array>({ start })
  const headers = said === undefined ? {} : { 'content-length': String(said) }
  const request = new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  const send = async (bytes: number): Promise<void> => {
    controller!.enqueue(new Uint8Array(bytes))
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  }
  return { request, send, end: () => controller!.close() }
}

describe('bodies', () => {
  test('are held until they are worked on, and given back then', async () => {
    const bodies = createBodies(limits, 500)
    const one = coming()
    const reading = bodies.read(one.request)
    await one.send(300)
    expect(bodies.held).toBe(300)
    one.end()
    await reading
    expect(bodies.held).toBe(300)
    expect(bytesOf(one.request)).toHaveLength(300)
    expect(bodies.held).toBe(0)
  })

  test('that are too many together: the one that has been coming for the longest goes, and the new one is served', async () => {
    const bodies = createBodies(limits, 500)
    const idle = coming()
    const refused = expect(bodies.read(idle.request)).rejects.toMatchObject({ code: 'busy', status: 503 })
    await idle.send(300)
    const fresh = coming()
    const reading = bodies.read(fresh.request)
    await fresh.send(400)
    await refused
    fresh.end()
    await reading
    expect(bodies.held).toBe(400)
    expect(bytesOf(fresh.request)).toHaveLength(400)
  })

  test('count by what was announced where they are short, since they come in one piece', async () => {
    const bodies = createBodies(limits, 500)
    const idle = Array.from({ length: 4 }, () => coming(200))
    const readings = idle.map(({ request }) => bodies.read(request).catch((error) => error.code))
    await nextTurn()
    expect(bodies.held).toBeLessThanOrEqual(500)
    for (const { end } of idle) end()
    expect(await Promise.all(readings)).toEqual(['busy', 'busy', undefined, undefined])
  })

  test('in crumbs are refused before they cost much; pieces of 40 bytes may be as many as they like', async () => {
    const bodies = createBodies({ ...limits, maxBodyBytes: 1_000_000 })
    const sent = (crumb: number, most: number): { readonly body: Readable; readonly taken: () => number } => {
      let pieces = 0
      const piece = Buffer.alloc(crumb, ' ')
      const read = function (this: Readable): void {
        pieces += 1
        setImmediate(() => this.push(pieces > most ? null : piece))
      }
      return { body: new Readable({ read }), taken: () => pieces }
    }
    const chunked = (): Request => new Request('http://localhost/', { method: 'POST' })
    const crumbs = sent(1, 20_000)
    let takenWhenRefused = 0
    const refused = bodies.read(chunked(), crumbs.body).catch((error) => {
      takenWhenRefused = crumbs.taken()
      return error.status
    })
    expect(await refused).toBe(413)
    expect(takenWhenRefused).toBeLessThan(5000)
    expect(bodies.held).toBe(0)
    const small = chunked()
    await bodies.read(small, sent(40, 10_000).body)
    expect(bytesOf(small)).toHaveLength(400_000)
  })

  test('that break off, or are too long, are given back at once', async () => {
    const bodies = createBodies(limits, 5000)
    const long = coming()
    const refused = expect(bodies.read(long.request)).rejects.toMatchObject({ status: 413 })
    await long.send(600)
    await long.send(600)
    await refused
    expect(bodies.held).toBe(0)
  })
})
