/** `memory_init`: the first step of 003's migration; running it again changes nothing. */
import { existsSync } from 'node:fs'
import type { CommandDefinition } from '../command.ts'

export const init: CommandDefinition = {
  configure: (command) => command,
  run: async (context) => {
    const { db } = context.settings
    const created = db.value === ':memory:' || !existsSync(db.value)
    const memory = await context.memory()
    const { schemaVersion } = await memory.maintenance.stats({ allUsers: true })
    await context.print({ database: db.value, created, schema_version: schemaVersion })
  },
}
