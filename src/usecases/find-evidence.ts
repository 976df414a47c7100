/** Which evidence answers this message? Turns and memories are ranked as one list, without a model. */
import { queryPart, searchedPart } from '../domain/checks.ts'
import type { TimeZone } from '../domain/clock.ts'
import type { MemoryFilter } from '../domain/contracts/memory-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import { holdsAt, type Memory, speaksOf } from '../domain/memory.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { overView } from '../domain/scheduling.ts'
import { roughTokens } from '../language/count-tokens.ts'
import { withoutQuotedBlocks } from '../language/quoted-block.ts'
import { queryTerms } from '../language/terms.ts'
import { type AskedTime, timeAskedAlone } from '../search/asked-time.ts'
import {
  analyzeQuery,
  isWithin,
  type QueryAnalysis,
  questionParts,
  type Similarity,
  scopeOf,
  similarityByOrdinal,
} from '../search/candidates.ts'
import type { EvidencePiece } from '../search/evidence/select-evidence.ts'
import { type Familiarity, type Manner, roomForEvidence } from '../search/evidence-gate.ts'
import {
  countHolding,
  type MemoryDocuments,
  matchMemories,
  memoriesOfTime,
  memoryDocuments,
  NO_MEMORIES,
} from '../search/match-memories.ts'
import type { MeaningScores, NearMemory } from '../search/meaning/meaning-scores.ts'
import { type HybridRanking, type RankedPiece, rankHybrid } from '../search/rank-hybrid.ts'
import { placeOf } from '../search/turn-results.ts'
import { type Asked, askedOf, isMemoryAboutAsked } from '../thinking/facts/asked-attributes.ts'
import { relativesOf } from '../thinking/facts/mentioned-attributes.ts'
import { rarityOf } from '../thinking/topic/word-rarity.ts'
import { hiddenAmong, nameOf, turnsTelling } from './hidden-turns.ts'
import { asTheyStood } from './memories.ts'
import { withSuccessors } from './memories-search.ts'
import { mannerOf } from './message-manner.ts'
import { outdatedOf } from './outdated-memories.ts'
import { type EvidenceSources, similarTexts } from './query-vector.ts'
import { askedInChat, hasOwnWords, type ReadWindow, TOKENS_A_LINE, turnName } from './read-window.ts'

export interface EvidenceDependencies extends EvidenceSources {
  readonly store: Pick<Store, 'index' | 'memories' | 'log' | 'vectors'>
}

/** A checked question. Times are milliseconds since the epoch. */
export interface EvidenceRequest
  extends Pick<RecallRequest, 'query' | 'userId' | 'projectRoot' | 'limit' | 'now' | 'since' | 'until' | 'explain'> {
  readonly kinds: readonly ('turn' | 'memory')[]
  readonly asOf: number | null
  /** About how many tokens, or with `limit` texts, will be shown: more is not fetched. */
  readonly tokens: number
  /** Turns that are not evidence: those that the model sees anyway. */
  readonly besides: ReadonlySet<string>
  /** The words of a conversation from a turn on are no evidence: the model holds it. Absent: none. */
  readonly holds?: { readonly conversationId: string; readonly from: number } | null
  /** Turns that tell what no model is shown: they are no evidence, nor are the answers to them; absent: none. */
  readonly hidden?: ReadonlySet<string>
  /** Ids of memories that are no evidence; absent: none. */
  readonly without?: ReadonlySet<string>
  /** The time that the message asks for alone: only what was said or takes place in it answers. Absent: any time. */
  readonly time?: AskedTime | null
  /** The zone of the days that the message names. Absent: UTC. */
  readonly timeZone?: TimeZone
}

export interface FoundEvidence {
  readonly pieces: readonly EvidencePiece[]
  /** The worth of each term of the question. */
  readonly gains: ReadonlyMap<string, number>
  /** Tokens of it that are worth showing; few where it is not sure that anything answers. */
  readonly room: number
  /** The measures that this was judged by; null where nothing was looked for. */
  readonly judged: { readonly familiarity: Familiarity; readonly manner: Manner } | null
  readonly warnings: readonly string[]
}

/** The worth of an answer to a part of a question beside one to the whole. */
const PART_WORTH = 0.9
/** Characters of an answer that the next part of a question goes on about. */
const MOST_TOLD = 300
const RANKED = 400
const MEMORY_CANDIDATES = 60
/** Memories that are candidates since a model of meaning finds them alike. */
const SIMILAR_MEMORIES = 40
/** Memories whose past is looked at, steps back, and memories of the past. */
const MOST_FOLLOWED = 12
const MOST_STEPS = 8
const MOST_BEFORE = 20
/** More is fetched than fits, since some of it was shown already. */
const FETCHED_BESIDES = 2
const FETCHED_FIRST = 24
/** A longer turn is shown as an excerpt. */
const LONGEST_TOKENS = 100

/** Finds evidence. Where nothing answers, as a greeting, there is none. */
export async function findEvidence(dependencies: EvidenceDependencies, asked: EvidenceRequest): Promise<FoundEvidence> {
  const request = { ...asked, query: searchedPart(asked.query) }
  if (request.query.trim() === '') return { pieces: [], gains: new Map(), room: 0, judged: null, warnings: [] }
  const { store, embedQuery, meanings } = dependencies
  const { time = null, timeZone: zone = null } = request
  const recall: RecallRequest = { ...request, conversationId: null, limit: RANKED, ranking: 'hybrid', kinds: ['turn'] }
  const analysis = await analyzeQuery(request.query, request.now, zone)
  const withMemories = request.kinds.includes('memory')
  const { similarity, warnings } = await similarTexts(store, recall, embedQuery, withMemories)
  return overView(async () => {
    const view = await store.index.view(request.userId)
    const scope = scopeOf(view, recall)
    const hasMuted = view.conversations.some(({ isMuted }) => isMuted === true)
    const meant = async (query: string): Promise<MeaningScores | null> =>
      (await meanings?.scores(request.userId, view, query, withMemories)) ?? null
    const meaning = await meant(request.query)
    const memories = !withMemories
      ? NO_MEMORIES
      : time !== null
        ? await memoriesIn(time, store, request, view)
        : await candidateMemories(store, request, analysis, meaning?.nearestMemories ?? [], similarity, view)
    const tells = new Set(time === null ? [] : memories.scored([], view).map(({ source }) => source))
    const { conversation, createdAt, number } = view.columns
    const heldIn = view.conversations.findIndex(({ conversationId: id }) => id === request.holds?.conversationId)
    const accepts = (ordinal: number): boolean => {
      if (!scope.accepts(ordinal)) return false
      if (conversation[ordinal] === heldIn && number[ordinal]! >= request.holds!.from) return false
      if (hasMuted && view.conversations[conversation[ordinal]!]!.isMuted === true) return false
      if (time !== null && !tells.has(ordinal) && (time.of === 'events' || !isWithin(createdAt[ordinal]!, time.times)))
        return false
      return request.besides.size === 0 || !request.besides.has(nameOf(ordinal, view))
    }
    const cosines = similarity === null ? null : similarityByOrdinal(similarity, view)
    const rank = (
      query: string,
      asked: QueryAnalysis,
      scores: MeaningScores | null,
      accepted = accepts,
      documents = memories,
    ): Promise<HybridRanking> =>
      rankHybrid({ ...recall, query }, asked, { ...scope, accepts: accepted }, view, cosines, documents, scores)
    const manner = await mannerOf(request.query)
    const roomOf = ({ familiarity, pieces }: HybridRanking): number => {
      if (time !== null) return pieces.length === 0 ? 0 : Number.POSITIVE_INFINITY
      return roomForEvidence(familiarity(rarityOf), manner)
    }
    const rankings = [await rank(request.query, analysis, meaning)]
    for (const part of time === null ? questionParts(request.query) : []) {
      const before = rankings.at(-1)!
      const answer = hasOwnWords(part) || roomOf(before) === 0 ? undefined : before.pieces[0]
      const told = answer === undefined ? '' : await beginningOf(store.log, request.userId, answer, view)
      const query = `${told}\n${part}`.trimStart()
      const asked = [query, await analyzeQuery(query, request.now, zone), await meant(query)] as const
      if (answer === undefined) {
        rankings.push(await rank(...asked))
        continue
      }
      const others = (ordinal: number): boolean => ordinal !== answer.ordinal && accepts(ordinal)
      const { pieces, gains } = await rank(...asked, others, NO_MEMORIES)
      // They are about the answer, and no surer than it.
      const below = pieces.map((piece) => lowered(piece, 'answer', answer.score))
      rankings.push({ pieces: below, gains, familiarity: before.familiarity })
    }
    const rooms = rankings.map(roomOf)
    const room = Math.max(...rooms)
    const judged = { familiarity: rankings[0]!.familiarity(rarityOf), manner }
    if (room <= 0) return { pieces: [], gains: new Map(), room: 0, judged, warnings }
    const answering = rankings.filter((_, at) => rooms[at]! > 0)
    const ranking = answering.length === 1 ? answering[0]! : joined(answering)
    return { pieces: await readPieces(store, request, ranking, view), gains: ranking.gains, room, judged, warnings }
  })
}

function lowered(piece: RankedPiece, name: string, factor: number): RankedPiece {
  const { explanation } = piece
  const score = piece.score * factor
  if (explanation === null) return { ...piece, score }
  return {
    ...piece,
    score,
    explanation: { ...explanation, multipliers: [...explanation.multipliers, { name, factor }], score },
  }
}

/** The answers to a question and its parts in one list, those of a part a little lower. */
function joined([whole, ...parts]: readonly HybridRanking[]): HybridRanking {
  const best = new Map<string, RankedPiece>()
  const gains = new Map(whole!.gains)
  const add = (piece: RankedPiece): void => {
    const name = piece.ordinal < 0 ? piece.memories[0]!.memory.id : String(piece.ordinal)
    const known = best.get(name) ?? piece
    best.set(name, { ...(known.score < piece.score ? piece : known), share: Math.max(known.share, piece.share) })
  }
  for (const piece of whole!.pieces) add(piece)
  for (const part of parts) {
    for (const piece of part.pieces) add(lowered(piece, 'part', PART_WORTH))
    for (const [term, gain] of part.gains) gains.set(term, gain)
  }
  const pieces = [...best.values()].sort((a, b) => b.score - a.score).slice(0, RANKED)
  return { ...whole!, pieces, gains }
}

/** The best pieces with their turns: as many as will be shown, and some more, read in a few goes. */
async function readPieces(
  { log, memories: stored }: Pick<Store, 'log' | 'memories'>,
  { userId, tokens, limit, kinds, asOf, hidden = new Set() }: EvidenceRequest,
  { pieces }: HybridRanking,
  view: TurnView,
): Promise<readonly EvidencePiece[]> {
  const wanted = kinds.includes('turn') ? pieces : pieces.filter(({ memories }) => memories.length > 0)
  const most = Math.min(wanted.length, limit * FETCHED_BESIDES + FETCHED_FIRST)
  const read: EvidencePiece[] = []
  let left = tokens * FETCHED_BESIDES
  while (read.length < most && left > 0) {
    // The texts read so far tell how many more it takes.
    const mean = read.length === 0 ? 0 : (tokens * FETCHED_BESIDES - left) / read.length
    const more = mean === 0 ? FETCHED_FIRST : Math.ceil(left / mean)
    const next = wanted.slice(read.length, Math.min(most, read.length + more))
    const places = next.flatMap(({ ordinal }) => (ordinal < 0 ? [] : [placeOf(ordinal, view)]))
    const turns = await log.turnsByRow(userId, places)
    const out = await hiddenAmong(log, userId, next, { view, turns, hidden })
    const byRow = new Map(turns.map((turn) => [turn.row, turn] as const))
    for (const { ordinal, memories, score, share, explanation } of next) {
      const turn = (ordinal < 0 || out.has(ordinal) ? undefined : byRow.get(view.columns.row[ordinal]!)) ?? null
      const project = ordinal < 0 ? '' : view.conversations[view.columns.conversation[ordinal]!]!.projectRoot
      const found = memories.map(({ memory }) => memory)
      const told = asOf === null ? found : await asTheyStood(stored, userId, asOf, found)
      read.push({ turn, ...(project === '' ? {} : { project }), memories: told, score, share, explanation })
      left -= Math.min(LONGEST_TOKENS, roughTokens(turn?.content ?? found[0]?.text ?? '')) + TOKENS_A_LINE
    }
  }
  // Looked up once: it goes through the columns of all memories.
  const turns = read.flatMap(({ turn }) => turn ?? [])
  const outdated = await outdatedOf(stored, userId, turns)
  const stood = new Map((await asTheyStood(stored, userId, asOf, outdated.flat())).map((one) => [one.id, one]))
  const ofTurn = new Map(turns.map((turn, at) => [turn, outdated[at]!.map(({ id }) => stood.get(id)!)]))
  return read.map((piece) => (piece.turn === null ? piece : { ...piece, outdated: ofTurn.get(piece.turn)! }))
}

/** Memories of a time, of those that hold. */
async function memoriesIn(
  time: AskedTime,
  { memories }: Pick<Store, 'memories'>,
  request: EvidenceRequest,
  { conversations }: Pick<TurnView, 'conversations'>,
): Promise<MemoryDocuments> {
  const { userId, projectRoot, now, asOf } = request
  const filter = { ...(asOf === null ? {} : { asOf }), ...(projectRoot === null ? {} : { projectRoot }) }
  const found = await memoriesOfTime(memories, userId, time, filter, MEMORY_CANDIDATES)
  const muted = mutedOf(conversations)
  const within = found.filter((memory) => (asOf !== null || holdsAt(memory, now)) && !isOut(memory, request, muted))
  return memoryDocuments(within, null, () => false)
}

/** Whether a memory is no evidence: left out, muted, or told by turns that the model holds, not added beside them. */
function isOut(memory: Memory, { without, holds }: EvidenceRequest, muted: ReadonlySet<string>): boolean {
  if (without?.has(memory.id) === true || muted.has(memory.conversationId ?? '')) return true
  const { conversationId, sourceTurnIds: turns } = memory
  return holds?.conversationId === conversationId && turns.length > 0 && turns.every((turn) => turn >= holds.from)
}

function mutedOf(conversations: TurnView['conversations']): ReadonlySet<string> {
  return new Set(conversations.filter(({ isMuted }) => isMuted === true).map(({ conversationId }) => conversationId))
}

/** Memories that share a word with the query, state an attribute that it asks for, or mean something alike. */
async function candidateMemories(
  { memories }: Pick<Store, 'memories'>,
  request: EvidenceRequest,
  { terms }: QueryAnalysis,
  alike: readonly NearMemory[],
  similarity: Similarity | null,
  { conversations }: Pick<TurnView, 'conversations'>,
): Promise<MemoryDocuments> {
  const { userId, query, projectRoot, now, asOf, since, until } = request
  const known = await countHolding(memories.index, userId, terms)
  if (known.count === 0) return NO_MEMORIES
  let asked = askedOf(query)
  const moment = asOf !== null ? { asOf } : asked.past ? { includePast: true } : {}
  const filter = projectRoot === null ? moment : { ...moment, projectRoot }
  // Ended memories are found as well, and their successors answer for them.
  const follows = asOf === null && !asked.past
  const searched = follows ? { ...filter, includePast: true } : filter
  const wordsOf = ({ topics }: Asked): readonly string[] => [
    ...new Set([...terms, ...topics.flatMap((topic) => queryTerms(topic))]),
  ]
  const find = (filter: MemoryFilter) => matchMemories(memories, userId, wordsOf(asked), filter, MEMORY_CANDIDATES)
  let { matches, method } = await find(searched)
  if (asked.topics.length > 0 && !matches.some(({ memory }) => speaksOf(memory, asked.topics))) {
    // Neighbours of the asked attribute may answer.
    asked = { ...asked, topics: [...asked.topics, ...relativesOf(asked.topics)] }
    ;({ matches, method } = await find(searched))
  }
  // Ended ones take no places of those that hold.
  const isCrowded =
    follows && matches.length === MEMORY_CANDIDATES && !matches.every(({ memory }) => holdsAt(memory, now))
  const held = isCrowded ? (await find(filter)).matches : matches
  const rows = alike.map(({ row }) => row)
  const ids = [...(similarity?.keys() ?? [])].filter((key) => typeof key === 'string').slice(0, SIMILAR_MEMORIES)
  const meant = [
    ...(await memories.getRows(userId, rows, searched)).filter((memory) => memory !== null),
    ...(await memories.getMany(userId, ids, searched)),
  ]
  const alikeMatches = meant.map((memory) => ({ memory, bm25: 0, matchedTerms: [] }))
  const holding = [...held, ...alikeMatches].filter(({ memory }) => !follows || holdsAt(memory, now))
  const followed = await withSuccessors(
    memories,
    userId,
    { stored: filter, accepts: null },
    { found: { matches: holding, method }, past: follows ? [...matches, ...alikeMatches] : [] },
  )
  const present = followed.matches.matches.map(({ memory }) => memory)
  const before = asked.past && asOf === null ? await predecessors(memories, userId, present) : []
  const [from, to] = [since ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY]
  const found = new Map([...present, ...before].map((memory) => [memory.id, memory]))
  const muted = mutedOf(conversations)
  const within = [...found.values()].filter(
    (memory) =>
      memory.occurredAt >= from &&
      Math.max(memory.occurredAt, memory.createdAt) <= to &&
      !isOut(memory, request, muted),
  )
  const isBefore = new Set(before)
  return memoryDocuments(
    within,
    known,
    (memory) => isBefore.has(memory) || statesAsked(memory, asked),
    followed.predecessors,
  )
}

/** The memories that the best of these superseded, as far back as is known. */
async function predecessors(
  memories: Store['memories'],
  userId: string,
  found: readonly Memory[],
): Promise<readonly Memory[]> {
  const before: Memory[] = []
  let later = found.slice(0, MOST_FOLLOWED)
  for (let step = 0; step < MOST_STEPS && later.length > 0 && before.length < MOST_BEFORE; step += 1) {
    const pages = await Promise.all(
      later.map(({ id }) =>
        memories.list(userId, { limit: MOST_BEFORE, offset: 0, filter: { supersededBy: id, includePast: true } }),
      ),
    )
    later = pages.flatMap(({ items }) => items)
    before.push(...later)
  }
  return before.slice(0, MOST_BEFORE)
}

/** Whether a memory states an asked attribute of the asked person; a question of nobody asks in general. */
function statesAsked(memory: Memory, asked: Asked): boolean {
  if (asked.people.length === 0) return false
  return speaksOf(memory, asked.topics) && isMemoryAboutAsked(memory, asked)
}

type MessageRequest = Omit<EvidenceRequest, 'query' | 'besides' | 'hidden' | 'time'> & {
  readonly conversationId: string | null
  readonly window: ReadWindow
  /** The numbers of the turns that the model sees anyway, besides the message itself. */
  readonly seen: readonly number[]
  /** Memories that are left out, with the turns that tell them; absent: none. */
  readonly leftOut?: readonly Memory[]
}

/** The evidence for a message, and its words that were asked for. */
export async function evidenceFor(
  dependencies: EvidenceDependencies,
  message: string,
  { conversationId, window, seen, leftOut = [], ...request }: MessageRequest,
): Promise<FoundEvidence & { query: string }> {
  const query = queryPart(withoutQuotedBlocks(message))
  const { answered } = window
  const ofChat = conversationId === null ? [] : answered === null ? seen : [...seen, answered]
  const hidden = turnsTelling(leftOut)
  const besides = new Set([...ofChat.map((turnId) => turnName(conversationId!, turnId)), ...hidden])
  const time = await timeAskedAlone(query, request.now, request.timeZone)
  const asked = time === null ? askedInChat(query, window) : query
  const without = new Set(leftOut.map(({ id }) => id))
  const found = await findEvidence(dependencies, { ...request, query: asked, besides, hidden, without, time })
  return { ...found, query }
}

/** The beginning of an answer: the next part of a question, if without words of its own, goes on about that. */
async function beginningOf(
  log: Store['log'],
  userId: string,
  { ordinal, memories }: RankedPiece,
  view: TurnView,
): Promise<string> {
  const [turn] = ordinal < 0 ? [] : await log.turnsByRow(userId, [placeOf(ordinal, view)])
  return (turn?.content ?? memories[0]?.memory.text ?? '').slice(0, MOST_TOLD)
}
