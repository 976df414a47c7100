/** `mneme undo`: takes back what was remembered from a conversation or one turn of it; the turns themselves stay. */
import { invalid } from '../../../domain/errors.ts'
import { wholeNumber } from '../../config/options.ts'
import { sessionRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { type FlagValues, given, textFlag, withoutAbsent } from '../flag-values.ts'

import { confirm } from '../standard-streams.ts'

export const undo: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--conversation <id>', 'what came from this conversation')
      .option('--turn <number>', 'only from this turn of it')
      .option('--source <source>', 'the same in one word: ID, or ID#TURN')
      .option('--dry-run', 'only show what would go, stay and come back')
      .option('--yes', 'do not ask'),
  run: async (context, flags) => {
    const source = readSource(context.program, flags)
    const memory = await context.memory({ create: false })
    if (flags.dryRun === true) {
      const preview = await memory.maintenance.undoPreview(source)
      const shown = Object.entries(preview).map(([name, items]) => [name, items.map(sessionRecord)])
      await context.print(Object.fromEntries(shown))
      return
    }
    if (flags.yes !== true) {
      const named = `conversation ${JSON.stringify(source.conversationId)}`
      const what = source.turnId === undefined ? named : `turn ${source.turnId} of ${named}`
      await confirm(`Delete for good every memory that came from ${what}? What was said there stays.`, context.program)
    }
    await context.print(snakeNames(await memory.maintenance.undo(source)))
  },
}

function readSource(program: string, flags: FlagValues): { readonly conversationId: string; readonly turnId?: number } {
  const conversation = textFlag(flags, 'conversation')
  const turn = textFlag(flags, 'turn')
  const source = textFlag(flags, 'source')
  if ((conversation === undefined) === (source === undefined))
    throw invalid(
      program,
      source === undefined ? 'is not told what to take back' : 'is told the source twice',
      'Pass --conversation ID, with --turn N for one turn of it, or --source ID#N.',
    )
  if (conversation !== undefined)
    return { conversationId: conversation, ...withoutAbsent({ turnId: given(flags, 'turn', wholeNumber) }) }
  if (turn !== undefined)
    throw invalid(
      '--turn',
      'is given together with --source',
      'Write --source ID#N, or use --conversation ID --turn N.',
    )
  const [, id, number] = /^(.+)#(\d{1,15})$/s.exec(source ?? '') ?? []
  return id === undefined ? { conversationId: source ?? '' } : { conversationId: id, turnId: Number(number) }
}
