/** `mneme keys add`: makes a key for a program. It is shown once; the database keeps its hash. */
import { invalid } from '../../../domain/errors.ts'
import { KEY_SCOPES } from '../../../usecases/keys.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, oneWord, textFlag } from '../flag-values.ts'

export const keysAdd: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('<name>', 'what to call it, such as the program that gets it')
      .option('--scope <scope>', `${KEY_SCOPES.join(', ')} (default: write); admin: with --every-user`)
      .option('--every-user', 'good for every user; else for the one of --user'),
  run: async (context, flags, [name = '']) => {
    const scope = textFlag(flags, 'scope')
    if (scope === 'admin' && flags.everyUser !== true)
      throw invalid('--every-user', 'is missing: admin is about every user', 'Add --every-user, or take --scope write.')
    const memory = await context.memory()
    const made = await memory.keys.create({
      name,
      scope: given(flags, 'scope', (flag, text) => oneWord(flag, text, KEY_SCOPES)),
      userId: flags.everyUser === true ? null : context.userId,
    })
    await context.print(snakeNames(made))
  },
}
