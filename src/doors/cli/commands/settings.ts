/** `mneme settings set`: changes a setting of the database; every process obeys it from its next request on. */

import { invalid } from '../../../domain/errors.ts'
import { checkSettingName } from '../../../domain/settings.ts'
import { KEY_SCOPES } from '../../../usecases/keys.ts'
import { settingValue } from '../../config/options.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, oneWord, textFlag } from '../flag-values.ts'

export const settingsSet: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('<name>', 'the setting, as `mneme settings` names it')
      .argument('<value>', 'a number, true or false'),
  run: async (context, _flags, [given = '', text = '']) => {
    const name = checkSettingName(given)
    const value = settingValue(name, name, text)
    const memory = await context.memory()
    await context.print(await memory.settings.set({ [name]: value }))
  },
}

/** `mneme settings unset`: takes a setting back to its default. */
export const settingsUnset: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<name>', 'the setting, as `mneme settings` names it'),
  run: async (context, _flags, [given = '']) => {
    const name = checkSettingName(given)
    const memory = await context.memory({ create: false })
    await context.print(await memory.settings.set({ [name]: null }))
  },
}

/** `mneme keys add`: makes a key for a program. It is shown once; the database keeps its hash. */
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
