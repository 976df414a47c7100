/**
 * How does a line that a person wrote into the file become a memory? In their words, with the highest confidence and
 * importance; it may end older memories, but none that stands in the file.
 */

import { MnemeError } from '../domain/errors.ts'
import { MOST_IMPORTANT, STATED_CONFIDENCE } from '../domain/limits.ts'
import type { Memory } from '../domain/memory.ts'
import type { MemoryFileSection } from '../domain/memory-file.ts'
import { foldedText } from '../language/duplicates.ts'
import { extractFacts } from '../thinking/facts/extract-facts.ts'
import { memorySearchTerms } from '../usecases/memories-terms.ts'
import { draftOf } from '../usecases/think/draft.ts'
import { type Plan, planChanges } from '../usecases/think/plan-changes.ts'
import { type MemoryReads, readsOf } from '../usecases/think/related-memories.ts'
import type { NotesDependencies } from './dependencies.ts'

/** Ids of memories, of which nobody needs a list. */
type SomeIds = Pick<ReadonlySet<string>, 'has'>

/** A line to remember. */
interface PersonsLine {
  readonly text: string
  readonly section: MemoryFileSection | null
  /** Ids of memories that it must leave alone: those of other lines. */
  readonly leave: SomeIds
  /** The memory whose place it takes. */
  readonly replaces: Memory | null
  readonly now: number
}

const MOST_ATTEMPTS = 20
const MOST_TWINS = 20
/**
 * The longest text, in characters, that is compared; a longer one could not end or repeat another memory, and takes
 * seconds.
 */
const LONGEST_COMPARED = 20_000
const PERSON = { source: 'user_stated', importance: MOST_IMPORTANT, suspect: null } as const

/** Remembers it; the memory that says it now. */
export async function rememberLine(
  { store: { memories }, newId, maxCharacters }: NotesDependencies,
  userId: string,
  { text, section, leave, replaces, now }: PersonsLine,
): Promise<Memory> {
  const parts = {
    text,
    memoryType: 'semantic',
    category: section === 'preferences' ? 'preference' : 'fact',
    importance: MOST_IMPORTANT,
    source: 'user_stated',
    confidence: STATED_CONFIDENCE,
    facts: extractFacts(text, { who: 'user', now }),
    context: '',
    thing: '',
    time: null,
    who: null,
  } as const
  const message = { role: 'user', content: text, speaker: null, turnId: null, createdAt: now } as const
  // The person's words are never cut.
  const most = Math.max(text.length, await maxCharacters())
  const heard = await draftOf(parts, message, { userId, conversationId: null, messages: [], now, maxCharacters: most })
  const draft = { ...heard, memory: { ...heard.memory, projectRoot: replaces?.projectRoot ?? null } }
  const reads = without(readsOf(memories), { has: (id) => id === replaces?.id || leave.has(id) })
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const plan: Plan =
      text.length > LONGEST_COMPARED
        ? alone({ ...draft.memory, id: newId() })
        : await planChanges(reads, userId, [draft], newId, now)
    const said = plan.outcomes[0]!.memory
    const isNew = plan.insert.some(({ id }) => id === said.id)
    // A line of the file holds, even if it tells of the past.
    const insert = plan.insert.map((one) =>
      one.id === said.id ? { ...one, ...PERSON, validTo: null, supersededBy: null } : one,
    )
    const again = { id: said.id, patch: { ...PERSON, confidence: STATED_CONFIDENCE }, event: 'UPDATE' as const }
    const isReplaced = replaces !== null && replaces.supersededBy === null && replaces.id !== said.id
    const update = [
      ...plan.update.filter(({ id }) => id !== said.id),
      ...(isNew ? [] : [again]),
      ...(isReplaced
        ? [
            {
              id: replaces.id,
              patch: { validTo: Math.max(replaces.validFrom, now), supersededBy: said.id, suspect: null },
              event: 'SUPERSEDE' as const,
            },
          ]
        : []),
    ]
    if (await memories.apply(userId, revision, { insert, update, remove: [], at: now }))
      return (await memories.get(userId, said.id)) ?? said
  }
  throw new MnemeError('conflict', 'The memory was changed by others all the time.', { remedy: 'Run it again.' })
}

/** A plan for a memory that comes in beside everything else. */
function alone(said: Memory): Plan {
  return { insert: [said], update: [], outcomes: [{ memory: said, event: 'ADD', superseded: [], doubted: [] }] }
}

/** Ends the memory of a line that the person took out, and every other one with the very same text. */
export async function endMemory(
  { store: { memories } }: NotesDependencies,
  userId: string,
  memory: Memory,
  leave: SomeIds,
  now: number,
): Promise<void> {
  const words = foldedText(memory.text)
  const terms = memorySearchTerms(memory.text.slice(0, LONGEST_COMPARED), null)
  const { matches } = await readsOf(memories).find(userId, terms, {}, MOST_TWINS)
  const twins = matches
    .map((match) => match.memory)
    .filter(({ id, text }) => id !== memory.id && !leave.has(id) && foldedText(text) === words)
  for (const one of [memory, ...twins])
    await memories.update(userId, one.id, { validTo: Math.max(one.validFrom, now), suspect: null }, now)
}

/** The memories without some of them. */
function without(memories: MemoryReads, ids: SomeIds): MemoryReads {
  return {
    get: async (userId, id) => (ids.has(id) ? null : memories.get(userId, id)),
    find: async (...asked) => {
      const { matches, method } = await memories.find(...asked)
      return { matches: matches.filter(({ memory }) => !ids.has(memory.id)), method }
    },
    list: async (...asked) => {
      const { items, total } = await memories.list(...asked)
      return { items: items.filter(({ id }) => !ids.has(id)), total }
    },
  }
}
