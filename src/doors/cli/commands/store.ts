/** `memory_store`: one turn from flags, one from standard input, or many as JSON lines; `memory_cleanup` deletes them for good. */
import {
  checkBoolean,
  checkContent,
  checkMetadata,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
} from '../../../domain/checks.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/clock.ts'
import { invalid } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { ROLES } from '../../../domain/turn.ts'
import { wholeNumber } from '../../config/options.ts'
import { camelName, sessionRecord, snakeNames } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { flagTable, jsonObject, oneWord, projectRoot, textFlag } from '../flags.ts'
import { flagName } from '../report-error.ts'
import type { FlagValues } from '../settings.ts'
import { confirm, readStdin, readText, writeOut } from '../standard-streams.ts'
import { thinkForAMoment, watchedWork } from '../watched-work.ts'

const STORE = flagTable({
  conversation_id: ['--conversation <id>', 'the conversation (default: a new one, whose id is returned)'],
  role: ['--role <role>', `who speaks: ${ROLES.join(', ')}`, (flag, text) => oneWord(flag, text, ROLES)],
  content: ['--content <text>', 'what was said; - reads it from standard input, without the last line break'],
  speaker: ['--speaker <name>', 'the name of the one who speaks'],
  created_at: ['--created-at <time>', 'when it was said, ISO 8601 (default: now)'],
  external_id: ['--external-id <id>', 'your own id: the same one is stored once in a conversation'],
  metadata: ['--metadata <json>', 'a JSON object that is kept with the turn', jsonObject],
  think: ['--think', 'think about it at once; otherwise the next command that asks for memories does'],
  project_root: ['--project <dir>', 'the project that the conversation belongs to', projectRoot],
  stdin: ['--stdin', 'many turns as JSON lines: {"role", "content", "conversation_id"?, "created_at"?, …}'],
})

export const store: CommandDefinition = {
  configure: STORE.describe,
  run: async (context, flags) => {
    await (flags.stdin === true ? storeLines(context, flags) : storeOne(context, flags))
  },
}

async function storeOne(context: Context, flags: FlagValues): Promise<void> {
  const { conversationId, projectRoot, turn } = await readTurn(context, flags)
  const memory = await context.memory()
  const stored = await memory.conversations.store({ conversationId, projectRoot, turns: [turn] })
  for (const result of stored) await context.print(snakeNames(result))
  if (flags.think === true) await thinkForAMoment(context.settings, memory)
}

async function readTurn(context: Context, flags: FlagValues): Promise<TurnLine> {
  const maxContentBytes = context.settings.max_content_bytes.value
  const { role, content, ...turn } = STORE.read(flags)
  if (role === undefined) throw invalid('--role', 'is missing', `Say who speaks: ${ROLES.join(', ')}.`)
  if (content === undefined)
    throw invalid('--content', 'is missing', 'Say what was said, or pass - to read it from standard input.')
  const record = { ...turn, role, content: await readText('--content', content, maxContentBytes) }
  return checkTurn(record, (name) => `--${flagName(camelName(name))}`, maxContentBytes)
}

/** Larger inputs are a matter for memory_import, which streams. */
const MOST_INPUT_BYTES = 256 * 1024 * 1024
const ONE_TURN_FLAGS = ['role', 'content', 'speaker', 'createdAt', 'externalId', 'metadata']

interface PlacedLine extends TurnLine {
  readonly place: number
}

/**
 * Stores the lines of stdin, each conversation in one transaction, and prints one result a line in input order. When a
 * conversation fails, the results of earlier ones are still printed.
 */
async function storeLines(context: Context, flags: FlagValues): Promise<void> {
  const extra = ONE_TURN_FLAGS.find((name) => flags[name] !== undefined)
  if (extra !== undefined)
    throw invalid(
      '--stdin',
      'is given together with the flags of a single turn',
      'Put role and content into the lines.',
    )
  const text = await readStdin('--stdin', MOST_INPUT_BYTES)
  const lines = readLines(text, context.settings.max_content_bytes.value)
  const groups = Map.groupBy(lines, ({ conversationId }) => conversationId ?? textFlag(flags, 'conversation') ?? null)
  const memory = await context.memory()
  const results: (string | undefined)[] = lines.map(() => undefined)
  try {
    for (const [conversationId, group] of groups) {
      const named = group.findLast((line) => line.projectRoot !== null)?.projectRoot
      const stored = await memory.conversations.store({
        conversationId,
        projectRoot: named ?? STORE.read(flags).project_root,
        turns: group.map(({ turn }) => turn),
      })
      for (const [index, result] of stored.entries()) results[group[index]!.place] = JSON.stringify(snakeNames(result))
    }
  } finally {
    for (const result of results) if (result !== undefined) await writeOut(`${result}\n`)
  }
  if (flags.think === true) await thinkForAMoment(context.settings, memory)
}

function readLines(text: string, maxContentBytes: number): readonly PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (lines.length === LIMITS.turnsPerCall)
      throw invalid('--stdin', `has more than ${LIMITS.turnsPerCall} lines`, 'Split it, or use memory_import.')
    lines.push({ ...readTurnLine(line, index + 1, maxContentBytes), place: lines.length })
  }
  if (lines.length === 0) throw invalid('--stdin', 'holds no lines', 'Pass at least one JSON line.')
  return lines
}

type TurnLine = ReturnType<typeof checkTurn>

const NAMES = 'conversation_id project_root role content speaker created_at external_id metadata is_collected'.split(
  ' ',
)

function readTurnLine(line: string, number: number, maxContentBytes: number): TurnLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    const remedy = 'Write one JSON object a line, such as {"role":"user","content":"hi"}.'
    throw invalid(`line ${number}`, 'is not JSON', remedy)
  }
  return checkTurn(checkRecord(`line ${number}`, value, NAMES), (name) => `line ${number}: ${name}`, maxContentBytes)
}

function checkTurn(
  record: Readonly<Record<string, unknown>>,
  field: (name: string) => string,
  maxContentBytes: number,
) {
  const createdAt = checkOptionalTime(field('created_at'), record.created_at)
  return {
    conversationId: checkOptionalId(field('conversation_id'), record.conversation_id),
    projectRoot: checkOptionalId(field('project_root'), record.project_root),
    turn: {
      role: checkOneOf(field('role'), record.role, ROLES),
      content: checkContent(field('content'), record.content, maxContentBytes),
      speaker: checkOptionalId(field('speaker'), record.speaker),
      createdAt: createdAt === null ? null : new Date(createdAt),
      externalId: checkOptionalId(field('external_id'), record.external_id),
      metadata: checkMetadata(field('metadata'), record.metadata),
      isCollected: record.is_collected === undefined ? false : checkBoolean(field('is_collected'), record.is_collected),
    },
  }
}

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

const CLEANUP = flagTable({
  olderThan: [
    '--older-than <age>',
    'what was said longer ago than this: 12h, 30d, 2w, 6m (months), 1y',
    (flag, age) => momentBefore(flag, age, new Date()),
  ],
  conversationId: ['--conversation <id>', 'one conversation'],
  all: ['--all', 'everything of the user, long-term memories too; asks first'],
  keepMemories: ['--keep-memories', 'what was made of the turns stays: long-term memories, lines of the profile'],
  yes: ['--yes', 'do not ask'],
})

export const cleanup: CommandDefinition = {
  everyProject: true,
  configure: CLEANUP.describe,
  run: async (context, flags) => {
    const { yes, ...which } = CLEANUP.read(flags)
    const chosen = [which.olderThan, which.conversationId, which.all].filter((one) => one !== undefined).length
    if (chosen !== 1)
      throw invalid(
        context.program,
        chosen === 0 ? 'is not told what to delete' : 'is told more than one thing',
        CHOICES,
      )
    const memory = await context.memory({ create: false })
    if (which.all === true && yes === undefined) {
      const { conversations, turns, memories } = await memory.maintenance.stats({ userId: context.userId })
      await confirm(
        `Delete ${conversations} conversations (${turns} turns) and ${memories} memories of ` +
          `${JSON.stringify(context.userId)} in ${context.settings.db.value} for good?`,
        '--all',
      )
    }
    const deleting = { doing: 'deleting', unit: 'parts' }
    const counts = await watchedWork(deleting, (work) => memory.conversations.delete(which, work))
    await context.print(snakeNames(counts))
  },
}

const UNDO = flagTable({
  conversationId: ['--conversation <id>', 'what came from this conversation'],
  turnId: ['--turn <number>', 'only from this turn of it', wholeNumber],
  source: ['--source <source>', 'the same in one word: ID, or ID#TURN'],
  dryRun: ['--dry-run', 'only show what would go, stay and come back'],
  yes: ['--yes', 'do not ask'],
})

export const undo: CommandDefinition = {
  everyProject: true,
  configure: UNDO.describe,
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
  const { conversationId, turnId, source } = UNDO.read(flags)
  if ((conversationId === undefined) === (source === undefined))
    throw invalid(
      program,
      source === undefined ? 'is not told what to take back' : 'is told the source twice',
      'Pass --conversation ID, with --turn N for one turn of it, or --source ID#N.',
    )
  if (conversationId !== undefined) return { conversationId, ...(turnId === undefined ? {} : { turnId }) }
  if (turnId !== undefined)
    throw invalid(
      '--turn',
      'is given together with --source',
      'Write --source ID#N, or use --conversation ID --turn N.',
    )
  const [, id, number] = /^(.+)#(\d{1,15})$/s.exec(source ?? '') ?? []
  return id === undefined ? { conversationId: source ?? '' } : { conversationId: id, turnId: Number(number) }
}
