/**
 * How is an update written into the words of an episode, and taken out again? It is a record in `metadata.updates` and a piece
 * of the text, so that taking it back drops both.
 */
import { isoDay } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { clipped, isMostlyHan, metadataRecords, metadataText } from '../merge/episode-metadata.ts'
import { closed, gap } from '../merge/join-statements.ts'

/** A later telling about an episode. */
export interface ToldUpdate {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly update: string
}

/** An update as an episode records it, and its teller. */
interface RecordedUpdate extends ToldUpdate {
  readonly record: Metadata
  /** The piece as it stands in the text. */
  readonly piece: string
  readonly conversationId: string
  /** null for a message that was not stored. */
  readonly turnId: number | null
}

const LONGEST_THING = 120
const LONGEST_STEP = 60
const STEP = ' → '
const LAST_TOLD = / ?(?:\(last told \d{4}-\d{2}-\d{2}\)|（最近提到 \d{4}-\d{2}-\d{2}）)$/

/** An update as it stands in a text: its day and its words. */
export function pieceOf({ at, update }: ToldUpdate): string {
  return isMostlyHan(update) ? `${isoDay(at)}：${closed(update)}` : `${isoDay(at)}: ${closed(update)}`
}

/** The text with the update behind it. */
export function appendedUpdate(text: string, told: ToldUpdate): string {
  return appended(text, pieceOf(told))
}

/** The text with a piece behind it, and the separator between them. */
function appended(text: string, piece: string): string {
  const before = closed(text)
  return before + gap(before, piece) + piece
}

/** metadata.context with the day of the last update at its end; without one, as it was before the first. */
export function contextAfter(context: string, last: ToldUpdate | null): string {
  const before = context.replace(LAST_TOLD, '')
  if (last === null) return before.trim()
  const day = isoDay(last.at)
  return `${before}${isMostlyHan(last.update) ? `（最近提到 ${day}）` : ` (last told ${day})`}`.trim()
}

/** The value of metadata.thing: its beginning and its latest; `begun` is its value before any update. */
export function thingAfter(thing: string, last: ToldUpdate | null): string {
  const begun = thing.includes(STEP) ? thing.slice(0, thing.indexOf(STEP)) : thing
  if (last === null) return begun
  return begun === ''
    ? clipped(last.update, LONGEST_THING)
    : clipped(begun, LONGEST_STEP) + STEP + clipped(last.update, LONGEST_STEP)
}

/** The updates that an episode records, oldest first. */
export function updatesOf(metadata: Metadata | null): readonly RecordedUpdate[] {
  return metadataRecords(metadata, 'updates').map((record) => {
    const { chat_id: chat, turn_id: turn, time, update: said } = record
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
    const told = { at: Number.isNaN(at) ? 0 : at, update: typeof said === 'string' ? said : '' }
    const conversationId = typeof chat === 'string' ? chat : ''
    return { ...told, record, piece: pieceOf(told), conversationId, turnId: typeof turn === 'number' ? turn : null }
  })
}

/**
 * The episode without some of its updates. `before` is its text before the first of them, by its history, or null; it
 * counts for texts that a model rewrote.
 */
export function withoutUpdates(
  { text, metadata }: Pick<Memory, 'text' | 'metadata'>,
  taken: readonly RecordedUpdate[],
  before: string | null,
): { readonly text: string; readonly metadata: Metadata } {
  const left = updatesOf(metadata).filter(({ record }) => !taken.some((one) => one.record === record))
  const last = left.at(-1) ?? null
  const { updates: _, ...rest } = metadata ?? {}
  const updates = left.length === 0 ? {} : { updates: left.map(({ record }) => record) }
  const isWhole = before === null || taken.every(({ piece }) => text.includes(piece))
  const since = Math.min(...taken.map(({ at }) => at))
  const said = isWhole
    ? taken.reduce(withoutPiece, text)
    : left.filter(({ at }) => at >= since).reduce(appendedUpdate, before)
  const context = contextAfter(isWhole ? metadataText(metadata, 'context') : '', last)
  const thing = thingAfter(isWhole ? metadataText(metadata, 'thing') : clipped(before, LONGEST_THING), last)
  return { text: said, metadata: { ...rest, context, thing, ...updates } }
}

function withoutPiece(text: string, { piece }: RecordedUpdate): string {
  const at = text.lastIndexOf(piece)
  if (at === -1) return text
  const [head, tail] = [text.slice(0, at).trimEnd(), text.slice(at + piece.length).trimStart()]
  return head === '' || tail === '' ? head + tail : appended(head, tail)
}
