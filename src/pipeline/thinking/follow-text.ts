/**
 * What else of a memory changes when its text is edited? What was made from the text when it was thought about (subject,
 * value, tags, day, the words in its metadata) is made from the new one. What the caller set stays as it was set.
 */
import { isDeepStrictEqual } from 'node:util'
import { tellingTerms } from '../../cognition/answers/grounding.ts'
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { slotNamed } from '../../cognition/facts/topics.ts'
import { metadataRecords } from '../../cognition/merge/episode-metadata.ts'
import type { MemoryPatch } from '../../contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { draftOf } from './draft.ts'

/** Fields that only a memory has which was thought about, by what made it: a message, or several memories. */
const MADE_BY_THINKING = [
  ['thing', 'context', 'chatid'],
  ['fact', 'source_chatid', 'first_seen'],
] as const
/** Characters that are read: nothing that was thought about is longer. */
const LONGEST_READ = 10_000
/** Metadata that repeats the text, or its beginning. */
const REPEATING = ['thing', 'fact'] as const
/** Metadata in words of its own, which may be those of the text. */
const ABOUT = ['context', 'separated_label'] as const

/** The caller's edit of the memory, with all that follows from it. Nothing more follows where the text stays, or was stored as it is. */
export async function withFollowing(memory: Memory, edit: MemoryPatch): Promise<MemoryPatch> {
  const { text } = edit
  if (text === undefined || text === memory.text || !isThought(memory.metadata)) return edit
  const [before, after] = [await derivedFrom(memory, memory.text), await derivedFrom(memory, text)]
  const gone = tellingTerms(memory.text).difference(tellingTerms(text))
  const saysGone = (words: unknown): boolean => typeof words === 'string' && !tellingTerms(words).isDisjointFrom(gone)
  const isOwn = (field: 'category' | 'occurredAt'): boolean => isDeepStrictEqual(memory[field], before[field])
  const isKeyOwn =
    (memory.key === before.key && isDeepStrictEqual(memory.value, before.value)) || saysGone(memory.value)
  const own: MemoryPatch = {
    ...(isOwn('category') ? { category: after.category } : {}),
    ...(isOwn('occurredAt') ? { occurredAt: after.occurredAt } : {}),
    ...(isKeyOwn ? { key: after.key, value: after.value } : {}),
    tags: tagsAfter(memory.tags, before.tags, after.tags).filter((tag) => !saysGone(tag)),
  }
  const patch = { ...own, ...edit }
  const metadata = metadataAfter(memory, edit, { before, after, text, saysGone })
  // Its time is the event's, as Mneme wrote it.
  const isTimed = metadata.time === new Date(memory.occurredAt).toISOString()
  const { occurredAt = memory.occurredAt } = patch
  return { ...patch, metadata: isTimed ? { ...metadata, time: new Date(occurredAt).toISOString() } : metadata }
}

function isThought(metadata: Metadata | null): boolean {
  return metadata !== null && MADE_BY_THINKING.some((fields) => fields.every((field) => field in metadata))
}

type Derived = Pick<Memory, 'category' | 'key' | 'value' | 'tags' | 'occurredAt' | 'metadata'>

/** What thinking without a model makes of such a text, of a long one of its beginning. */
async function derivedFrom(memory: Memory, whole: string): Promise<Derived> {
  const text = whole.slice(0, LONGEST_READ).toWellFormed()
  const { createdAt, category, memoryType, importance, source, confidence, conversationId } = memory
  const facts = extractFacts(text, { who: 'user', now: createdAt })
  const own = slotNamed(facts[0]?.key ?? '')?.category ?? category
  const parts = { text, memoryType, category: own, importance, source, confidence, facts }
  const message = { role: 'user' as const, content: text, speaker: null, turnId: null, createdAt }
  const input = { userId: '', conversationId, messages: [message], now: createdAt, maxCharacters: text.length }
  return (await draftOf({ ...parts, context: '', thing: '', time: null, who: null }, message, input)).memory
}

/** Tags that a caller set, or that came from what it replaced, stay. */
function tagsAfter(tags: readonly string[], before: readonly string[], after: readonly string[]): readonly string[] {
  const isOwn = before.every((tag) => tags.includes(tag)) && (before.length > 0 || tags.length === 0)
  return isOwn ? [...new Set([...after, ...tags.filter((tag) => !before.includes(tag))])] : tags
}

function metadataAfter(
  memory: Memory,
  edit: MemoryPatch,
  {
    before,
    after,
    text,
    saysGone,
  }: {
    readonly before: Derived
    readonly after: Derived
    readonly text: string
    readonly saysGone: (words: unknown) => boolean
  },
): Metadata {
  const metadata: Record<string, unknown> = { ...(edit.metadata ?? memory.metadata) }
  // What the edit itself sets to something else is the caller's.
  const isKept = (field: string): boolean => field in metadata && metadata[field] === memory.metadata?.[field]
  for (const field of REPEATING)
    if (isKept(field) && (metadata[field] === before.metadata?.thing || saysGone(metadata[field])))
      metadata[field] = field === 'fact' ? text : after.metadata?.thing
  for (const field of ABOUT) if (isKept(field) && saysGone(metadata[field])) metadata[field] = ''
  const updates = metadataRecords(metadata, 'updates')
  if (updates.length > 0) metadata.updates = updates.filter(({ update }) => !saysGone(update))
  return metadata
}
