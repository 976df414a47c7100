/** `mneme keys revoke`: takes a key back; running servers refuse it from the next request on. */
import type { CommandDefinition } from '../command.ts'

export const keysRevoke: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<id>', 'the key, as `mneme keys list` shows it'),
  run: async (context, _flags, [id = '']) => {
    const memory = await context.memory({ create: false })
    await memory.keys.revoke(id)
    await context.print({ id, revoked: true })
  },
}
