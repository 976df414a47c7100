/** `mneme mcp`: an MCP server over standard input and output, until the input ends and every request is answered. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageVersion } from '../../../language/package-file.ts'
import { isPaused, projectOfFolder, readPauses } from '../../assistants/project.ts'
import type { CommandDefinition } from '../command-context.ts'
import { keepHeapSteady } from '../small-heap.ts'
import { stderrLogger } from '../standard-streams.ts'

export const mcp: CommandDefinition = {
  run: async (context, _, { project }) => {
    keepHeapSteady()
    const { serveStdio } = await import('../../mcp/stdio.ts')
    const memory = await context.memory({ models: true, background: true })
    // Claude Code names the project that it was started in; most clients start a server there, some at home or at `/`.
    const named = project ?? context.settings.environment.CLAUDE_PROJECT_DIR
    const folder = typeof named === 'string' ? named : ''
    const { root: start } = projectOfFolder(folder)
    const session = {
      memory,
      userId: context.userId,
      scope: 'admin',
      isOperator: true,
      logger: stderrLogger(context.settings.log_level.value),
      version: packageVersion(),
      projectRoot: folder !== '' || existsSync(join(start, '.git')) ? start : undefined,
      // The user paused the memory, or keeps this project out of it.
      isOff: () => {
        const { root, ignored } = projectOfFolder(folder)
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
