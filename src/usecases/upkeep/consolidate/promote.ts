/**
 * The lasting facts of an episode become semantic memories (002 R6), unless the user has or had them: superseded facts
 * stay away.
 */

import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/pieces.ts'
import { queryTerms } from '../../../language/tokens.ts'
import { matchMemories } from '../../../search/match-memories.ts'
import { slotNamed } from '../../../thinking/facts/topics.ts'
import { withoutLabel } from '../../../thinking/merge/episode-metadata.ts'
import { type Episode, semanticFactsByRules } from '../../../thinking/semantic-facts/rules.ts'
import type { SemanticFact } from '../../../thinking/semantic-facts/types.ts'
import { lexicalSimilarity } from '../../../thinking/similarity/rules.ts'
import { askModel, type Run } from './types.ts'

/** Texts this alike say the same fact. */
const SAME_FACT = 0.8
const COMPARED = 5
/** The key of tastes, of which a user has many at a time. */
const MANY_VALUED = 'preference'
const ASKED_TERMS = 12
/** Terms of one question to the index: the lists of all of them would hold everybody else up. */
const TERMS_AT_ONCE = 3
/** Every episode asks for its facts: half of the model calls are kept for the fewer that are merged or told apart. */
const SHARE_OF_CALLS = 0.5
/** 1: as a preference, habit or identity weighs in 004. */
const IMPORTANCE = 1

/** Stores the new facts; false when somebody else wrote in between. `others`: similar episodes. */
export async function promote(run: Run, memory: Memory, others: readonly Episode[]): Promise<boolean> {
  const { memories, model, clock, newId } = run.dependencies
  const revision = await memories.revision(run.userId)
  const extract = model?.semanticFacts
  const asked =
    extract && (await askModel(run, 'semanticFacts', (options) => extract(memory, others, options), SHARE_OF_CALLS))
  const { facts } = asked ?? semanticFactsByRules({ ...memory, text: withoutLabel(memory) }, others)
  const now = clock().getTime()
  const fresh: Memory[] = []
  for (const fact of facts)
    if (!fresh.some(({ text }) => sameFact(text, fact.text)) && !(await isKnown(run, fact, memory.projectRoot)))
      fresh.push(semanticMemory(memory, fact, newId(), now))
  if (fresh.length === 0) return true
  const written = await memories.apply(run.userId, revision, { insert: fresh, update: [], remove: [], at: now })
  if (written) run.counts.promoted += fresh.length
  return written
}

async function isKnown(run: Run, fact: SemanticFact, projectRoot: string | null): Promise<boolean> {
  const { memories } = run.dependencies
  const bound = projectRoot === null ? {} : { projectRoot }
  const filter = { memoryType: 'semantic', includePast: true, includeBuried: true, ...bound } as const
  if (fact.key !== null) {
    const page = { limit: COMPARED, offset: 0, filter: { ...filter, key: fact.key } }
    const { items } = await memories.list(run.userId, page)
    // Whether a new value takes the place of an old one is decided where facts are stated, not here.
    const single = slotNamed(fact.key)?.single ?? fact.key !== MANY_VALUED
    if (items.some(({ value }) => single || sameValue(value, fact.value))) return true
  }
  const terms = queryTerms(fact.text).slice(0, ASKED_TERMS)
  for (let first = 0; first < terms.length; first += TERMS_AT_ONCE) {
    if (first > 0) await breathe(run.signal)
    const asked = terms.slice(first, first + TERMS_AT_ONCE).map((term) => ({ term, prefix: false }))
    const { matches } = await matchMemories(memories, run.userId, asked, filter, COMPARED)
    if (matches.some(({ memory }) => sameFact(memory.text, fact.text))) return true
  }
  return false
}

function sameValue(a: unknown, b: unknown): boolean {
  return String(a).trim().toLowerCase() === String(b).trim().toLowerCase()
}

function sameFact(a: string, b: string): boolean {
  return lexicalSimilarity(a, b) >= SAME_FACT || a.includes(b)
}

function semanticMemory(episode: Memory, fact: SemanticFact, id: string, now: number): Memory {
  return {
    id,
    memoryType: 'semantic',
    text: fact.text,
    category: fact.category,
    key: fact.key,
    value: fact.value,
    tags: [],
    conversationId: episode.conversationId,
    who: episode.who,
    occurredAt: episode.occurredAt,
    createdAt: now,
    updatedAt: now,
    confidence: Math.min(fact.confidence, episode.confidence),
    source: episode.source,
    importance: Math.max(IMPORTANCE, episode.importance),
    accessCount: 0,
    lastAccessed: null,
    validFrom: episode.validFrom,
    validTo: null,
    supersededBy: null,
    suspect: episode.suspect,
    sourceTurnIds: episode.sourceTurnIds,
    externalId: null,
    metadata: { ...fact.metadata, ground: fact.ground, source_ids: fact.sourceIds },
    projectRoot: episode.projectRoot,
  }
}
