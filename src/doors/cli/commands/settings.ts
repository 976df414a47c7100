/** `mneme settings set`: changes a setting of the database; every process obeys it from its next request on. */
import { checkSettingName } from '../../../domain/settings.ts'
import { settingValue } from '../../config/options.ts'
import type { CommandDefinition } from '../context.ts'

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
