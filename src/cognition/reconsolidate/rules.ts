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
import type { CurrentContext, MemoryUpdate, ReconsolidatedWords, ReconsolidationPatch } from './types.ts'

/** Longest text; the oldest additions make room, they stay in metadata.updates. */
export const RECONSOLIDATED_CHARACTERS = 2000
/** Updates that are kept, the latest. */
const MOST_UPDATES = 50
const LONGEST_UPDATE = 400
const LONGEST_THING = 120
const LONGEST_STEP = 60
const STEP = ' → '
const LAST_TOLD = / ?(?:\(last told \d{4}-\d{2}-\d{2}\)|（最近提到 \d{4}-\d{2}-\d{2}）)$/

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
  const day = new Date(context.now).toISOString().slice(0, 10)
  const chinese = isHan(update)
  const thing = metadataText(memory.metadata, 'thing')
  const begun = thing.includes(STEP) ? thing.slice(0, thing.indexOf(STEP)) : thing
  const contextBefore = metadataText(memory.metadata, 'context').replace(LAST_TOLD, '')
  return {
    text: extended(memory, pieceOf(day, update)),
    context: `${contextBefore}${chinese ? `（最近提到 ${day}）` : ` (last told ${day})`}`.trim(),
    thing:
      begun === ''
        ? clipped(update, LONGEST_THING)
        : clipped(begun, LONGEST_STEP) + STEP + clipped(update, LONGEST_STEP),
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
      before = before.replace(pieceOf(time.slice(0, 10), update), () => '').trimEnd()
  }
  const closedBefore = closed(before)
  return closedBefore + gap(closedBefore, addition) + addition
}

function pieceOf(day: string, update: string): string {
  return isHan(update) ? `${day}：${closed(update)}` : `${day}: ${closed(update)}`
}

function joined(statements: readonly string[]): string {
  return statements.map(closed).reduce((all, text) => all + gap(all, text) + text, '')
}

function clipped(text: string, longest: number): string {
  const characters = [...text]
  if (characters.length <= longest) return text
  const cut = characters.slice(0, longest - 1).join('')
  return `${/[A-Za-z0-9]$/.test(cut) ? cut.replace(/\s+\S*$/, '') : cut}…`
}

function isHan(text: string): boolean {
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) > (text.match(/[A-Za-z]+/g)?.length ?? 0)
}
