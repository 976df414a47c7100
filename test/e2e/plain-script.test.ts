/** "Whoever awaits anything of ours gets an answer": a script with nothing but awaits runs to its last line. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshFolder } from '../support/folder.ts'

const LIBRARY = new URL('../../src/doors/library/index.ts', import.meta.url).href

test('idle in a script ends with its answer, in whatever moment it begins to wait', async () => {
  const folder = freshFolder()
  const run = promisify(execFile)
  // The worker pauses between two jobs: the wait begins before, in and after such a pause.
  const ends = await Promise.all(
    [35, 70].map(async (wait) => {
      const script = `
        import { openMemory } from ${JSON.stringify(LIBRARY)}
        const memory = await openMemory({ path: ${JSON.stringify(join(folder, `${wait}.db`))}, userId: 'ana' })
        for (const conversationId of ['a', 'b', 'c'])
          await memory.conversations.store({ conversationId, turns: [{ role: 'user', content: 'I live in Porto.' }] })
        await new Promise((resolve) => setTimeout(resolve, ${wait}))
        await memory.idle()
        process.stdout.write('waited ')
        await memory.close()
        process.stdout.write('closed')`
      return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout
    }),
  )
  expect(new Set(ends)).toEqual(new Set(['waited closed']))
})
