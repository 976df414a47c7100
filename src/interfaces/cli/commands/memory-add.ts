/** `mneme memory add`: stores a text as one long-term memory, as it is. */
import { checkContent } from '../../../domain/checks.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { memoryFlags, readMemoryFlags, timeFlag, withoutAbsent } from '../memory-flags.ts'
import { addedJson } from '../memory-json.ts'
import { readStdin, withoutLastLineBreak } from '../read-stdin.ts'

export const memoryAdd: CommandDefinition = {
  configure: (command) =>
    memoryFlags(command.argument('<text>', 'what to remember; - reads it from standard input'))
      .option('--conversation <id>', 'the conversation that it comes from')
      .option('--created-at <time>', 'when it was said, ISO 8601 (default: now)')
      .option('--occurred-at <time>', 'when it happened, ISO 8601 (default: when it was said)')
      .option('--external-id <id>', 'your own id: the same one is stored once'),
  run: async (context, flags, [given = '']) => {
    const fields = readMemoryFlags(flags)
    const bound = context.settings.max_content_bytes.value
    const text = given === '-' ? withoutLastLineBreak(await readStdin('text', bound + 2)) : given
    checkContent('text', text, bound)
    const origin = withoutAbsent({
      conversationId: textFlag(flags, 'conversation'),
      createdAt: timeFlag(flags, 'createdAt', '--created-at'),
      occurredAt: timeFlag(flags, 'occurredAt', '--occurred-at'),
      externalId: textFlag(flags, 'externalId'),
    })
    const memory = await context.memory()
    const added = await memory.add(text, { infer: false, ...fields, ...origin })
    await context.print(addedJson(added))
  },
}
