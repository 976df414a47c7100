/** Commands on single records: memories, conversations, the profile, settings and keys. */
import type { Command } from 'commander'
import { checkContent, checkNumber, checkTime } from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import { MOST_IMPORTANT } from '../../../domain/limits.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES } from '../../../domain/memory.ts'
import { checkSettingName } from '../../../domain/settings.ts'
import { KEY_SCOPES } from '../../../usecases/keys.ts'
import { decimalNumber, settingValue, wholeNumber } from '../../config/options.ts'
import { pageRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import {
  given,
  jsonObject,
  jsonValue,
  oneWord,
  pageFlags,
  projectFlag,
  readPage,
  readReveal,
  revealFlag,
  textFlag,
  wholeFrom,
  withoutAbsent,
} from '../flags.ts'
import type { FlagValues } from '../settings.ts'
import { confirm, readText, writeOut } from '../standard-streams.ts'

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
    const { results, rejected, jobId } = added
    const job = jobId === undefined ? {} : { job_id: jobId }
    await context.print({ results: results.map(snakeNames), rejected: rejected.map(snakeNames), ...job })
  },
}

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

function readMemoryFlags(flags: FlagValues) {
  return withoutAbsent({
    memoryType: given(flags, 'type', (flag, text) => oneWord(flag, text, MEMORY_TYPES)),
    category: given(flags, 'category', (flag, text) => oneWord(flag, text, CATEGORIES)),
    key: textFlag(flags, 'key'),
    value: given(flags, 'value', jsonValue),
    tags: textFlag(flags, 'tags')
      ?.split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    who: textFlag(flags, 'who'),
    confidence: given(flags, 'confidence', (flag, text) => checkNumber(flag, decimalNumber(flag, text), 0, 1)),
    source: given(flags, 'source', (flag, text) => oneWord(flag, text, MEMORY_SOURCES)),
    importance: given(flags, 'importance', (flag, text) => wholeFrom(flag, text, 0, MOST_IMPORTANT)),
    metadata: given(flags, 'metadata', jsonObject),
  })
}

function checkedTime(flag: string, text: string): string {
  checkTime(flag, text)
  return text
}

export const conversationsShow: CommandDefinition = {
  configure: (command) =>
    revealFlag(pageFlags(command.argument('<id>', 'the conversation')))
      .option('--from-turn <number>', 'the first turn to show')
      .option('--to-turn <number>', 'the last turn to show')
      .option('--collected', 'only turns that you collected'),
  run: async (context, flags, [id = '']) => {
    const page = readPage(flags)
    const span = withoutAbsent({
      fromTurn: given(flags, 'fromTurn', wholeNumber),
      toTurn: given(flags, 'toTurn', wholeNumber),
    })
    const memory = await context.memory({ create: false })
    const conversation = await memory.conversations.get(id)
    const turns = await memory.conversations.turns(id, {
      ...page,
      ...readReveal(flags),
      ...span,
      ...(flags.collected === true ? { isCollected: true } : {}),
    })
    const summaries = await memory.conversations.summaries(id, readReveal(flags))
    await context.print({
      ...snakeNames(conversation),
      turns: pageRecord(turns, page, snakeNames),
      summaries: summaries.map(snakeNames),
    })
  },
}

export const collect: CommandDefinition = {
  configure: (command) =>
    command
      .argument('<id>', 'the conversation')
      .argument('<turn>', 'the number of the turn in it')
      .option('--undo', 'take the mark off'),
  run: async (context, flags, [id = '', turn = '']) => {
    const turnId = wholeNumber('<turn>', turn)
    const memory = await context.memory({ create: false })
    const mark = { conversationId: id, turnId, isCollected: flags.undo !== true }
    await context.print(snakeNames(await memory.conversations.collect(mark)))
  },
}

export const profileSet: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command.option('--text <text>', 'the whole document; - reads it from standard input; "" empties it'),
  run: async (context, flags) => {
    const given = textFlag(flags, 'text')
    if (given === undefined) throw invalid('--text', 'is missing', 'Pass the whole document, or - for standard input.')
    const text = await readText('--text', given, context.settings.max_content_bytes.value)
    const memory = await context.memory()
    await context.print(snakeNames(await memory.profile.set({ text })))
  },
}

export const profileShow: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.option('--text', 'print the text alone instead of JSON'),
  run: async (context, flags) => {
    const memory = await context.memory({ create: false, thought: true })
    const profile = await memory.profile.get()
    if (flags.text !== true) await context.print(snakeNames(profile))
    else if (profile.text !== '') await writeOut(`${profile.text}\n`)
  },
}

export const settingsSet: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('<name>', 'the setting, as `mneme settings` names it')
      .argument('<value>', 'a number, true or false'),
  run: async (context, _flags, [given = '', text = '']) => {
    const name = checkSettingName(given)
    const value = settingValue(name, name, text)
    const memory = await context.memory()
    await context.print(await memory.settings.set({ [name]: value }))
  },
}

export const settingsUnset: CommandDefinition = {
  everyProject: true,
  configure: (command) => command.argument('<name>', 'the setting, as `mneme settings` names it'),
  run: async (context, _flags, [given = '']) => {
    const name = checkSettingName(given)
    const memory = await context.memory({ create: false })
    await context.print(await memory.settings.set({ [name]: null }))
  },
}

export const keysAdd: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .argument('<name>', 'what to call it, such as the program that gets it')
      .option('--scope <scope>', `${KEY_SCOPES.join(', ')} (default: write); admin: with --every-user`)
      .option('--every-user', 'good for every user; else for the one of --user'),
  run: async (context, flags, [name = '']) => {
    const scope = textFlag(flags, 'scope')
    if (scope === 'admin' && flags.everyUser !== true)
      throw invalid('--every-user', 'is missing: admin is about every user', 'Add --every-user, or take --scope write.')
    const memory = await context.memory()
    const made = await memory.keys.create({
      name,
      scope: given(flags, 'scope', (flag, text) => oneWord(flag, text, KEY_SCOPES)),
      userId: flags.everyUser === true ? null : context.userId,
    })
    await context.print(snakeNames(made))
  },
}
