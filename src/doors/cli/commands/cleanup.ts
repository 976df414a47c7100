/** `memory_cleanup`: deletes for good, one conversation, what is older than an age, or everything of the user. */
import { invalid } from '../../../domain/errors.ts'
import { snakeNames } from '../../operations/names.ts'
import { type CommandDefinition, textFlag } from '../command.ts'
import { confirm } from '../confirm.ts'
import { momentBefore } from '../duration.ts'
import { watchedWork } from '../watched-work.ts'

const CHOICES = 'Pass exactly one of --older-than AGE, --conversation ID and --all.'

export const cleanup: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--older-than <age>', 'what was said longer ago than this: 12h, 30d, 2w, 6m (months), 1y')
      .option('--conversation <id>', 'one conversation')
      .option('--all', 'everything of the user, long-term memories too; asks first')
      .option('--keep-memories', 'what was made of the turns stays: long-term memories, lines of the profile')
      .option('--yes', 'do not ask'),
  run: async (context, flags) => {
    const age = textFlag(flags, 'olderThan')
    const conversationId = textFlag(flags, 'conversation')
    const all = flags.all === true
    const chosen = [age !== undefined, conversationId !== undefined, all].filter(Boolean).length
    if (chosen !== 1)
      throw invalid(
        context.program,
        chosen === 0 ? 'is not told what to delete' : 'is told more than one thing',
        CHOICES,
      )
    const olderThan = age === undefined ? undefined : momentBefore('--older-than', age, new Date())
    const keepMemories = flags.keepMemories === true ? true : undefined
    const memory = await context.memory({ create: false })
    if (all && flags.yes !== true) {
      const { conversations, turns, memories } = await memory.maintenance.stats({ userId: context.userId })
      await confirm(
        `Delete ${conversations} conversations (${turns} turns) and ${memories} memories of ` +
          `${JSON.stringify(context.userId)} in ${context.settings.db.value} for good?`,
        '--all',
      )
    }
    const counts = await watchedWork({ doing: 'deleting', unit: 'parts' }, (work) =>
      memory.conversations.delete({ olderThan, conversationId, all: all || undefined, keepMemories }, work),
    )
    await context.print(snakeNames(counts))
  },
}
