/**
 * Which fields stand in the metadata of an episode (002 R2.3, R4.4, R5.4)? Metadata is free JSON: a field of another
 * shape counts as absent.
 */
import type { EpisodeSource, Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { upToSecret } from '../../language/secrets/mask-secrets.ts'
import { isObject } from '../model-answers/parse-answer.ts'

/** A text field, '' when absent. */
export function metadataText(metadata: Metadata | null, field: string): string {
  const value = metadata?.[field]
  return typeof value === 'string' ? value.trim() : ''
}

/** A list of texts; other values are left out. */
export function metadataTexts(metadata: Metadata | null, field: string): readonly string[] {
  const value: unknown = metadata?.[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The records of updates (002 R4.4); other values are left out. */
export function metadataRecords(metadata: Metadata | null): readonly Metadata[] {
  const value: unknown = metadata?.updates
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** metadata.time as it stands, or occurredAt as ISO 8601. */
export function eventTime({ metadata, occurredAt }: Pick<Memory, 'metadata' | 'occurredAt'>): string | number {
  const time = metadata?.time
  const isTime = typeof time === 'number' || typeof time === 'string'
  return isTime && !Number.isNaN(new Date(time).getTime()) ? time : new Date(occurredAt).toISOString()
}

/** Start of the event in milliseconds. */
export function eventStart(memory: Pick<Memory, 'metadata' | 'occurredAt'>): number {
  return new Date(eventTime(memory)).getTime()
}

/** Sources with each conversation once, its turns in order. */
export function joinSources(sources: readonly EpisodeSource[]): readonly EpisodeSource[] {
  const turns = new Map<string | null, readonly number[]>()
  for (const { conversation_id, turn_ids } of sources)
    turns.set(conversation_id, [...new Set([...(turns.get(conversation_id) ?? []), ...turn_ids])])
  return [...turns].map(([conversation_id, ids]) => ({
    conversation_id,
    turn_ids: ids.toSorted((x, y) => x - y),
  }))
}

/** The text as it was before any separation by rules. */
export function withoutLabel({ text, metadata }: Pick<Memory, 'text' | 'metadata'>): string {
  return bare(text, metadata)
}

/** A text field without the label of a separation. */
export function bareText(metadata: Metadata | null, field: string): string {
  return bare(metadataText(metadata, field), metadata)
}

function bare(text: string, metadata: Metadata | null): string {
  const label = metadataText(metadata, 'separated_label')
  return label !== '' && text.startsWith(label) ? text.slice(label.length).trimStart() : text
}

/** A text of at most so many characters, cut between words and through no secret. */
export function clip(text: string, longest: number): string {
  const characters = [...text]
  if (characters.length <= longest) return text
  const whole = characters.slice(0, longest - 1).join('')
  const cut = upToSecret(whole, text)
  return `${/[A-Za-z0-9]$/.test(cut) ? cut.replace(/\s{1,40}\S{0,200}$/, '') : cut}…`
}

/** true for a text with more Han characters than words in Latin letters. */
export function isMostlyHan(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return han > (text.match(/[A-Za-z]+/g)?.length ?? 0)
}
