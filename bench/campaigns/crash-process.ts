/** Makes one kind of call without end, and tells each acknowledgement: an external id and the text that it now has, '' when deleted. */
import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { openMemory } from '../../src/doors/library/index.ts'
import type { parts } from './crash.ts'

const [path = '', call, run = '', ...unanswered] = process.argv.slice(2)
const memory = await openMemory({ path, userId: 'one' })
const tell = (id: string, content: string): Promise<void> =>
  new Promise((heard) => process.send!([id, content], () => heard()))
const storeOne = async (id: string, content: string): Promise<number> => {
  const turns = [{ role: 'user' as const, content, externalId: id }]
  const [stored] = await memory.conversations.store({ conversationId: `${call}-${run}`, turns })
  return stored!.turnId
}

const server =
  call === 'rest'
    ? await (await import('../../src/doors/cli/commands/serve.ts')).serve({
        memory,
        logger: pino({ level: 'silent' }),
        port: 0,
        requestsPerMinute: 1e9,
        version: '',
      })
    : null
/** Sends a turn that only its idempotency key tells from another; the key is told before. */
const post = async (key: string): Promise<void> => {
  const sent = await fetch(`${server!.url}/conversations/rest/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': 'one', 'idempotency-key': key },
    body: JSON.stringify({ turns: [{ role: 'user', content: `Sent once: ${key}` }] }),
  })
  if (sent.ok) return
  // Any other refusal of a conflict says that it was done before.
  const refusal = await sent.text()
  if (sent.status !== 409 || refusal.includes('being worked on')) throw new Error(refusal)
}

const DO: Readonly<Record<(typeof parts)[number], (id: string, number: number) => Promise<unknown>>> = {
  store: async (id, number) => {
    await storeOne(id, `I bought ${number} lemons in Porto.`)
    // Stored again, as a client does that heard no answer.
    await storeOne(id, `I bought ${number} lemons in Porto.`)
    await tell(id, `I bought ${number} lemons in Porto.`)
  },
  rest: async (id) => {
    process.send!(['tried', id])
    // Sent again, as a client does that heard no answer; the one before was killed.
    for (const key of [...unanswered.splice(0), id, id]) {
      await post(key)
      await tell(`Sent once: ${key}`, `Sent once: ${key}`)
    }
  },
  add: async (id, number) => {
    const text = `The shed ${run}-${number} has a green door.`
    await memory.add(text, { infer: false, externalId: id })
    await tell(id, text)
  },
  import: async (id, number) => {
    const turns = Array.from({ length: 20 }, (_, at) => ({
      role: 'user' as const,
      content: `Imported line ${number} ${at}`,
      externalId: `${id}-${at}`,
    }))
    await memory.conversations.restore({ conversationId: `import-${run}-${number}`, turns, think: true })
    for (const { externalId, content } of turns) await tell(externalId, content)
  },
  edit: async (id, number) => {
    const turnId = await storeOne(id, `I live in Lisbon, floor ${number}.`)
    const content = `I live in Genoa, floor ${number}.`
    await memory.conversations.editTurn({ conversationId: `${call}-${run}`, turnId, content })
    await tell(id, content)
  },
  delete: async (id, number) => {
    const turnId = await storeOne(id, `My locker is number ${number}.`)
    await memory.conversations.deleteTurn({ conversationId: `${call}-${run}`, turnId })
    await tell(id, '')
  },
  consolidate: async (id, number) => {
    await storeOne(id, `I jogged ${number} kilometres near the river today.`)
    await tell(id, `I jogged ${number} kilometres near the river today.`)
    await memory.idle()
    await memory.maintenance.consolidate()
  },
  digest: async (id, number) => {
    await storeOne(id, `Remember: the code of gate ${number} is blue.`)
    await tell(id, `Remember: the code of gate ${number} is blue.`)
    await memory.idle()
    await memory.memoryFile.digest()
  },
}

for (let number = 0; ; number += 1) {
  // The compiled code of a process spares the next ones most of their start; a killed one would not write it.
  if (number < 2) flushCompileCache()
  await DO[call as (typeof parts)[number]](`${call}-${run}-${number}`, number)
}
