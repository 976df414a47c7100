/** `mneme memory edit`: changes what the flags name; the history keeps the text that was. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { memoryFlags, readMemoryFlags, withoutAbsent } from '../memory-flags.ts'

export const memoryEdit: CommandDefinition = {
  configure: (command) =>
    memoryFlags(command.argument('<id>', 'the memory'))
      .option('--text <text>', 'the new text')
      .option('--occurred-at <time>', 'when it happened, ISO 8601'),
  run: async (context, flags, [id = '']) => {
    const changes = {
      ...readMemoryFlags(flags),
      ...withoutAbsent({ text: textFlag(flags, 'text'), occurredAt: textFlag(flags, 'occurredAt') }),
    }
    if (Object.keys(changes).length === 0)
      throw invalid(
        context.program,
        'changes nothing',
        'Pass at least one of the flags that `--help` lists, such as --text.',
      )
    const memory = await context.memory({ create: false })
    await context.print(snakeNames(await memory.update(id, changes)))
  },
}
