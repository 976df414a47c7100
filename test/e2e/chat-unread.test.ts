/** A program that closes its memory ends, though it has not read what the model's vendor answered. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startModelServer } from '../support/model-server.ts'

const LIBRARY = new URL('../../src/doors/library/index.ts', import.meta.url).href
const PROGRAM = `
import { openMemory } from ${JSON.stringify(LIBRARY)}
const llm = { provider: 'openai', baseUrl: process.argv[1], model: 'some-model' }
const memory = await openMemory({ path: ':memory:', userId: 'ann', llm })
const body = JSON.stringify({ model: 'some-model', stream: true, messages: [{ role: 'user', content: 'What is a carp?' }] })
if (process.argv[2] === 'models') await memory.chat.models()
else await memory.chat.complete({ body })
await memory.close()
`

test.each(['models', 'complete'])('an unread answer of chat.%s keeps no process alive', async (call) => {
  const server = await startModelServer({ hang: 'mid-body' })
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, server.url, call], {
    stdio: 'inherit',
  })
  const stillThere = setTimeout(() => child.kill(), 200_000)
  const [code] = await once(child, 'exit')
  clearTimeout(stillThere)
  await server.close()
  expect([code, server.requests.length]).toEqual([0, 1])
})
