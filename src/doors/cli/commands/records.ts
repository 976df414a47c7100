/** The commands about single records: memories, conversations, the profile, settings and keys. */
import { z } from 'zod'
import { invalid } from '../../../domain/errors.ts'
import { checkSettingName } from '../../../domain/settings.ts'
import { settingValue } from '../../config/options.ts'
import { pageOf, snakeNames } from '../../operations/field-names.ts'
import { createKey } from '../../operations/keys.ts'
import { fromLibrary } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import { listTurns } from '../../operations/turns.ts'
import type { Context } from '../command-context.ts'
import { checkOne, command, YES } from '../fields.ts'
import { confirm, writeOut } from '../standard-streams.ts'

const DELETE = z.strictObject({
  id: schema.id.optional().describe('The memory.'),
  all: schema.flag('All long-term memories of the user; conversations stay; asks first.'),
  yes: YES,
})

export const memoryDelete = command(DELETE, { everyProject: true, positional: ['id'] })(
  async (context, { id, all = false, yes }) => {
    checkOne(context.program, [id, all], 'delete', 'Pass an id or --all.')
    const memory = await context.memory({ create: false })
    if (id !== undefined) {
      await memory.delete(id)
      return context.print({ id, deleted: true })
    }
    if (yes !== true) {
      const { memories } = await memory.maintenance.stats({ userId: context.userId })
      await confirm(`Delete ${memories} memories of ${JSON.stringify(context.userId)} for good?`, '--all')
    }
    await context.print(await memory.deleteAll())
  },
)

export const conversationsShow = command(listTurns.input, { positional: ['conversation_id'] })(
  async (context, { conversationId, ...asked }) => {
    const { conversations } = await context.memory({ create: false })
    const conversation = await conversations.get(conversationId)
    const turns = pageOf(await conversations.turns(conversationId, asked), asked)
    const summaries = await conversations.summaries(conversationId, { revealSecrets: asked.revealSecrets })
    await context.print({
      ...snakeNames(conversation),
      turns: fromLibrary(listTurns.output)(turns),
      summaries: summaries.map(snakeNames),
    })
  },
)

const COLLECT = z.strictObject({
  conversation_id: schema.id.describe('The conversation.'),
  turn_id: schema.turnNumber.describe('The number of the turn in it.'),
  undo: schema.flag('Take the mark off.'),
})

export const conversationsCollect = command(COLLECT, { positional: ['conversation_id', 'turn_id'] })(
  async (context, { undo, ...turn }) => {
    const { conversations } = await context.memory({ create: false })
    await context.print(snakeNames(await conversations.collect({ ...turn, isCollected: undo !== true })))
  },
)

const PROFILE = z.strictObject({
  text: schema.flag('Print the text alone instead of JSON.'),
})

export const profileShow = command(PROFILE, { everyProject: true })(async (context, { text }) => {
  const memory = await context.memory({ create: false, thought: true })
  const profile = await memory.profile.get()
  if (text !== true) await context.print(snakeNames(profile))
  else if (profile.text !== '') await writeOut(`${profile.text}\n`)
})

const name = z.string().describe('The setting, as `mneme settings` names it.')
const SETTING = z.strictObject({ name, value: z.string().describe('A number, true or false.') })

async function setSetting(context: Context, given: string, text: string | null): Promise<void> {
  const name = checkSettingName(given)
  const value = text === null ? null : settingValue(name, name, text)
  const memory = await context.memory({ create: text !== null })
  await context.print(await memory.settings.set({ [name]: value }))
}

export const settingsSet = command(SETTING, { everyProject: true, positional: ['name', 'value'] })(
  (context, { name, value }) => setSetting(context, name, value),
)

export const settingsUnset = command(z.strictObject({ name }), { everyProject: true, positional: ['name'] })(
  (context, { name }) => setSetting(context, name, null),
)

const KEY = createKey.input.omit({ user_id: true }).extend({
  every_user: schema.flag('Good for every user; else for the one of --user.'),
})

export const keysAdd = command(KEY, { everyProject: true, positional: ['name'] })(
  async (context, { everyUser, ...key }) => {
    if (key.scope === 'admin' && everyUser === undefined)
      throw invalid('--every-user', 'is missing: admin is about every user', 'Add --every-user, or take --scope write.')
    const memory = await context.memory()
    const made = await memory.keys.create({ ...key, userId: everyUser === true ? null : context.userId })
    await context.print(snakeNames(made))
  },
)
