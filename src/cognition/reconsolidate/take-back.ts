/**
 * What did an episode say before a conversation added to it (002 R4)? When that conversation is taken back, so is what it
 * added: the text from before holds again, with what others have added since.
 */
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { splitSentences } from '../../text/sentences.ts'
import { shareFound, tellingTerms } from '../answers/grounding.ts'
import { metadataRecords, metadataText } from '../merge/episode-metadata.ts'
import { appended, appendedUpdate, clippedThing, contextAfter, type ToldUpdate, thingAfter } from './told-again.ts'

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

/** A sentence with this share of an update's telling words says it again. */
const SAYS_UPDATE = 0.5

/** When the first of the updates that are taken back was added, in milliseconds; null when there is none. */
export function firstTaken({ metadata }: UpdatedEpisode, isTaken: (origin: UpdateOrigin) => boolean): number | null {
  const { taken } = parted(metadata, isTaken)
  return taken.length === 0 ? null : Math.min(...taken.map(({ at }) => at))
}

/**
 * The episode as it would be. `before`: its text before the first of them was added, as its history has it; null where
 * that is not known, as of one that was merged since: then the sentences leave that say what they added. null when
 * nothing is left of it.
 */
export function withoutUpdates(
  { text, metadata }: UpdatedEpisode,
  isTaken: (origin: UpdateOrigin) => boolean,
  before: string | null,
): EpisodeBefore | null {
  const { taken, left } = parted(metadata, isTaken)
  const since = Math.min(...taken.map(({ at }) => at))
  const base = before ?? withoutSentencesOf(text, taken)
  if (base === '') return null
  // Where the text from before is not known, what others added is in it already.
  const later = before === null ? [] : left.filter(({ at }) => at >= since)
  const last = left.at(-1) ?? null
  const { updates: _, ...rest } = metadata ?? {}
  const words = fieldsBefore(metadata, base, taken, last)
  const updates = left.length === 0 ? {} : { updates: left.map(({ record }) => record) }
  return { text: later.reduce(appendedUpdate, base), metadata: { ...rest, ...words, ...updates } }
}

/** `context` and `thing`; what a model wrote into them may be what is taken back. */
function fieldsBefore(
  metadata: Metadata | null,
  base: string,
  taken: readonly Told[],
  last: Told | null,
): { readonly context: string; readonly thing: string } {
  const own = tellingTerms(base)
  const isOfTaken = (field: string): boolean => {
    const terms = tellingTerms(field)
    return taken.some(({ update }) => [...tellingTerms(update)].some((term) => terms.has(term) && !own.has(term)))
  }
  const context = contextAfter(metadataText(metadata, 'context'), null)
  const thing = thingAfter(metadataText(metadata, 'thing'), null)
  return {
    context: contextAfter(isOfTaken(context) ? '' : context, last),
    thing: thingAfter(isOfTaken(thing) ? clippedThing(base) : thing, last),
  }
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

function withoutSentencesOf(text: string, taken: readonly Told[]): string {
  return splitSentences(text)
    .filter((sentence) => {
      const terms = tellingTerms(sentence)
      return !taken.some(({ update }) => (shareFound(update, terms) ?? 0) >= SAYS_UPDATE)
    })
    .reduce((said, sentence) => (said === '' ? sentence : appended(said, sentence)), '')
}
