/** `mneme verify`: is the file whole, and do its parts agree? With a vector database, does it hold the same? Exit 1 when not. */
import type { CommandDefinition } from '../command.ts'
import { EXIT_FAILED } from '../report-error.ts'

export const verify: CommandDefinition = {
  configure: (command) =>
    command.option('--repair', 'send the vector database anew what differs there; the file is never changed'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, vectorStore: true })
    const repair = flags.repair === true
    const findings = await memory.maintenance.verify({ repair })
    if (repair) await memory.idle()
    const ok = findings.every((finding) => finding.ok)
    await context.print({ database: context.settings.db.value, ok, findings })
    return ok ? 0 : EXIT_FAILED
  },
}
