/**
 * How does a line that a person wrote into the file become a memory? In the person's words, as sure and as important as
 * anything can be. It may end what was known before, but nothing that stands in the file beside it.
 */
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { categoryOf } from '../../cognition/notes/section-of.ts'
import type { EntryMemory } from '../../contracts/memory-file-ledger.ts'
import { MnemeError } from '../../domain/errors.ts'
import { MOST_IMPORTANT, STATED_CONFIDENCE } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import type { MemoryFileSection } from '../../domain/memory-file.ts'
import { matchMemories } from '../../search/match-memories.ts'
import { foldedText } from '../../text/duplicates.ts'
import { memorySearchTerms } from '../memories-terms.ts'
import { draftOf } from '../thinking/draft.ts'
import { type Plan, planChanges } from '../thinking/plan-changes.ts'
import { type MemoryReads, readsOf } from '../thinking/related-memories.ts'
import type { Draft } from '../thinking/thoughts.ts'
import type { MemoryFileDependencies } from './dependencies.ts'

/** Ids of memories, of which nobody needs a list. */
export type SomeIds = Pick<ReadonlySet<string>, 'has'>

/** A line to remember. */
export interface PersonsLine {
  readonly text: string
  readonly section: MemoryFileSection | null
  /** Ids of memories that it must leave alone: what other lines say, and what it takes the place of. */
  readonly leave: SomeIds
  /** The memory whose place it takes. */
  readonly replaces?: EntryMemory
  readonly now: number
}

const MOST_ATTEMPTS = 20
/** Characters. What is longer states nothing that could end or repeat another memory, and comparing it takes seconds. */
const LONGEST_COMPARED = 20_000
const PERSON = { source: 'user_stated', importance: MOST_IMPORTANT, suspect: null } as const

/** Remembers it; the memory that says it now. */
export async function rememberLine(
  { store, newId, maxCharacters }: MemoryFileDependencies,
  userId: string,
  { text, section, leave, replaces, now }: PersonsLine,
): Promise<Memory> {
  const { memories } = store
  const draft = await draftOf(
    {
      text,
      memoryType: 'semantic',
      category: categoryOf(section),
      importance: MOST_IMPORTANT,
      source: 'user_stated',
      confidence: STATED_CONFIDENCE,
      facts: extractFacts(text, { who: 'user', now }),
      context: '',
      thing: '',
      time: null,
      who: null,
    },
    { role: 'user', content: text, speaker: null, turnId: null, createdAt: now },
    // What the person wrote is never cut.
    { userId, conversationId: null, messages: [], now, maxCharacters: Math.max(text.length, await maxCharacters()) },
  )
  const reads = without(readsOf(memories), { has: (id) => id === replaces?.id || leave.has(id) })
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const plan =
      text.length > LONGEST_COMPARED ? alone(draft, newId) : await planChanges(reads, userId, [draft], newId, now)
    const said = plan.outcomes[0]!.memory
    const isNew = plan.insert.some(({ id }) => id === said.id)
    const insert = plan.insert.map((one) =>
      // What stands in the file holds, even if it tells of the past.
      one.id === said.id ? { ...one, ...PERSON, validTo: null, supersededBy: null } : one,
    )
    const update = [
      ...plan.update.filter(({ id }) => id !== said.id),
      ...(isNew
        ? []
        : [{ id: said.id, patch: { ...PERSON, confidence: STATED_CONFIDENCE }, event: 'UPDATE' as const }]),
      ...(replaces === undefined || replaces.supersededBy !== null || replaces.id === said.id
        ? []
        : [
            {
              id: replaces.id,
              patch: { validTo: Math.max(replaces.validFrom, now), supersededBy: said.id, suspect: null },
              event: 'SUPERSEDE' as const,
            },
          ]),
    ]
    if (await memories.apply(userId, revision, { insert, update, remove: [], at: now }))
      return (await memories.get(userId, said.id)) ?? said
  }
  throw new MnemeError('conflict', 'The memory was changed by others all the time.', { remedy: 'Run it again.' })
}

/** It comes in beside everything else. */
function alone({ memory }: Draft, newId: () => string): Plan {
  const said = { ...memory, id: newId() }
  return { insert: [said], update: [], outcomes: [{ memory: said, event: 'ADD', superseded: [], doubted: [] }] }
}

/** Ends what the person took out of the file, and what says the very same. */
export async function endMemory(
  { store }: MemoryFileDependencies,
  userId: string,
  memory: EntryMemory,
  leave: SomeIds,
  now: number,
): Promise<void> {
  const { memories } = store
  const words = foldedText(memory.text)
  const { matches } = await matchMemories(
    memories,
    userId,
    memorySearchTerms(memory.text.slice(0, LONGEST_COMPARED), null),
    {},
    MOST_TWINS,
  )
  const twins = matches
    .map((match) => match.memory)
    .filter(({ id, text }) => !leave.has(id) && foldedText(text) === words)
  const ended = new Map([memory, ...twins].map((twin) => [twin.id, twin]))
  for (const one of ended.values())
    await memories.update(userId, one.id, { validTo: Math.max(one.validFrom, now), suspect: null }, now)
}

const MOST_TWINS = 20

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
