/** The plain objects of an export file back to domain objects; the inverse of `encode-record`, checking every field. */

import type { MemoryEdit } from '../../domain/contracts/memory-store.ts'
import type { Profile, ProfileLine } from '../../domain/contracts/profile-store.ts'
import { PROFILE_SECTIONS } from '../../domain/contracts/profile-store.ts'
import type { SessionSummary } from '../../domain/contracts/session-summary-store.ts'
import { CATEGORIES, MEMORY_SOURCES, MEMORY_TYPES, type Memory, type WorkingMemory } from '../../domain/memory.ts'
import { type Conversation, ROLES, type Summary } from '../../domain/turn.ts'
import { EXPORT_VERSION, type ExportedTurn, type ExportHeader } from './export-record.ts'
import { importError } from './import-error.ts'
import {
  choiceField,
  fieldsOf,
  idField,
  numberField,
  numbersField,
  objectOrNullField,
  type RecordFields,
  switchField,
  textField,
  textOrNullField,
  textsField,
  timeField,
  timeOrNullField,
  wholeField,
  wrongField,
} from './record-fields.ts'

const PROFILE_SOURCES: readonly ProfileLine['source'][] = ['user', 'machine']
const EDIT_EVENTS: readonly MemoryEdit['event'][] = ['UPDATE', 'SUPERSEDE']

/** Throws when the version is not one that this program reads. */
export function checkVersion(version: unknown, at: string): void {
  if (version === EXPORT_VERSION) return
  const newer = typeof version === 'number' && version > EXPORT_VERSION
  throw importError(
    at,
    `mneme_export is ${JSON.stringify(version)}; this program reads version ${EXPORT_VERSION}`,
    newer ? 'Update Mneme, then import again.' : 'Import a file that Mneme wrote.',
  )
}

export function decodeHeader(fields: RecordFields): ExportHeader {
  checkVersion(fields.values.mneme_export, fields.at)
  return { exportedAt: timeField(fields, 'exported_at'), userId: idField(fields, 'user_id') }
}

export function decodeConversation(fields: RecordFields): Conversation {
  return {
    conversationId: idField(fields, 'conversation_id'),
    projectRoot: textField(fields, 'project_root'),
    createdAt: timeField(fields, 'created_at'),
    lastActive: timeField(fields, 'last_active'),
    summary: textOrNullField(fields, 'summary'),
    turnCount: wholeField(fields, 'turn_count', 0),
    lastTurnId: wholeField(fields, 'last_turn_id', 0),
    ...(fields.values.is_muted === true ? { isMuted: true } : {}),
  }
}

export function decodeTurn(fields: RecordFields, conversationId: string): ExportedTurn {
  return {
    conversationId,
    turnId: wholeField(fields, 'turn_id', 1),
    role: choiceField(fields, 'role', ROLES),
    content: idField(fields, 'content'),
    speaker: textOrNullField(fields, 'speaker'),
    createdAt: timeField(fields, 'created_at'),
    externalId: textOrNullField(fields, 'external_id'),
    metadata: objectOrNullField(fields, 'metadata'),
    // Exports from before there was the mark do not have it.
    isCollected: fields.values.is_collected === undefined ? false : switchField(fields, 'is_collected'),
  }
}

export function decodeSummary(fields: RecordFields, conversationId: string): Summary {
  const startTurn = wholeField(fields, 'start_turn', 1)
  return {
    summaryId: wholeField(fields, 'summary_id', 1),
    conversationId,
    startTurn,
    endTurn: wholeField(fields, 'end_turn', startTurn),
    summary: idField(fields, 'summary'),
    keySymbols: textsField(fields, 'key_symbols'),
    keyDecisions: textsField(fields, 'key_decisions'),
    createdAt: timeField(fields, 'created_at'),
  }
}

export function decodeMemory(fields: RecordFields): Memory {
  return {
    id: idField(fields, 'id'),
    memoryType: choiceField(fields, 'memory_type', MEMORY_TYPES),
    text: idField(fields, 'text'),
    category: choiceField(fields, 'category', CATEGORIES),
    key: textOrNullField(fields, 'key'),
    value: fields.values.value ?? null,
    tags: textsField(fields, 'tags'),
    conversationId: textOrNullField(fields, 'conversation_id'),
    who: textOrNullField(fields, 'who'),
    occurredAt: timeField(fields, 'occurred_at'),
    createdAt: timeField(fields, 'created_at'),
    updatedAt: timeField(fields, 'updated_at'),
    confidence: numberField(fields, 'confidence', 0, 1),
    source: choiceField(fields, 'source', MEMORY_SOURCES),
    importance: numberField(fields, 'importance', 0, 3),
    accessCount: wholeField(fields, 'access_count', 0),
    lastAccessed: timeOrNullField(fields, 'last_accessed'),
    validFrom: timeField(fields, 'valid_from'),
    validTo: timeOrNullField(fields, 'valid_to'),
    supersededBy: textOrNullField(fields, 'superseded_by'),
    suspect: decodeSuspicion(fields),
    sourceTurnIds: numbersField(fields, 'source_turn_ids'),
    externalId: textOrNullField(fields, 'external_id'),
    metadata: objectOrNullField(fields, 'metadata'),
    // Exports from before memories had a project do not have it.
    projectRoot: fields.values.project_root === undefined ? null : textOrNullField(fields, 'project_root'),
    ...(fields.values.buried_at === undefined ? {} : { buriedAt: timeOrNullField(fields, 'buried_at') }),
  }
}

/** The edits of a memory, oldest first; none when there is no `history`. */
export function decodeEdits(fields: RecordFields): readonly MemoryEdit[] {
  const history = fields.values.history ?? []
  if (!Array.isArray(history)) throw wrongField(fields, 'history', 'a list of edits')
  return history.map((line: unknown) => {
    const edit = fieldsOf(line, 'history', fields.at)
    return {
      event: choiceField(edit, 'event', EDIT_EVENTS),
      previousText: textOrNullField(edit, 'previous_text'),
      createdAt: timeField(edit, 'created_at'),
    }
  })
}

export function decodeWorkingMemory(fields: RecordFields): WorkingMemory {
  const contextVariables = objectOrNullField(fields, 'context_variables')
  if (contextVariables === null) throw wrongField(fields, 'context_variables', 'a JSON object')
  return {
    sessionId: idField(fields, 'session_id'),
    currentTopic: textOrNullField(fields, 'current_topic'),
    contextVariables,
    turnCount: wholeField(fields, 'turn_count', 0),
    lastEmotion: textOrNullField(fields, 'last_emotion'),
    createdAt: timeField(fields, 'created_at'),
    updatedAt: timeField(fields, 'updated_at'),
  }
}

export function decodeSessionSummary(fields: RecordFields): SessionSummary {
  return {
    conversationId: idField(fields, 'conversation_id'),
    title: textField(fields, 'title'),
    snippet: textField(fields, 'snippet'),
    createdAt: timeField(fields, 'created_at'),
    updatedAt: timeField(fields, 'updated_at'),
    edited: switchField(fields, 'edited'),
  }
}

export function decodeProfile(fields: RecordFields): Profile {
  const lines = fields.values.lines ?? []
  if (!Array.isArray(lines)) throw wrongField(fields, 'lines', 'a list of lines')
  return {
    text: textField(fields, 'text'),
    updatedAt: timeOrNullField(fields, 'updated_at'),
    lines: lines.map((line: unknown) => decodeProfileLine(fieldsOf(line, 'profile line', fields.at))),
  }
}

function decodeProfileLine(fields: RecordFields): ProfileLine {
  const section = textOrNullField(fields, 'section')
  const told = fields.values.told_by ?? []
  if (!Array.isArray(told)) throw wrongField(fields, 'told_by', 'a list of tellings')
  const tellings = told.map((telling: unknown) => decodeTelling(fieldsOf(telling, 'telling', fields.at)))
  return {
    ...(tellings.length === 0 ? {} : { tellings }),
    section: section === null ? null : choiceField(fields, 'section', PROFILE_SECTIONS),
    text: textField(fields, 'text'),
    source: choiceField(fields, 'source', PROFILE_SOURCES),
    updatedAt: timeField(fields, 'updated_at'),
  }
}

function decodeTelling(fields: RecordFields): NonNullable<ProfileLine['tellings']>[number] {
  const memoryIds = textsField(fields, 'memory_ids')
  return memoryIds.length > 0
    ? { memoryIds }
    : { conversationId: idField(fields, 'conversation_id'), turnIds: numbersField(fields, 'turn_ids') }
}

/** The settings by name; their values are checked where they are set. */
export function decodeSettings(fields: RecordFields): Readonly<Record<string, unknown>> {
  const { type: _, ...values } = fields.values
  return values
}

function decodeSuspicion(fields: RecordFields): Memory['suspect'] {
  if (objectOrNullField(fields, 'suspect') === null) return null
  const suspect = fieldsOf(fields.values.suspect, 'suspect', fields.at)
  return { reason: textField(suspect, 'reason'), since: timeField(suspect, 'since') }
}
