/** `mneme settings unset`: takes a setting back to its default. */
import { checkSettingName } from '../../../domain/settings.ts'
import type { CommandDefinition } from '../command.ts'

export const settingsUnset: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<name>', 'the setting, as `mneme settings` names it'),
  run: async (context, _flags, [given = '']) => {
    const name = checkSettingName(given)
    const memory = await context.memory({ create: false })
    await context.print(await memory.settings.set({ [name]: null }))
  },
}
