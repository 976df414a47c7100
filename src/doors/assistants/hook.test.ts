import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../../../test/support/folder.ts'
import { openMemory } from '../library/index.ts'
import type { HookEvent } from './event.ts'
import { handleEvent } from './hook.ts'

/** A session of Claude Code whose transcript grows, and what is stored of it after an answer. */
async function session() {
  const folder = freshFolder()
  const transcript = join(folder, 's1.jsonl')
  writeFileSync(transcript, '')
  const database = join(folder, 'memory.db')
  const memory = await openMemory({ path: database, userId: 'lena' })
  onTestFinished(() => memory.close())
  const event: HookEvent = { kind: 'answered', name: 'Stop', sessionId: 's1', folder, turn: '', transcript }
  let second = 0
  const handle = (raised: HookEvent): Promise<object | null> =>
    handleEvent('claude', raised, { database, memory: async () => memory, think: () => {}, now: 0 })
  return {
    memory,
    /** Whether anything is noted of what sessions were given. */
    isNoted: () => existsSync(`${database}.given`),
    /** What the model is given when another session begins. */
    begin: async (sessionId: string): Promise<string> =>
      JSON.stringify(await handle({ ...event, kind: 'session-start', name: 'SessionStart', sessionId })),
    /** The lines that the model is given with a prompt of this session. */
    ask: async (prompt: string, sessionId = 's1'): Promise<readonly string[]> => {
      const given = await handle({ ...event, kind: 'prompt', name: 'UserPromptSubmit', sessionId, prompt })
      return JSON.stringify(given).match(/(?<=\\n- )[^\\]*/g) ?? []
    },
    compact: () => handle({ ...event, kind: 'compact', name: 'PreCompact' }),
    say: async (...contents: readonly string[]) => {
      for (const content of contents) {
        second += 1
        const timestamp = new Date(Date.UTC(2026, 9, 5, 9, 0, second)).toISOString()
        const line = { type: 'user', uuid: `u${second}`, sessionId: 's1', cwd: folder, timestamp }
        appendFileSync(transcript, `${JSON.stringify({ ...line, message: { role: 'user', content } })}\n`)
      }
      await handle(event)
      return (await memory.conversations.turns('s1')).items.map(({ content }) => content)
    },
  }
}

test('a deleted conversation stays away when its session goes on; what is said from then on is stored', async () => {
  const { memory, say } = await session()
  await say('My badge number is 4471.', 'The gate opens at nine.')
  await memory.conversations.delete({ conversationId: 's1' })
  expect(await say('The canteen moved upstairs.')).toEqual(['The canteen moved upstairs.'])
  expect(await say('Lunch is at noon.')).toEqual(['The canteen moved upstairs.', 'Lunch is at noon.'])
  await memory.conversations.delete({ all: true })
  expect(await say('The lift is broken.')).toEqual(['The lift is broken.'])
})

test('the newest turn stays away when it was deleted by itself', async () => {
  const { memory, say } = await session()
  await say('The gate opens at nine.', 'My badge number is 4471.')
  await memory.conversations.deleteTurn({ conversationId: 's1', turnId: 2 })
  expect(await say('Lunch is at noon.')).toEqual(['The gate opens at nine.', 'Lunch is at noon.'])
})

test('what a session was given once is not given again, unless it changed or the session was compacted', async () => {
  const { memory, say, ask, compact } = await session()
  await say('The gate of the depot opens at nine.')
  await memory.idle()
  const [line] = await ask('When does the gate of the depot open?', 's2')
  expect(line).toContain('opens at nine')
  expect(await ask('When does the gate of the depot open?', 's2')).toEqual([])
  expect(await ask('When does the gate of the depot open?', 's3')).toEqual([line])
  await memory.add('The gate of the depot opens at eight now.', { projectRoot: null })
  expect((await ask('When does the gate of the depot open?', 's2')).join()).toContain('eight')
  expect(await ask('When does the gate of the depot open?')).not.toContain(line)
  await compact()
  expect(await ask('When does the gate of the depot open?')).not.toEqual([])
})

test('how the last session ended is not given again with the first message', async () => {
  const { memory, say, ask, begin } = await session()
  await say('The gate of the depot opens at nine.')
  await memory.idle()
  expect(await begin('s2')).toContain('opens at nine')
  expect(await ask('When does the gate of the depot open?', 's2')).toEqual([])
  expect((await ask('When does the gate of the depot open?', 's3')).join()).toContain('opens at nine')
})

test('what was added beside the talk of a session is given, as no turn of it tells that', async () => {
  const { memory, say, ask } = await session()
  await say('Good morning, let us begin.')
  await memory.add('The gate of the depot opens at nine.', { conversationId: 's1', infer: false })
  expect((await ask('When does the gate of the depot open?')).join()).toContain('opens at nine')
})

test('what is not given again is not used, and no hash of what was given outlives a deletion', async () => {
  const { memory, ask, isNoted } = await session()
  const { id } = (await memory.add('The gate of the depot opens at nine.', { infer: false })).results[0]!
  const uses = async (): Promise<number> => (await memory.get(id!))!.accessCount
  await ask('When does the gate of the depot open?', 's2')
  expect(await uses()).toBe(1)
  await ask('When does the gate of the depot open?', 's2')
  await ask('When does the gate of the depot open?', 's2')
  expect([await uses(), isNoted()]).toEqual([1, true])
  await memory.delete(id!)
  await memory.idle()
  await expect.poll(isNoted).toBe(false)
})
