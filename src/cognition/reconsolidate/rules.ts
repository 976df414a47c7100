/**
 * EpisodicReconsolidator without a model (002 R4): what the user's last message adds to a memory that was used. Only a
 * message about the same event adds something, and only statements: never the question, a guess, or what is known.
 * The original words stay in front; time, chat and person are never touched.
 */

import type { Memory } from '../../domain/memory.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import type { Metadata } from '../../domain/turn.ts'
import { metadataRecords, metadataText } from '../merge/episode-metadata.ts'
import { closed, gap } from '../merge/join-statements.ts'
import { newStatements } from './new-statements.ts'
import { appended, contextAfter, thingAfter, updatePiece } from './told-again.ts'
import type { CurrentContext, MemoryUpdate, ReconsolidatedWords, ReconsolidationPatch } from './types.ts'

/** Longest text; the oldest additions make room, they stay in metadata.updates. */
export const RECONSOLIDATED_CHARACTERS = 2000
/** Updates that are kept, the latest. */
const MOST_UPDATES = 50
const LONGEST_UPDATE = 400

/** What reconsolidation reads of a memory. */
export type ReconsolidationSide = Pick<Memory, 'text' | 'metadata' | 'memoryType' | 'validTo'>

/** The change, or null when the conversation adds nothing to this memory. The same turn adds once. */
export function reconsolidateByRules(
  memory: ReconsolidationSide,
  context: CurrentContext,
): ReconsolidationPatch | null {
  const words = reconsolidatedWordsByRules(memory, context)
  return words === null ? null : reconsolidationPatch(memory, words, context)
}

/** The changed words alone; null when there is nothing new. */
function reconsolidatedWordsByRules(memory: ReconsolidationSide, context: CurrentContext): ReconsolidatedWords | null {
  const last = lastUserTurn(context)
  if (memory.memoryType !== 'episodic' || memory.validTo !== null || last === null) return null
  if (wasTold(memory.metadata, context.conversationId, last.message.turnId)) return null
  const statements = newStatements(memory.text, last.message.content, last.before)
  if (statements.length === 0) return null
  const update = joined(statements).slice(0, LONGEST_UPDATE).toWellFormed()
  const told = { at: context.now, update }
  return {
    text: extended(memory, updatePiece(new Date(context.now).toISOString().slice(0, 10), update)),
    context: contextAfter(metadataText(memory.metadata, 'context'), told),
    thing: thingAfter(metadataText(memory.metadata, 'thing'), told),
    update,
  }
}

/** The patch with these words, whoever wrote them: everything else of the metadata stays, and the update is noted. */
export function reconsolidationPatch(
  memory: ReconsolidationSide,
  words: ReconsolidatedWords,
  { conversationId, turns, now }: CurrentContext,
): ReconsolidationPatch {
  const turnId = turns.findLast(({ role }) => role === 'user')?.turnId ?? null
  const update: MemoryUpdate = {
    time: new Date(now).toISOString(),
    update: words.update,
    chat_id: conversationId,
    turn_id: turnId,
  }
  return {
    text: words.text,
    metadata: {
      ...memory.metadata,
      context: words.context,
      thing: words.thing,
      updates: [...metadataRecords(memory.metadata, 'updates'), update].slice(-MOST_UPDATES),
    },
  }
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

/** The text with the addition behind it; while that is too long, without the oldest additions. */
function extended({ text, metadata }: ReconsolidationSide, addition: string): string {
  let before = text
  for (const { time, update } of metadataRecords(metadata, 'updates')) {
    if (before.length + addition.length < RECONSOLIDATED_CHARACTERS) break
    if (typeof time === 'string' && typeof update === 'string')
      before = before.replace(updatePiece(time.slice(0, 10), update), () => '').trimEnd()
  }
  return appended(before, addition)
}

function joined(statements: readonly string[]): string {
  return statements.map(closed).reduce((all, text) => all + gap(all, text) + text, '')
}
