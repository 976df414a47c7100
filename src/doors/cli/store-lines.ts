/**
 * `memory_store --stdin`: checks all lines, stores each conversation in one transaction, and prints one result a line,
 * in input order. When a conversation fails, the results of earlier ones are still printed.
 */

import {
  checkBoolean,
  checkContent,
  checkMetadata,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkRecord,
} from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Metadata, ROLES, type Role } from '../../domain/turn.ts'
import type { StoredTurnView } from '../library/index.ts'
import type { Context } from './context.ts'
import { type FlagValues, projectFlag, textFlag } from './flag-values.ts'
import { readStdin } from './read-text.ts'
import { thinkForAMoment } from './think-for-a-moment.ts'
import { writeOut } from './write-out.ts'

/** Larger inputs are a matter for memory_import, which streams. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024
const ONE_TURN_FLAGS = ['role', 'content', 'speaker', 'createdAt', 'externalId', 'metadata']

/** A line with its place among the others, from 0. */
interface PlacedLine extends TurnLine {
  readonly place: number
}

/** Stores what stdin holds. */
export async function storeLines(context: Context, flags: FlagValues): Promise<void> {
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

/** A turn that a line asks to store. */
export interface TurnLine {
  /** null: the conversation of --conversation, else a new one. */
  readonly conversationId: string | null
  readonly projectRoot: string | null
  readonly turn: {
    readonly role: Role
    readonly content: string
    readonly speaker: string | null
    readonly createdAt: Date | null
    readonly externalId: string | null
    readonly metadata: Metadata | null
    readonly isCollected: boolean
  }
}

const NAMES = [
  'conversation_id',
  'project_root',
  'role',
  'content',
  'speaker',
  'created_at',
  'external_id',
  'metadata',
  'is_collected',
]

/** Reads line `number` (from 1). Throws `invalid` naming the line and the field. */
function readTurnLine(line: string, number: number, maxContentBytes: number): TurnLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw invalid(
      `line ${number}`,
      'is not JSON',
      'Write one JSON object a line, such as {"role":"user","content":"hi"}.',
    )
  }
  return checkTurn(checkRecord(`line ${number}`, value, NAMES), (name) => `line ${number}: ${name}`, maxContentBytes)
}

/** Checks a turn whose fields have the names of this door; `field` says what to call them in an error. */
export function checkTurn(
  record: Readonly<Record<string, unknown>>,
  field: (name: string) => string,
  maxContentBytes: number,
): TurnLine {
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
export function storedJson(turn: StoredTurnView): Record<string, unknown> {
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
