/**
 * What does an episode say without what a conversation added to it (002 R4)? Each addition is a record in `metadata.updates`
 * and a piece of the text: taking it back drops both.
 */
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { metadataRecords, metadataText, metadataTexts } from '../merge/episode-metadata.ts'
import {
  appended,
  appendedUpdate,
  clippedThing,
  contextAfter,
  pieceOf,
  type ToldUpdate,
  thingAfter,
} from './told-again.ts'

/** What is read of the episode. */
export type UpdatedEpisode = Pick<Memory, 'text' | 'metadata'>

/** Who told an update, by `metadata.updates`. */
export interface UpdateOrigin {
  readonly conversationId: string
  /** null for a message that was not stored. */
  readonly turnId: number | null
}

/** The episode without the updates that are taken back. */
export interface EpisodeBefore {
  readonly text: string
  readonly metadata: Metadata
}

interface Told extends ToldUpdate {
  readonly record: Metadata
}

/** When the first of the updates that are taken back was added, in milliseconds; null when there is none. */
export function firstTaken({ metadata }: UpdatedEpisode, isTaken: (origin: UpdateOrigin) => boolean): number | null {
  const { taken } = parted(metadata, isTaken)
  return taken.length === 0 ? null : Math.min(...taken.map(({ at }) => at))
}

/** Whether the updates stand in a text that was merged since in other words, so that nobody can take them out of it. */
export function isMixedWith({ text, metadata }: UpdatedEpisode, isTaken: (origin: UpdateOrigin) => boolean): boolean {
  const { taken } = parted(metadata, isTaken)
  return metadataTexts(metadata, 'merged_from_ids').length > 0 && !taken.every((one) => text.includes(pieceOf(one)))
}

/**
 * The episode as it would be. `before`: its text before the first of them was added, as its history has it. It counts for
 * what earlier versions had a model write anew; null where that is not known.
 */
export function withoutUpdates(
  { text, metadata }: UpdatedEpisode,
  isTaken: (origin: UpdateOrigin) => boolean,
  before: string | null,
): EpisodeBefore {
  const { taken, left } = parted(metadata, isTaken)
  const { updates: _, ...rest } = metadata ?? {}
  const last = left.at(-1) ?? null
  const updates = left.length === 0 ? {} : { updates: left.map(({ record }) => record) }
  if (before === null || taken.every((one) => text.includes(pieceOf(one)))) {
    const context = contextAfter(metadataText(metadata, 'context'), last)
    const thing = thingAfter(metadataText(metadata, 'thing'), last)
    return { text: taken.reduce(withoutPiece, text), metadata: { ...rest, context, thing, ...updates } }
  }
  const since = Math.min(...taken.map(({ at }) => at))
  return {
    text: left.filter(({ at }) => at >= since).reduce(appendedUpdate, before),
    metadata: { ...rest, context: contextAfter('', last), thing: thingAfter(clippedThing(before), last), ...updates },
  }
}

function withoutPiece(text: string, told: Told): string {
  const at = text.lastIndexOf(pieceOf(told))
  if (at === -1) return text
  const [head, tail] = [text.slice(0, at).trimEnd(), text.slice(at + pieceOf(told).length).trimStart()]
  return head === '' || tail === '' ? head + tail : appended(head, tail)
}

function parted(
  metadata: Metadata | null,
  isTaken: (origin: UpdateOrigin) => boolean,
): { readonly taken: readonly Told[]; readonly left: readonly Told[] } {
  const taken: Told[] = []
  const left: Told[] = []
  for (const record of metadataRecords(metadata, 'updates')) {
    const { chat_id: chat, turn_id: turn, time, update } = record
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
    const told = { record, update: typeof update === 'string' ? update : '', at: Number.isNaN(at) ? 0 : at }
    const origin = {
      conversationId: typeof chat === 'string' ? chat : '',
      turnId: typeof turn === 'number' ? turn : null,
    }
    if (isTaken(origin)) taken.push(told)
    else left.push(told)
  }
  return { taken, left }
}
