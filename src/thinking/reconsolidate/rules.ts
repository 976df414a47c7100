/**
 * EpisodicReconsolidator without a model (002 R4): the user's last message adds statements about the same event to a
 * used memory. Questions, guesses and known things are left out; original words, time, chat and person stay.
 */
import type { MemoryPatch } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import type { Metadata } from '../../domain/turn.ts'
import { metadataRecords, metadataText } from '../merge/episode-metadata.ts'
import { closed, gap } from '../merge/join-statements.ts'
import { newStatements } from './new-statements.ts'
import { appendedUpdate, contextAfter, pieceOf, type ToldUpdate, thingAfter } from './told-again.ts'

/** The conversation in which the memory was used. */
export interface CurrentContext {
  readonly conversationId: string
  /** The last turns, oldest first; the current exchange at the end. */
  readonly turns: readonly ThinkMessage[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** One entry of metadata.updates (002 R4.4). */
export interface MemoryUpdate {
  /** ISO 8601. */
  readonly time: string
  readonly update: string
  /** The turn that brought it; null when it was no stored turn. */
  readonly chat_id: string
  readonly turn_id: number | null
}

/** The fields of a memory that reconsolidation may change: never time, chat, who (002 R4.2). */
export type ReconsolidationPatch = Required<Pick<MemoryPatch, 'text' | 'metadata'>>

/** Longest text; the oldest additions make room, they stay in metadata.updates. */
export const RECONSOLIDATED_CHARACTERS = 2000
/** Updates that are kept, the latest. */
const MOST_UPDATES = 50
const LONGEST_UPDATE = 400

/** The fields of a memory that reconsolidation reads. */
export type ReconsolidationSide = Pick<Memory, 'text' | 'metadata' | 'memoryType' | 'category' | 'validTo'>

/** The change, or null when the conversation adds nothing to this memory. A turn adds at most once. */
export function reconsolidateByRules(
  memory: ReconsolidationSide,
  context: CurrentContext,
): ReconsolidationPatch | null {
  const last = lastUserTurn(context)
  // A wish or an order is no event that goes on.
  const isEvent = memory.memoryType === 'episodic' && memory.category === 'fact'
  if (!isEvent || memory.validTo !== null || last === null) return null
  if (wasTold(memory.metadata, context.conversationId, last.message.turnId)) return null
  const statements = newStatements(memory.text, ownWords(memory), last.message.content, last.before)
  if (statements.length === 0) return null
  return reconsolidationPatch(memory, joined(statements).slice(0, LONGEST_UPDATE).toWellFormed(), context)
}

/**
 * The patch with this update, by rules or model: a piece of the text and a record; everything else of the metadata
 * stays.
 */
export function reconsolidationPatch(
  memory: ReconsolidationSide,
  update: string,
  { conversationId, turns, now }: CurrentContext,
): ReconsolidationPatch {
  const { metadata } = memory
  const told = { at: now, update }
  const record: MemoryUpdate = {
    time: new Date(now).toISOString(),
    update,
    chat_id: conversationId,
    turn_id: turns.findLast(({ role }) => role === 'user')?.turnId ?? null,
  }
  return {
    text: extended(memory, told),
    metadata: {
      ...metadata,
      context: contextAfter(metadataText(metadata, 'context'), told),
      thing: thingAfter(metadataText(metadata, 'thing'), told),
      updates: [...metadataRecords(metadata, 'updates'), record].slice(-MOST_UPDATES),
    },
  }
}

/** The text before the first update in it. */
export function ownWords({ text, metadata }: Pick<Memory, 'text' | 'metadata'>): string {
  const places = toldIn(metadata).map((told) => text.indexOf(pieceOf(told)))
  return text.slice(0, Math.min(text.length, ...places.filter((place) => place > 0)))
}

function toldIn(metadata: Metadata | null): readonly ToldUpdate[] {
  return metadataRecords(metadata, 'updates').flatMap(({ time, update }) =>
    typeof time === 'string' && typeof update === 'string' ? [{ at: Date.parse(time), update }] : [],
  )
}

function lastUserTurn({ turns }: CurrentContext): { message: ThinkMessage; before: readonly ThinkMessage[] } | null {
  const at = turns.findLastIndex(({ role }) => role === 'user')
  const message = turns[at]
  return message === undefined ? null : { message, before: turns.slice(0, at) }
}

function wasTold(metadata: Metadata | null, conversationId: string, turnId: number | null): boolean {
  return (
    turnId !== null &&
    metadataRecords(metadata, 'updates').some(
      ({ chat_id, turn_id }) => chat_id === conversationId && turn_id === turnId,
    )
  )
}

/** The text with the update behind it; while that is too long, without the oldest ones. */
function extended({ text, metadata }: ReconsolidationSide, told: ToldUpdate): string {
  let before = text
  for (const earlier of toldIn(metadata)) {
    if (before.length + pieceOf(told).length < RECONSOLIDATED_CHARACTERS) break
    before = before.replace(pieceOf(earlier), () => '').trimEnd()
  }
  return appendedUpdate(before, told)
}

function joined(statements: readonly string[]): string {
  return statements.map(closed).reduce((all, text) => all + gap(all, text) + text, '')
}
