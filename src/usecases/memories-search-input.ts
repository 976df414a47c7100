/** Which fields may a search have, and with which meaning? They are checked, with their defaults. */
import {
  checkBoolean,
  checkId,
  checkInteger,
  checkOneOf,
  checkOptionalId,
  checkOptionalTime,
  checkQuery,
  checkRecord,
  searchedPart,
} from '../domain/checks.ts'
import { LIMITS } from '../domain/limits.ts'
import type { MemoryType } from '../domain/memory.ts'
import { K_EPISODIC, K_SEMANTIC } from '../search/associative.ts'
import type { MemoryRanking } from '../search/rank-memories.ts'
import { type CompiledFilter, compileFilter } from './memories-filter.ts'
import { readTimeRange, type TimeRange, type TimeRangeInput } from './time-range.ts'

/** How to search; everything but the user has a default. */
export interface SearchMemoriesInput {
  readonly userId: string
  /** 1 to 10,000. Default: 10, and MEMORY_RETRIEVAL_LIMIT for ranking `long-term`. */
  readonly limit?: number | undefined
  /** Default `hybrid`. */
  readonly ranking?: MemoryRanking | undefined
  /** Which memories may answer; see memories-filter. */
  readonly filters?: unknown
  /**
   * Only memories that hold in this project, or in the one of this path: those of the project, and those about the
   * user.
   */
  readonly projectRoot?: string | null | undefined
  /** The state at this moment; default: the present one. */
  readonly asOf?: Date | string | null | undefined
  /** true: superseded and ended memories too. */
  readonly includePast?: boolean | undefined
  /** The moment that recency is counted to; default: the clock's. */
  readonly now?: Date | string | null | undefined
  /** Only events and tellings in this stretch of time: its ends, or words such as "last week" and 上周. */
  readonly timeRange?: TimeRangeInput | undefined
  /** true: every result says how its score came about. */
  readonly explain?: boolean | undefined
  /** The running conversation, whose current topic is searched as well. It is no filter. */
  readonly conversationId?: string | null | undefined
  /** Semantic and episodic memories at the most (002 R3.3), 0 to 10,000; default with ranking `associative` 5 each. */
  readonly kSemantic?: number | undefined
  readonly kEpisodic?: number | undefined
}

const MEMORY_RANKINGS: readonly MemoryRanking[] = ['long-term', 'hybrid', 'associative']
const HYBRID_LIMIT = 10
const FIELDS = [
  'userId',
  'limit',
  'ranking',
  'filters',
  'projectRoot',
  'asOf',
  'includePast',
  'now',
  'timeRange',
  'explain',
  'conversationId',
  'kSemantic',
  'kEpisodic',
]

/** A search whose fields are right. */
export interface MemorySearch {
  readonly message: string
  readonly userId: string
  readonly ranking: MemoryRanking
  readonly limit: number
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly explain: boolean
  readonly conversationId: string | null
  readonly projectRoot: string | null
  /** Results of each type at the most. */
  readonly most: Readonly<Record<MemoryType, number>>
  readonly isBounded: boolean
  readonly filter: CompiledFilter
}

/**
 * Reads a search; rejects with `invalid`, naming the field. `time` is the clock's, `retrievalLimit` that of ranking
 * `long-term`.
 */
export async function readSearch(
  query: string,
  input: SearchMemoriesInput,
  time: number,
  retrievalLimit: number,
): Promise<MemorySearch> {
  checkRecord('', input, FIELDS)
  const message = searchedPart(checkQuery(query))
  const userId = checkId('userId', input.userId)
  const ranking = input.ranking === undefined ? 'hybrid' : checkOneOf('ranking', input.ranking, MEMORY_RANKINGS)
  const usual = ranking === 'long-term' ? retrievalLimit : HYBRID_LIMIT
  const limit = input.limit === undefined ? usual : checkInteger('limit', input.limit, 1, LIMITS.resultLimit)
  const now = checkOptionalTime('now', input.now) ?? time
  const explain = input.explain === undefined ? false : checkBoolean('explain', input.explain)
  const conversationId = checkOptionalId('conversationId', input.conversationId)
  const projectRoot = checkOptionalId('projectRoot', input.projectRoot)
  const bounded = (name: 'kSemantic' | 'kEpisodic', usually: number): number => {
    if (input[name] !== undefined) return checkInteger(name, input[name], 0, LIMITS.resultLimit)
    return ranking === 'associative' ? usually : LIMITS.resultLimit
  }
  const most = { semantic: bounded('kSemantic', K_SEMANTIC), episodic: bounded('kEpisodic', K_EPISODIC) }
  const filter = within(compileFilter(input.filters), await readTimeRange('timeRange', input.timeRange, now))
  const isBounded = ranking === 'associative' || input.kSemantic !== undefined || input.kEpisodic !== undefined
  return { message, userId, ranking, limit, now, explain, conversationId, projectRoot, most, isBounded, filter }
}

/** The filter, and besides it that the memory happened or was told in the range. */
function within(filter: CompiledFilter, range: TimeRange | null): CompiledFilter {
  if (range === null) return filter
  const { accepts, stored } = filter
  const lies = (moment: number): boolean =>
    (range.since === null || moment >= range.since) && (range.until === null || moment <= range.until)
  return {
    stored,
    accepts: (memory) => (lies(memory.occurredAt) || lies(memory.createdAt)) && (accepts === null || accepts(memory)),
  }
}
