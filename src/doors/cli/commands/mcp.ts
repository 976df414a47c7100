/** `mneme mcp`: an MCP server over standard input and output, until the input ends and every request is answered. */

import { packageVersion } from '../../../language/package-file.ts'
import { isPaused, projectOfFolder, readPauses } from '../../assistants/project.ts'
import type { CommandDefinition } from '../command-context.ts'
import { keepHeapSteady } from '../small-heap.ts'
import { stderrLogger } from '../standard-streams.ts'

export const mcp: CommandDefinition = {
  everyProject: true,
  run: async (context) => {
    keepHeapSteady()
    const { serveStdio } = await import('../../mcp/stdio.ts')
    const memory = await context.memory({ models: true, background: true })
    const session = {
      memory,
      userId: context.userId,
      scope: 'admin',
      isOperator: true,
      logger: stderrLogger(context.settings.log_level.value),
      version: packageVersion(),
      // The user paused the memory, or keeps the project out of it in whose folder the assistant runs.
      isOff: () => {
        const { root, ignored } = projectOfFolder('')
        return ignored || isPaused(readPauses(context.settings.db.value), root, Date.now())
      },
    } as const
    const served = serveStdio(session, process.stdin, process.stdout)
    const finish = (): void => served.finish()
    process.once('SIGTERM', finish).once('SIGINT', finish)
    await served.closed
    process.off('SIGTERM', finish).off('SIGINT', finish)
    // An open pipe would keep the process alive.
    process.stdin.destroy()
    return 0
  },
}
