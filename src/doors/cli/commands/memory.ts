/**
 * `mneme memory add`: thinks about a text and keeps what is worth keeping. With --no-infer, or with flags that classify
 * the memory, the text is stored unchanged.
 */

import type { Command } from 'commander'
import { checkContent, checkInteger, checkNumber, checkTime } from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import { MOST_IMPORTANT } from '../../../domain/limits.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../../domain/memory.ts'
import { decimalNumber, wholeNumber } from '../../config/options.ts'
import type { AddView } from '../../library/memories.ts'
import { snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import {
  type FlagValues,
  given,
  jsonObject,
  jsonValue,
  oneWord,
  projectFlag,
  textFlag,
  withoutAbsent,
} from '../flag-values.ts'
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

/** Adds the flags. */
function memoryFlags(command: Command): Command {
  return command
    .option('--type <type>', MEMORY_TYPES.join(' or '))
    .option('--category <category>', CATEGORIES.join(', '))
    .option('--key <name>', 'the name of the fact, such as drink')
    .option('--value <json>', 'the value of the fact as JSON, such as \'"tea"\'')
    .option('--tags <list>', 'words separated by commas')
    .option('--who <name>', 'who said or did it')
    .option('--confidence <number>', 'how sure it is, 0 to 1')
    .option('--source <source>', MEMORY_SOURCES.join(', '))
    .option('--importance <number>', '0 to 3')
    .option('--metadata <json>', 'a JSON object that is kept with it')
}

/** The values of the given flags; absent flags are left out. */
function readMemoryFlags(flags: FlagValues) {
  return withoutAbsent({
    memoryType: given(flags, 'type', (flag, text) => oneWord(flag, text, MEMORY_TYPES)),
    category: given(flags, 'category', (flag, text) => oneWord(flag, text, CATEGORIES)),
    key: textFlag(flags, 'key'),
    value: given(flags, 'value', jsonValue),
    tags: given(flags, 'tags', (_flag, text) =>
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
    who: textFlag(flags, 'who'),
    confidence: given(flags, 'confidence', (flag, text) => checkNumber(flag, decimalNumber(flag, text), 0, 1)),
    source: given(flags, 'source', (flag, text) => oneWord(flag, text, MEMORY_SOURCES)),
    importance: given(flags, 'importance', (flag, text) =>
      checkInteger(flag, wholeNumber(flag, text), 0, MOST_IMPORTANT),
    ),
    metadata: given(flags, 'metadata', jsonObject),
  })
}

/** A time as it was given, checked before anything is opened. */
function checkedTime(flag: string, text: string): string {
  checkTime(flag, text)
  return text
}
