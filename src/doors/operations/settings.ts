/** Operations on the settings of the database. */
import { z } from 'zod'
import { SETTING_NAMES, SETTINGS, type SettingRow } from '../../domain/settings.ts'
import { snakeNames } from './field-names.ts'
import { operationsOf } from './operation.ts'

const operation = operationsOf('Settings')

const settings = z
  .record(z.string(), z.object({ value: z.union([z.number(), z.boolean()]), source: z.string() }))
  .meta({ id: 'Settings' })

export const getSettings = operation({
  summary: 'Show what can be changed while Mneme runs, and where each value comes from.',
  output: settings,
  rest: { method: 'get', path: '/settings' },
  cli: { command: 'settings list', byDefault: true },
  handler: async ({ memory }) => ({ ...(await memory.settings.get()) }),
})

export const updateSettings = operation({
  summary: 'Change settings of the database, all or none; null takes one back to its default.',
  scope: 'admin',
  input: z.strictObject(
    Object.fromEntries(
      SETTING_NAMES.map((name) => {
        const { bounds }: SettingRow = SETTINGS[name]
        return [name, (bounds === undefined ? z.boolean() : z.int().min(bounds[0]).max(bounds[1])).nullish()]
      }),
    ),
  ),
  output: settings,
  rest: { method: 'patch', path: '/settings' },
  // A setting has one name at every door and in the library.
  handler: async ({ memory }, changes) => ({ ...(await memory.settings.set(snakeNames(changes))) }),
})
