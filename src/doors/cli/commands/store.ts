/** `memory_store`: one turn from flags, one from standard input, or many as JSON lines; `memory_cleanup` deletes them for good. */
import { z } from 'zod'
import { check, type FieldsOf, type FieldTable } from '../../../domain/checks.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/clock.ts'
import { invalid } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { ROLES } from '../../../domain/turn.ts'
import { TURN_FIELDS } from '../../../usecases/conversations.ts'
import type { OpenMemory } from '../../library/index.ts'
import { camelName, snakeName, snakeNames } from '../../operations/field-names.ts'
import { fromLibrary, type InLibrary } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import type { CommandDefinition, Context } from '../command-context.ts'
import { checkOne, command, schemaFields, YES } from '../fields.ts'
import { flagName } from '../report-error.ts'
import { confirm, readStdin, writeOut } from '../standard-streams.ts'
import { thinkForAMoment, watchedWork } from '../watched-work.ts'

const STORE = z.strictObject({
  conversation_id: schema.words('The conversation. Default: a new one, whose id is returned.'),
  role: schema.role.optional().describe(`Who speaks: ${ROLES.join(', ')}.`),
  content: schema.words('What was said; - reads it from standard input, without the last line break.'),
  speaker: schema.words('The name of the one who speaks.'),
  created_at: schema.words('When it was said, ISO 8601. Default: now.'),
  external_id: schema.words('Your own id: the same one is stored once in a conversation.'),
  metadata: schema.metadata.optional().describe('A JSON object that is kept with the turn.'),
  think: schema.flag('Think about it at once; otherwise the next command that asks for memories does.'),
  project_root: schema.words('The project that the conversation belongs to.'),
  stdin: schema.flag('Many turns as JSON lines: {"role", "content", "conversation_id"?, "created_at"?, …}'),
})
type Asked = z.output<typeof STORE>

export const store: CommandDefinition = {
  fields: schemaFields(STORE),
  run: async (context, input) => {
    const { stdin = false, think = false, ...asked } = input as Asked
    const memory = await (stdin ? storeLines(context, asked) : storeOne(context, asked))
    if (think) await thinkForAMoment(context.settings, memory)
  },
}

async function storeOne(context: Context, { role, content, ...turn }: Asked): Promise<OpenMemory> {
  if (role === undefined) throw invalid('--role', 'is missing', `Say who speaks: ${ROLES.join(', ')}.`)
  if (content === undefined)
    throw invalid('--content', 'is missing', 'Say what was said, or pass - to read it from standard input.')
  const field = (name: string): string => `--${flagName(camelName(name))}`
  const { turn: only, ...placed } = checkTurn({ ...turn, role, content }, field, context)
  const memory = await context.memory()
  for (const stored of await memory.conversations.store({ ...placed, turns: [only] }))
    await context.print(snakeNames(stored))
  return memory
}

/** Larger inputs are a matter for memory_import, which streams. */
const MOST_INPUT_BYTES = 256 * 1024 * 1024

interface PlacedLine extends TurnLine {
  readonly place: number
}

/**
 * Stores the lines of stdin, each conversation in one transaction, and prints one result a line in input order. When a
 * conversation fails, the results of earlier ones are still printed.
 */
async function storeLines(context: Context, asked: Asked): Promise<OpenMemory> {
  const { conversation_id: named = null, project_root: project, ...turn } = asked
  if (Object.keys(turn).length > 0)
    throw invalid(
      '--stdin',
      'is given together with the flags of a single turn',
      'Put role and content into the lines.',
    )
  const lines = readLines(await readStdin('--stdin', MOST_INPUT_BYTES), context)
  const groups = Map.groupBy(lines, ({ conversationId }) => conversationId ?? named)
  const memory = await context.memory()
  const results: (string | undefined)[] = lines.map(() => undefined)
  try {
    for (const [conversationId, group] of groups) {
      const projectRoot = group.findLast((line) => line.projectRoot !== null)?.projectRoot ?? project
      const turns = group.map(({ turn }) => turn)
      const stored = await memory.conversations.store({ conversationId, projectRoot, turns })
      for (const [index, result] of stored.entries()) results[group[index]!.place] = JSON.stringify(snakeNames(result))
    }
  } finally {
    for (const result of results) if (result !== undefined) await writeOut(`${result}\n`)
  }
  return memory
}

function readLines(text: string, context: Context): readonly PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (lines.length === LIMITS.turnsPerCall)
      throw invalid('--stdin', `has more than ${LIMITS.turnsPerCall} lines`, 'Split it, or use memory_import.')
    lines.push({ ...readTurnLine(line, index + 1, context), place: lines.length })
  }
  if (lines.length === 0) throw invalid('--stdin', 'holds no lines', 'Pass at least one JSON line.')
  return lines
}

type TurnLine = ReturnType<typeof checkTurn>

const PLACE_FIELDS = { conversationId: check.optionalId, projectRoot: check.optionalId }
const NAMES = [...Object.keys(PLACE_FIELDS), ...Object.keys(TURN_FIELDS)].map(snakeName)

function readTurnLine(line: string, number: number, context: Context): TurnLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    const remedy = 'Write one JSON object a line, such as {"role":"user","content":"hi"}.'
    throw invalid(`line ${number}`, 'is not JSON', remedy)
  }
  return checkTurn(check.record(`line ${number}`, value, NAMES), (name) => `line ${number}: ${name}`, context)
}

function checkTurn(record: Readonly<Record<string, unknown>>, field: (name: string) => string, { settings }: Context) {
  const read = <Fields extends FieldTable>(fields: Fields): FieldsOf<Fields> => {
    const checked = Object.entries(fields).map(([name, check]) => {
      return [name, check(field(snakeName(name)), record[snakeName(name)])] as const
    })
    return Object.fromEntries(checked) as FieldsOf<Fields>
  }
  const { createdAt, ...turn } = read(TURN_FIELDS)
  check.content(field('content'), turn.content, settings.max_content_bytes.value)
  return { ...read(PLACE_FIELDS), turn: { ...turn, createdAt: createdAt === null ? null : new Date(createdAt) } }
}

/** Ages such as `30d`: how far back from now. Months and years are those of the calendar, in UTC. */
const REMEDY = 'Pass a number and a unit: 12h, 30d, 2w, 6m (months) or 1y.'

export function momentBefore(flag: string, age: string, now: Date): Date {
  const [, digits = 0, unit = ''] = /^(\d{1,6})([hdwmy])$/.exec(age.trim()) ?? []
  const count = Number(digits)
  if (count === 0) throw invalid(flag, `${JSON.stringify(age)} is not an age`, REMEDY)
  const span = SPANS[unit] ?? 0
  const moment = new Date(now.getTime() - count * span)
  if (span === 0) {
    moment.setUTCDate(1)
    moment.setUTCMonth(moment.getUTCMonth() - (unit === 'y' ? count * 12 : count))
    // 31 March less one month is the last day of February.
    const lastDay = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
    moment.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  }
  if (!(moment.getUTCFullYear() >= 1)) throw invalid(flag, `${JSON.stringify(age)} lies before all time`, REMEDY)
  return moment
}

const SPANS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

const CLEANUP = z.strictObject({
  older_than: schema.words('What was said longer ago than this: 12h, 30d, 2w, 6m (months), 1y.'),
  conversation_id: schema.id.optional().describe('One conversation.'),
  all: schema.flag('Everything of the user, long-term memories too; asks first.'),
  keep_memories: schema.flag('What was made of the turns stays: long-term memories, lines of the profile.'),
  yes: YES,
})

export const cleanup = command(CLEANUP, { everyProject: true })(async (context, { yes, olderThan: age, ...named }) => {
  const olderThan = age === undefined ? undefined : momentBefore('--older-than', age, new Date())
  const which = { ...named, olderThan }
  const ways = 'Pass exactly one of --older-than AGE, --conversation ID and --all.'
  checkOne(context.program, [olderThan, which.conversationId, which.all], 'delete', ways)
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
})

const UNDO = z.strictObject({
  conversation_id: schema.id.optional().describe('What came from this conversation.'),
  turn_id: schema.turnNumber.optional().describe('Only from this turn of it.'),
  source: schema.words('The same in one word: ID, or ID#TURN.'),
  dry_run: schema.flag('Only show what would go, stay and come back.'),
  yes: YES,
})

export const undo = command(UNDO, { everyProject: true })(async (context, { dryRun, yes, ...given }) => {
  const source = readSource(context.program, given)
  const memory = await context.memory({ create: false })
  if (dryRun === true) {
    // Late, since a turn is stored without it.
    const { previewUndo } = await import('../../operations/change-memories.ts')
    return context.print(fromLibrary(previewUndo.output)(await memory.maintenance.undoPreview(source)))
  }
  if (yes !== true) {
    const named = `conversation ${JSON.stringify(source.conversationId)}`
    const what = source.turnId === undefined ? named : `turn ${source.turnId} of ${named}`
    await confirm(`Delete for good every memory that came from ${what}? What was said there stays.`, context.program)
  }
  await context.print(snakeNames(await memory.maintenance.undo(source)))
})

type Source = Omit<InLibrary<z.output<typeof UNDO>>, 'dryRun' | 'yes'>

function readSource(program: string, { conversationId, turnId, source }: Source) {
  if ((conversationId === undefined) === (source === undefined))
    throw invalid(
      program,
      source === undefined ? 'is not told what to take back' : 'is told the source twice',
      'Pass --conversation ID, with --turn N for one turn of it, or --source ID#N.',
    )
  if (conversationId !== undefined) return { conversationId, turnId }
  if (turnId !== undefined)
    throw invalid(
      '--turn',
      'is given together with --source',
      'Write --source ID#N, or use --conversation ID --turn N.',
    )
  const [, id, number] = /^(.+)#(\d{1,15})$/s.exec(source ?? '') ?? []
  return id === undefined ? { conversationId: source ?? '' } : { conversationId: id, turnId: Number(number) }
}
