/** Which memories hold the words of a search, best first? BM25 as for turns; only the best records are read. */
import { holds } from '../domain/ascending.ts'
import type { MemoryFilter, MemoryMatch, MemoryMatches, MemoryStore } from '../domain/contracts/memory-store.ts'
import {
  MEMORY_DELETED,
  MEMORY_PROJECT_SHIFT,
  MEMORY_SUPERSEDED,
  type MemoryIndex,
  type MemoryView,
  type PostingList,
} from '../domain/contracts/text-index.ts'
import { CATEGORIES, MEMORY_TYPES, projectMark } from '../domain/memory.ts'
import { breathe, overView } from '../domain/pieces.ts'
import { isOneCharacter } from '../language/character-class.ts'
import { accumulate, acquireBoard, MASKED_TERMS, releaseBoard, scoredLists, selectTop } from './word-scores.ts'

/** The parts of the store that matching needs. */
export type MatchedMemories = Pick<MemoryStore, 'index' | 'getRows' | 'match'>

/** Each time the filter rejected too many, so many times more are looked at. */
const WIDER = 4
/** The index keeps some times by the second. */
const SECOND_MS = 1000

/**
 * Best matches of any term, the newer first of equal ones. `answering`: none that hold a single character alone, where
 * the terms have more.
 */
export async function matchMemories(
  memories: MatchedMemories,
  userId: string,
  terms: readonly string[],
  filter: MemoryFilter,
  limit: number,
  answering = false,
): Promise<MemoryMatches> {
  if (!memories.index.isReady(userId)) return memories.match(userId, terms, filter, limit)
  return { matches: await overView(() => matchOnce(memories, userId, terms, filter, limit, answering)), method: 'fts' }
}

/** How many memories a user has, and how many of them hold each of these terms. */
export async function countHolding(
  index: MemoryIndex,
  userId: string,
  terms: readonly string[],
): Promise<{ readonly count: number; readonly holding: ReadonlyMap<string, number> }> {
  return overView(async () => {
    const { live, postings } = await index.view(userId)
    const holding = live === 0 ? [] : await postings(terms)
    return { count: live, holding: new Map(holding.map(({ term, documents }) => [term, documents.length])) }
  })
}

async function matchOnce(
  memories: MatchedMemories,
  userId: string,
  terms: readonly string[],
  filter: MemoryFilter,
  limit: number,
  answering: boolean,
): Promise<readonly MemoryMatch[]> {
  if (terms.length === 0 || limit <= 0) return []
  const view = await memories.index.view(userId)
  if (view.live === 0) return []
  const lists = await view.postings(terms)
  const mayPass = columnFilter(view, filter)
  const tellingOnly = answering && terms.some((term) => !isOneCharacter(term))
  const matches: MemoryMatch[] = []
  for (let from = 0, to = limit; ; from = to, to *= WIDER) {
    const best = bestByWords(view, lists, to, mayPass, tellingOnly)
    const places = best.slice(from)
    const found = await memories.getRows(
      userId,
      places.map(({ ordinal }) => view.columns.row[ordinal]!),
      filter,
    )
    for (const [index, memory] of found.entries()) {
      const { ordinal, score } = places[index]!
      if (memory === null || matches.length === limit) continue
      let matched: readonly number[] | undefined
      matches.push({
        memory,
        bm25: score,
        // Looking through every list is left out for who only wants the memories.
        get matchedTerms() {
          matched ??= holding(lists, ordinal)
          return matched
        },
      })
    }
    if (matches.length === limit || best.length < to) return matches
    await breathe()
  }
}

/** The best memories that hold one of the terms. */
function bestByWords(
  view: MemoryView,
  lists: readonly PostingList[],
  most: number,
  mayPass: (ordinal: number) => boolean,
  tellingOnly: boolean,
): readonly { readonly ordinal: number; readonly score: number }[] {
  const board = acquireBoard(view.size)
  try {
    const scored = scoredLists(
      lists.map((list) => ({ list, weight: 1 })),
      view.live,
    )
    const telling = scored.reduce(
      (mask, { list }, index) => (isOneCharacter(list.term) ? mask : mask | (1 << index)),
      0,
    )
    const tells = (mask: number): boolean => (mask & telling) !== 0 || (mask & (mask - 1)) !== 0
    const isTold = !tellingOnly || scored.length > MASKED_TERMS
    const accepts = (ordinal: number): boolean => (isTold || tells(board.masks[ordinal]!)) && mayPass(ordinal)
    accumulate(board, scored, view, most, accepts)
    return Array.from(selectTop(board, most, accepts), (ordinal) => ({ ordinal, score: board.scores[ordinal]! }))
  } finally {
    releaseBoard(board)
  }
}

/** Whether a memory exists and may pass the filter, as far as the columns tell. */
function columnFilter({ columns, conversations }: MemoryView, filter: MemoryFilter): (ordinal: number) => boolean {
  const { memoryType, category, conversationId, projectRoot, asOf, includePast = false } = filter
  const type = memoryType === undefined ? -1 : MEMORY_TYPES.indexOf(memoryType)
  const sort = category === undefined ? -1 : CATEGORIES.indexOf(category)
  const hidden = MEMORY_DELETED | (asOf === undefined && !includePast ? MEMORY_SUPERSEDED : 0)
  const project = projectRoot === undefined ? 0 : projectMark(projectRoot)
  return (ordinal) => {
    if ((columns.flags[ordinal]! & hidden) !== 0) return false
    if (type >= 0 && columns.memoryType[ordinal] !== type) return false
    if (sort >= 0 && columns.category[ordinal] !== sort) return false
    const mark = columns.flags[ordinal]! >> MEMORY_PROJECT_SHIFT
    if (project !== 0 && mark !== 0 && mark !== project) return false
    if (conversationId !== undefined) {
      const known = conversations[columns.conversation[ordinal]!]?.conversationId ?? ''
      if (known !== '' && known !== conversationId) return false
    }
    return asOf === undefined || (columns.validFrom[ordinal]! <= asOf && columns.validTo[ordinal]! + SECOND_MS > asOf)
  }
}

/** Which of the lists name it, by index. */
function holding(lists: readonly PostingList[], ordinal: number): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < lists.length; index += 1) if (holds(lists[index]!.documents, ordinal)) found.push(index)
  return found
}
