/** The other process of a test of idempotency keys: does a request and dies, before or after something was written. */
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', key = '', dies = ''] = process.argv.slice(2)
const memory = await openMemory({ path })
await memory.answerOnce({ userId: 'local', key, asked: 'add' }, async () => {
  if (dies === 'after') await memory.add('The parrot is called Kettle.', { userId: 'local', infer: false })
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
})
