/** One turn as `memory_store` is given it, by flags or as a JSON line: checked whole before anything is opened or written. */
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
import { type Metadata, ROLES, type Role } from '../../domain/turn.ts'

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
export function readTurnLine(line: string, number: number, maxContentBytes: number): TurnLine {
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
