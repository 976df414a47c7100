/** `mneme memory delete`: one long-term memory, or all of the user; for good. */
import { invalid } from '../../../domain/errors.ts'
import type { CommandDefinition } from '../command.ts'
import { confirm } from '../confirm.ts'

export const memoryDelete: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('[id]', 'the memory')
      .option('--all', 'all long-term memories of the user; conversations stay; asks first')
      .option('--yes', 'do not ask'),
  run: async (context, flags, [id]) => {
    const all = flags.all === true
    if ((id === undefined) !== all)
      throw invalid(
        context.program,
        all ? 'is told more than one thing' : 'is not told what to delete',
        'Pass an id or --all.',
      )
    const memory = await context.memory({ create: false })
    if (id !== undefined) {
      await memory.delete(id)
      await context.print({ id, deleted: true })
      return
    }
    if (flags.yes !== true) {
      const { memories } = await memory.maintenance.stats({ userId: context.userId })
      await confirm(`Delete ${memories} memories of ${JSON.stringify(context.userId)} for good?`, '--all')
    }
    await context.print(await memory.deleteAll())
  },
}
