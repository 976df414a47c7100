/**
 * Runs mem0's own TypeScript client: calls come in as JSON lines, answers go out as JSON lines. The argument is the
 * module; a call names host and key. A socket to anywhere but loopback is an error.
 */
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

const connect = Socket.prototype.connect
Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  const host = typeof options === 'object' ? (options.host ?? 'localhost') : (args[1] ?? 'localhost')
  if (!['127.0.0.1', '::1', 'localhost'].includes(host)) throw new Error(`a socket to ${host} was asked for`)
  return connect.apply(this, args)
}

const { MemoryClient } = await import(process.argv[2])
const clients = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const { host, key, method, args } = JSON.parse(line)
  let answer
  try {
    const client = clients.get(host + key) ?? new MemoryClient({ apiKey: key, host })
    clients.set(host + key, client)
    answer = { value: (await client[method](...args)) ?? null }
  } catch (error) {
    answer = {
      error: { name: error.name, code: error.errorCode ?? null, message: error.cause?.message ?? error.message },
    }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
