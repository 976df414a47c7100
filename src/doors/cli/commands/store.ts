/** `memory_store`: one turn from flags, one from standard input, or many as JSON lines. */
import {
  checkBoolean,
  checkContent,
  checkMetadata,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
} from '../../../domain/checks.ts'
import { invalid } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { ROLES } from '../../../domain/turn.ts'
import type { StoredTurnView } from '../../library/index.ts'
import { camelName } from '../../operations/names.ts'
import type { CommandDefinition, Context } from '../context.ts'
import { given, jsonObject, oneWord, projectFlag, textFlag } from '../flags.ts'
import { flagName } from '../report-error.ts'
import type { FlagValues } from '../settings.ts'
import { readStdin, readText, writeOut } from '../standard-streams.ts'
import { thinkForAMoment } from '../watched-work.ts'

export const store: CommandDefinition = {
  configure: (command) =>
    command
      .option('--conversation <id>', 'the conversation (default: a new one, whose id is returned)')
      .option('--role <role>', `who speaks: ${ROLES.join(', ')}`)
      .option('--content <text>', 'what was said; - reads it from standard input, without the last line break')
      .option('--speaker <name>', 'the name of the one who speaks')
      .option('--created-at <time>', 'when it was said, ISO 8601 (default: now)')
      .option('--external-id <id>', 'your own id: the same one is stored once in a conversation')
      .option('--metadata <json>', 'a JSON object that is kept with the turn')
      .option('--think', 'think about it at once; otherwise the next command that asks for memories does')
      .option('--project <dir>', 'the project that the conversation belongs to')
      .option('--stdin', 'many turns as JSON lines: {"role", "content", "conversation_id"?, "created_at"?, …}'),
  run: async (context, flags) => {
    await (flags.stdin === true ? storeLines(context, flags) : storeOne(context, flags))
  },
}

async function storeOne(context: Context, flags: FlagValues): Promise<void> {
  const { conversationId, projectRoot, turn } = await readTurn(context, flags)
  const memory = await context.memory()
  const stored = await memory.conversations.store({ conversationId, projectRoot, turns: [turn] })
  for (const result of stored) await context.print(storedJson(result))
  if (flags.think === true) await thinkForAMoment(context.settings, memory)
}

async function readTurn(context: Context, flags: FlagValues): Promise<TurnLine> {
  const maxContentBytes = context.settings.max_content_bytes.value
  const role = required(flags, 'role', `Say who speaks: ${ROLES.join(', ')}.`)
  const content = required(flags, 'content', 'Say what was said, or pass - to read it from standard input.')
  const record = {
    role: oneWord('--role', role, ROLES),
    content: await readText('--content', content, maxContentBytes),
    conversation_id: textFlag(flags, 'conversation'),
    project_root: projectFlag(flags),
    speaker: textFlag(flags, 'speaker'),
    created_at: textFlag(flags, 'createdAt'),
    external_id: textFlag(flags, 'externalId'),
    metadata: given(flags, 'metadata', jsonObject),
  }
  return checkTurn(record, (name) => `--${flagName(camelName(name))}`, maxContentBytes)
}

function required(flags: FlagValues, name: string, remedy: string): string {
  const value = textFlag(flags, name)
  if (value === undefined) throw invalid(`--${name}`, 'is missing', remedy)
  return value
}

/** Larger inputs are a matter for memory_import, which streams. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024
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
  const text = await readStdin('--stdin', MAX_INPUT_BYTES)
  const lines = readLines(text, context.settings.max_content_bytes.value)
  const groups = Map.groupBy(lines, ({ conversationId }) => conversationId ?? textFlag(flags, 'conversation') ?? null)
  const memory = await context.memory()
  const results: (string | undefined)[] = lines.map(() => undefined)
  try {
    for (const [conversationId, group] of groups) {
      const named = group.findLast((line) => line.projectRoot !== null)?.projectRoot
      const stored = await memory.conversations.store({
        conversationId,
        projectRoot: named ?? projectFlag(flags),
        turns: group.map(({ turn }) => turn),
      })
      for (const [index, result] of stored.entries()) results[group[index]!.place] = JSON.stringify(storedJson(result))
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

/** JSON for stdout. `existed`: the same external id was there before and nothing was written. */
function storedJson(turn: StoredTurnView): Record<string, unknown> {
  const { turnId, conversationId, symbolsExtracted, storedAt, externalId, existed } = turn
  return {
    turn_id: turnId,
    conversation_id: conversationId,
    symbols_extracted: symbolsExtracted,
    stored_at: storedAt,
    ...(externalId === undefined ? {} : { external_id: externalId }),
    existed,
  }
}
