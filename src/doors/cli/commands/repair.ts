/** `mneme repair`: a damaged database is made anew from what can be read of it; the damaged file stays beside it. */
import { existsSync } from 'node:fs'
import { MnemeError, notFound } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { EXIT_FAILED } from '../report-error.ts'

export const repair: CommandDefinition = {
  configure: (command) => command,
  run: async (context) => {
    const path = context.settings.db.value
    if (!existsSync(path)) throw notFound('database', path, 'Name an existing file with --db.')
    const { inspectStore, repairStore } = await import('../../../usecases/open.ts')
    const isSound = await inspectStore(path).then(
      ({ findings }) => findings.every(({ ok }) => ok),
      (error: unknown) => {
        if (error instanceof MnemeError && error.code === 'database_damaged') return false
        throw error
      },
    )
    if (isSound) {
      await context.print({ database: path, ok: true, repaired: false })
      return 0
    }
    const { findings, madeAnew, userIds: _, ...salvaged } = await repairStore(path)
    const ok = findings.every((finding) => finding.ok)
    await context.print({
      database: path,
      ok,
      repaired: true,
      ...snakeNames(salvaged),
      made_anew: madeAnew,
      findings: findings.filter((finding) => !finding.ok),
    })
    return ok ? 0 : EXIT_FAILED
  },
}
