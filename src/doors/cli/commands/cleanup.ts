/** `memory_cleanup`: deletes for good, one conversation, what is older than an age, or everything of the user. */
import { DAY_MS, HOUR_MS } from '../../../domain/clock.ts'
import { invalid } from '../../../domain/errors.ts'
import { wholeNumber } from '../../config/options.ts'
import { sessionRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition } from '../context.ts'
import { given, textFlag, withoutAbsent } from '../flags.ts'
import type { FlagValues } from '../settings.ts'
import { confirm } from '../standard-streams.ts'
import { watchedWork } from '../watched-work.ts'

/** Ages such as `30d`: how far back from now. Months and years are those of the calendar, in UTC. */
const REMEDY = 'Pass a number and a unit: 12h, 30d, 2w, 6m (months) or 1y.'

export function momentBefore(flag: string, age: string, now: Date): Date {
  const match = /^(\d{1,6})([hdwmy])$/.exec(age.trim())
  const count = Number(match?.[1] ?? 0)
  if (match === null || count === 0) throw invalid(flag, `${JSON.stringify(age)} is not an age`, REMEDY)
  const moment = goBack(now, count, match[2] ?? '')
  if (!(moment.getUTCFullYear() >= 1)) throw invalid(flag, `${JSON.stringify(age)} lies before all time`, REMEDY)
  return moment
}

const SPANS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

function goBack(now: Date, count: number, unit: string): Date {
  const span = SPANS[unit]
  return span === undefined
    ? monthsBack(now, unit === 'y' ? count * 12 : count)
    : new Date(now.getTime() - count * span)
}

/** 31 March less one month is the last day of February. */
function monthsBack(now: Date, months: number): Date {
  const moment = new Date(now)
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  return moment
}

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
