/** `mneme profile set`: replaces the document; what is not in it any more does not come back by itself. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { readText } from '../read-text.ts'

export const profileSet: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--text <text>', 'the whole document; - reads it from standard input; "" empties it'),
  run: async (context, flags) => {
    const given = textFlag(flags, 'text')
    if (given === undefined) throw invalid('--text', 'is missing', 'Pass the whole document, or - for standard input.')
    const text = await readText('--text', given, context.settings.max_content_bytes.value)
    const memory = await context.memory()
    await context.print(snakeNames(await memory.profile.set({ text })))
  },
}
