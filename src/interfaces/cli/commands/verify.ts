/** `mneme verify`: is the file whole, and do its parts agree? Exit 1 when not. */
import type { CommandDefinition } from '../command.ts'
import { EXIT_FAILED } from '../report-error.ts'

export const verify: CommandDefinition = {
  configure: (command) => command,
  run: async (context) => {
    const memory = await context.memory({ create: false })
    const findings = await memory.maintenance.verify()
    const ok = findings.every((finding) => finding.ok)
    await context.print({ database: context.settings.db.value, ok, findings })
    return ok ? 0 : EXIT_FAILED
  },
}
