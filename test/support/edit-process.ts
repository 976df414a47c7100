/** Gives a turn other words and dies at a certain look at the clock; ends by itself where that look never comes. */
import { openMemory } from '../../src/doors/library/index.ts'

const [path = '', content = '', looks = '0'] = process.argv.slice(2)
let left = Number.POSITIVE_INFINITY
const memory = await openMemory({
  path,
  userId: 'one',
  background: false,
  clock: () => {
    left -= 1
    if (left < 0) process.kill(process.pid, 'SIGKILL')
    return new Date()
  },
})
left = Number(looks)
await memory.conversations.editTurn({ conversationId: 'boat', turnId: 1, content })
left = Number.POSITIVE_INFINITY
await memory.close()
