/** The fields made by thinking follow an edit of a memory's text; the caller's own tags and metadata stay. */
import { isDeepStrictEqual } from 'node:util'
import type { TimeZone } from '../../domain/clock.ts'
import type { MemoryPatch } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { extractFacts } from '../../thinking/facts/extract-facts.ts'
import { slotNamed } from '../../thinking/facts/mentioned-attributes.ts'
import { draftOf } from './draft.ts'

/** Fields of thought-about memories only, by their origin: a message, or several memories. */
const MADE_BY_THINKING = [
  ['thing', 'context', 'chatid'],
  ['fact', 'source_chatid', 'first_seen'],
] as const
/** Characters that are read: nothing that was thought about is longer. */
const LONGEST_READ = 10_000

/** The caller's edit of the memory, with all that follows from it. Nothing more follows where the text was stored as it is. */
export async function withFollowing(memory: Memory, edit: MemoryPatch, zone: TimeZone): Promise<MemoryPatch> {
  const { text } = edit
  if (text === undefined || !isThought(memory.metadata)) return edit
  const [before, after] = [await derivedFrom(memory, memory.text, zone), await derivedFrom(memory, text, zone)]
  const { category, key, value, occurredAt } = after
  const patch = { category, key, value, occurredAt, tags: tagsAfter(memory.tags, before.tags, after.tags), ...edit }
  const wasToldMore = memory.metadata.updates !== undefined
  const made: Metadata = {
    fact: text,
    // The context and later additions belong to the words that are gone.
    context: '',
    separated_label: undefined,
    updates: undefined,
    subjects: after.metadata?.subjects,
    ...(wasToldMore || memory.metadata.thing === before.metadata?.thing ? { thing: after.metadata?.thing } : {}),
    ...(memory.metadata.time === new Date(memory.occurredAt).toISOString()
      ? { time: new Date(patch.occurredAt).toISOString() }
      : {}),
  }
  // Fields set by the edit itself are the caller's.
  const metadata = Object.entries(edit.metadata ?? { subjects: undefined, ...memory.metadata }).map(([field, value]) =>
    field in made && isDeepStrictEqual(value, memory.metadata?.[field]) ? [field, made[field]] : [field, value],
  )
  return { ...patch, metadata: Object.fromEntries(metadata.filter(([, value]) => value !== undefined)) }
}

function isThought(metadata: Metadata | null): metadata is Metadata {
  return metadata !== null && MADE_BY_THINKING.some((fields) => fields.every((field) => field in metadata))
}

/** The thoughts about such a text without a model; of a long text, about its beginning. */
async function derivedFrom(memory: Memory, whole: string, timeZone: TimeZone): Promise<Omit<Memory, 'id'>> {
  const text = whole.slice(0, LONGEST_READ).toWellFormed()
  const { createdAt, category, memoryType, importance, source, confidence, conversationId } = memory
  const facts = extractFacts(text)
  const own = slotNamed(facts[0]?.key ?? '')?.category ?? category
  const parts = { text, memoryType, category: own, importance, source, confidence, facts }
  const message = { role: 'user' as const, content: text, speaker: null, turnId: null, createdAt }
  const input = {
    userId: '',
    conversationId,
    messages: [message],
    now: createdAt,
    maxCharacters: text.length,
    timeZone,
  }
  return (await draftOf({ ...parts, context: '', thing: '', time: null, who: null }, message, input)).memory
}

/** The tags of a caller stay. */
function tagsAfter(tags: readonly string[], before: readonly string[], after: readonly string[]): readonly string[] {
  if (!before.every((tag) => tags.includes(tag))) return tags
  return [...new Set([...after, ...tags.filter((tag) => !before.includes(tag))])]
}
