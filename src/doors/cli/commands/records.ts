/** The commands about single records: memories, conversations, the profile, settings and keys. */
import { invalid } from '../../../domain/errors.ts'
import { checkSettingName } from '../../../domain/settings.ts'
import { KEY_SCOPES } from '../../../usecases/keys.ts'
import { settingValue, wholeNumber } from '../../config/options.ts'
import { pageRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { flagTable, oneWord, PAGE, REVEAL } from '../flags.ts'
import { confirm, writeOut } from '../standard-streams.ts'

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

const SHOW = flagTable({
  ...PAGE,
  revealSecrets: REVEAL,
  fromTurn: ['--from-turn <number>', 'the first turn to show', wholeNumber],
  toTurn: ['--to-turn <number>', 'the last turn to show', wholeNumber],
  isCollected: ['--collected', 'only turns that you collected'],
})

export const conversationsShow: CommandDefinition = {
  configure: (command) => SHOW.describe(command.argument('<id>', 'the conversation')),
  run: async (context, flags, [id = '']) => {
    const asked = SHOW.read(flags)
    const { revealSecrets } = asked
    const memory = await context.memory({ create: false })
    const conversation = await memory.conversations.get(id)
    const turns = await memory.conversations.turns(id, asked)
    const summaries = await memory.conversations.summaries(id, { revealSecrets })
    await context.print({
      ...snakeNames(conversation),
      turns: pageRecord(turns, asked, snakeNames),
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

const KEY = flagTable({
  scope: [
    '--scope <scope>',
    `${KEY_SCOPES.join(', ')} (default: write); admin: with --every-user`,
    (flag, text) => oneWord(flag, text, KEY_SCOPES),
  ],
  everyUser: ['--every-user', 'good for every user; else for the one of --user'],
})

export const keysAdd: CommandDefinition = {
  everyProject: true,
  configure: (command) => KEY.describe(command.argument('<name>', 'what to call it, such as the program that gets it')),
  run: async (context, flags, [name = '']) => {
    const { scope, everyUser } = KEY.read(flags)
    if (scope === 'admin' && everyUser === undefined)
      throw invalid('--every-user', 'is missing: admin is about every user', 'Add --every-user, or take --scope write.')
    const memory = await context.memory()
    const made = await memory.keys.create({ name, scope, userId: everyUser === true ? null : context.userId })
    await context.print(snakeNames(made))
  },
}
