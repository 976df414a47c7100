/**
 * `mneme memory add`: thinks about a text and keeps what is worth keeping. With --no-infer, or with flags that classify
 * the memory, the text is stored unchanged.
 */
import { checkContent } from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import type { AddView } from '../../library/memories.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, projectFlag, textFlag } from '../flag-values.ts'
import { checkedTime, memoryFlags, readMemoryFlags, withoutAbsent } from '../memory-flags.ts'
import { confirm, readText } from '../standard-streams.ts'

/** The JSON result of one addition of memories. */
function addedJson({ results, rejected, jobId }: AddView) {
  return {
    results: results.map(snakeNames),
    rejected: rejected.map(snakeNames),
    ...(jobId === undefined ? {} : { job_id: jobId }),
  }
}

export const memoryAdd: CommandDefinition = {
  configure: (command) =>
    memoryFlags(command.argument('<text>', 'what to remember; - reads it from standard input'))
      .option('--no-infer', 'store the text as it is, without thinking about it')
      .option('--wait', 'with a model: stay until it has answered, instead of leaving a job')
      .option('--conversation <id>', 'the conversation that it comes from')
      .option('--project <dir>', 'the project that it is said in; what is about you holds everywhere all the same')
      .option('--created-at <time>', 'when it was said, ISO 8601 (default: now)')
      .option('--occurred-at <time>', 'when it happened, ISO 8601 (default: when it was said)')
      .option('--external-id <id>', 'your own id: the same one is stored once'),
  run: async (context, flags, [said = '']) => {
    const fields = readMemoryFlags(flags)
    const bound = context.settings.max_content_bytes.value
    const text = await readText('text', said, bound)
    checkContent('text', text, bound)
    const origin = withoutAbsent({
      conversationId: textFlag(flags, 'conversation'),
      projectRoot: projectFlag(flags),
      createdAt: given(flags, 'createdAt', checkedTime),
      occurredAt: given(flags, 'occurredAt', checkedTime),
      externalId: textFlag(flags, 'externalId'),
    })
    const wait = flags.wait === true
    const memory = await context.memory({ models: true, background: wait })
    const added = await memory.add(text, { infer: flags.infer !== false, wait, ...fields, ...origin })
    await context.print(addedJson(added))
  },
}

/** `mneme memory delete`: one long-term memory, or all of the user; for good. */
export const memoryDelete: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('[id]', 'the memory')
      .option('--all', 'all long-term memories of the user; conversations stay; asks first')
      .option('--yes', 'do not ask'),
  run: async (context, flags, [id]) => {
    const all = flags.all === true
    if ((id === undefined) !== all)
      throw invalid(
        context.program,
        all ? 'is told more than one thing' : 'is not told what to delete',
        'Pass an id or --all.',
      )
    const memory = await context.memory({ create: false })
    if (id !== undefined) {
      await memory.delete(id)
      await context.print({ id, deleted: true })
      return
    }
    if (flags.yes !== true) {
      const { memories } = await memory.maintenance.stats({ userId: context.userId })
      await confirm(`Delete ${memories} memories of ${JSON.stringify(context.userId)} for good?`, '--all')
    }
    await context.print(await memory.deleteAll())
  },
}
