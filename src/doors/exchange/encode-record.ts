/** Domain objects to the plain objects of an export file: snake_case, times as ISO 8601 in UTC with milliseconds. */

import type { MemoryEdit } from '../../domain/contracts/memory-store.ts'
import type { Profile } from '../../domain/contracts/profile-store.ts'
import type { SessionSummary } from '../../domain/contracts/session-summary-store.ts'
import type { Memory, WorkingMemory } from '../../domain/memory.ts'
import type { Conversation, Summary } from '../../domain/turn.ts'
import { EXPORT_VERSION, type ExportedTurn, type ExportHeader } from './export-record.ts'

type Plain = Readonly<Record<string, unknown>>

export function encodeHeader(header: ExportHeader): Plain {
  return { mneme_export: EXPORT_VERSION, exported_at: iso(header.exportedAt), user_id: header.userId }
}

export function encodeConversation(conversation: Conversation): Plain {
  return {
    conversation_id: conversation.conversationId,
    project_root: conversation.projectRoot,
    created_at: iso(conversation.createdAt),
    last_active: iso(conversation.lastActive),
    summary: conversation.summary,
    turn_count: conversation.turnCount,
    last_turn_id: conversation.lastTurnId,
    ...(conversation.isMuted === true ? { is_muted: true } : {}),
  }
}

/** A turn without its conversation's id, which the enclosing conversation holds. */
export function encodeTurn(turn: ExportedTurn): Plain {
  return {
    turn_id: turn.turnId,
    role: turn.role,
    content: turn.content,
    ...(turn.speaker === null ? {} : { speaker: turn.speaker }),
    created_at: iso(turn.createdAt),
    ...(turn.externalId === null ? {} : { external_id: turn.externalId }),
    ...(turn.metadata === null ? {} : { metadata: turn.metadata }),
    is_collected: turn.isCollected,
  }
}

export function encodeSummary(summary: Summary): Plain {
  return {
    summary_id: summary.summaryId,
    start_turn: summary.startTurn,
    end_turn: summary.endTurn,
    summary: summary.summary,
    key_symbols: summary.keySymbols,
    key_decisions: summary.keyDecisions,
    created_at: iso(summary.createdAt),
  }
}

/** With its edits, oldest first; without `history` when it was never edited. */
export function encodeMemory(memory: Memory, edits: readonly MemoryEdit[]): Plain {
  return {
    id: memory.id,
    memory_type: memory.memoryType,
    text: memory.text,
    category: memory.category,
    key: memory.key,
    value: memory.value,
    tags: memory.tags,
    conversation_id: memory.conversationId,
    who: memory.who,
    occurred_at: iso(memory.occurredAt),
    created_at: iso(memory.createdAt),
    updated_at: iso(memory.updatedAt),
    confidence: memory.confidence,
    source: memory.source,
    importance: memory.importance,
    access_count: memory.accessCount,
    last_accessed: isoOrNull(memory.lastAccessed),
    valid_from: iso(memory.validFrom),
    valid_to: isoOrNull(memory.validTo),
    superseded_by: memory.supersededBy,
    suspect: memory.suspect === null ? null : { reason: memory.suspect.reason, since: iso(memory.suspect.since) },
    source_turn_ids: memory.sourceTurnIds,
    external_id: memory.externalId,
    metadata: memory.metadata,
    project_root: memory.projectRoot,
    ...((memory.buriedAt ?? null) === null ? {} : { buried_at: isoOrNull(memory.buriedAt ?? null) }),
    ...(edits.length === 0 ? {} : { history: edits.map(encodeEdit) }),
  }
}

function encodeEdit({ event, previousText, createdAt }: MemoryEdit): Plain {
  return {
    event,
    ...(previousText === null ? {} : { previous_text: previousText }),
    created_at: iso(createdAt),
  }
}

export function encodeWorkingMemory(working: WorkingMemory): Plain {
  return {
    session_id: working.sessionId,
    current_topic: working.currentTopic,
    context_variables: working.contextVariables,
    turn_count: working.turnCount,
    last_emotion: working.lastEmotion,
    created_at: iso(working.createdAt),
    updated_at: iso(working.updatedAt),
  }
}

export function encodeSessionSummary(summary: SessionSummary): Plain {
  return {
    conversation_id: summary.conversationId,
    title: summary.title,
    snippet: summary.snippet,
    created_at: iso(summary.createdAt),
    updated_at: iso(summary.updatedAt),
    edited: summary.edited,
  }
}

/** The profile's document, with author and source of each statement. */
export function encodeProfile({ text, lines, updatedAt }: Profile): Plain {
  return {
    text,
    updated_at: isoOrNull(updatedAt),
    lines: lines.map((line) => ({
      section: line.section,
      text: line.text,
      source: line.source,
      updated_at: iso(line.updatedAt),
      ...(line.tellings === undefined
        ? {}
        : {
            told_by: line.tellings.map((telling) =>
              'memoryIds' in telling
                ? { memory_ids: telling.memoryIds }
                : { conversation_id: telling.conversationId, turn_ids: telling.turnIds },
            ),
          }),
    })),
  }
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function isoOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : iso(milliseconds)
}
