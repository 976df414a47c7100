/**
 * One user's story in a real store: what is said is stored as a memory, what it changes is marked by the rules of
 * `cognition/change`, and the question goes through the real search, widened by the topics that it asks for. Written so
 * that `memory.add(text)` and `memory.search(question)` can take the place of `say` and `ask`.
 */
import { openSqliteStore } from '../../src/adapters/sqlite/open-store.ts'
import { relateAll } from '../../src/cognition/change/relate.ts'
import type { Statement } from '../../src/cognition/change/statement.ts'
import { askedOf, isAboutAsked } from '../../src/cognition/facts/asked.ts'
import { extractFacts } from '../../src/cognition/facts/extract-facts.ts'
import { stanceOf } from '../../src/cognition/facts/stance.ts'
import { topicsOf } from '../../src/cognition/facts/topics.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { searchMemories } from '../../src/pipeline/memories-search.ts'

/** A memory as the bench sees it. */
export interface Shown {
  readonly text: string
  readonly past: boolean
  readonly suspect: boolean
  /** Why it is as it is. */
  readonly note: string
}

/** A story that is being told. */
export interface StoryTelling {
  say(text: string, at: number): Promise<void>
  /** Results, best first. */
  ask(question: string, now: number): Promise<readonly Shown[]>
  everything(): Promise<readonly Shown[]>
  close(): Promise<void>
}

const USER = 'teller'
/** What a doubtful memory counts. */
const DOUBTFUL = 0.6
const MOST_COMPARED = 30

/** Opens an empty memory. `recency`: where no word and no topic matches, the newest memories answer. */
export async function openStory(recency: boolean): Promise<StoryTelling> {
  const clock = (): Date => new Date()
  const store = await openSqliteStore({ path: ':memory:', create: true, clock, logger: silentLogger })
  const { memories, workingMemory } = store
  const notes = new Map<string, string>()
  const list = async (includePast: boolean): Promise<readonly Memory[]> =>
    (await memories.list(USER, { limit: MOST_COMPARED, offset: 0, filter: { includePast } })).items
  const shown = (memory: Memory): Shown => ({
    text: memory.text,
    past: memory.validTo !== null,
    suspect: memory.suspect !== null,
    note: `${notes.get(memory.id) ?? ''} ${memory.tags.join(',')}`,
  })
  let number = 0

  return {
    async say(text, at) {
      const olders = await list(false)
      const newer = statement(text, at, [])
      const relations = relateAll(newer, olders.map(ofMemory))
      const id = `m${++number}`
      const inherited = new Set(topicsOfStatement(newer))
      for (const [index, { relation, reason }] of relations.entries()) {
        const older = olders[index]!
        notes.set(older.id, `${notes.get(older.id) ?? ''} ${id} ${relation}: ${reason};`)
        if (relation === 'supersedes' || relation === 'corrects' || relation === 'ends') {
          for (const tag of older.tags) inherited.add(tag)
          await memories.update(USER, older.id, { validTo: at, supersededBy: id }, at)
        } else if (relation === 'doubts') {
          await memories.update(USER, older.id, { suspect: { reason, since: at } }, at)
        }
      }
      const facts = newer.facts ?? []
      const told = stanceOf(text).past && !stanceOf(text).corrects
      await memories.insert(USER, [
        memory(id, text, at, {
          tags: [...inherited],
          key: facts[0]?.key ?? null,
          value: facts[0]?.value ?? null,
          validTo: told ? at : null,
        }),
      ])
    },
    async ask(question, now) {
      const asked = askedOf(question)
      const dependencies = { memories, workingMemory, clock: () => new Date(now), retrievalLimit: 5 }
      const { results } = await searchMemories(dependencies, [question, ...asked.topics].join('\n'), { userId: USER })
      if (recency && results.length === 0)
        return (await list(false)).toSorted((a, b) => b.createdAt - a.createdAt).map(shown)
      // A memory about somebody else does not answer a question about the user when one about the user does.
      const meant = results.some(({ memory }) => isAboutAsked(memory.text, asked))
      return results
        .filter(({ memory }) => !meant || isAboutAsked(memory.text, asked))
        .map((found) => ({ ...found, score: found.score * (found.memory.suspect === null ? 1 : DOUBTFUL) }))
        .sort((a, b) => b.score - a.score || b.memory.updatedAt - a.memory.updatedAt)
        .map(({ memory, score }) => ({ ...shown(memory), note: `${score.toFixed(3)} ${shown(memory).note}` }))
    },
    async everything() {
      return (await list(true)).map(shown)
    },
    close: () => store.close(),
  }
}

function statement(text: string, occurredAt: number, topics: readonly string[]): Statement {
  const facts = extractFacts(text, { who: 'user', now: occurredAt })
  return { text, facts, who: 'user', occurredAt, key: facts[0]?.key ?? null, value: facts[0]?.value ?? null, topics }
}

function ofMemory({ text, tags, occurredAt }: Memory): Statement {
  return statement(text, occurredAt, tags)
}

function topicsOfStatement({ text, facts = [] }: Statement): readonly string[] {
  return [...new Set([...topicsOf(text).keys(), ...facts.map(({ key }) => key)])]
}

function memory(id: string, text: string, at: number, fields: Pick<Memory, 'tags' | 'key' | 'value' | 'validTo'>): Memory {
  return {
    id,
    memoryType: 'semantic',
    text,
    category: 'fact',
    conversationId: null,
    who: 'user',
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    confidence: 0.9,
    source: 'user_stated',
    importance: 1,
    accessCount: 0,
    lastAccessed: null,
    validFrom: at,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: [],
    externalId: null,
    metadata: null,
    ...fields,
  }
}
