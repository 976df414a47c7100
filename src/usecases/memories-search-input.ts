/** Which fields may a search have, and with which meaning? They are checked, with their defaults. */
import { check, givenAs, type InputOf, orElse, searchedPart } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { MemoryType } from '../domain/memory.ts'
import { findDates } from '../language/dates.ts'
import type { MemoryRanking } from '../search/memory-formulas.ts'
import { K_EPISODIC, K_SEMANTIC } from '../search/ranking-formulas.ts'
import { type CompiledFilter, compileFilter } from './memories/filter.ts'
import { CHOICE_FIELDS } from './memories.ts'

const MEMORY_RANKINGS: readonly MemoryRanking[] = ['long-term', 'hybrid', 'associative']
const HYBRID_LIMIT = 10
const FIELDS = {
  ...CHOICE_FIELDS,
  /** 1 to 10,000. Default: 10, and MEMORY_RETRIEVAL_LIMIT for ranking `long-term`. */
  limit: orElse(null, check.integer, 1, LIMITS.resultLimit),
  /** Default `hybrid`. */
  ranking: orElse('hybrid', check.oneOf<MemoryRanking>, MEMORY_RANKINGS),
  /** The moment that recency is counted to; default: the clock's. */
  now: check.optionalTime,
  /** Only events and tellings in this stretch of time: its ends, or words such as "last week" and 上周. */
  timeRange: givenAs<TimeRangeInput>(),
  /** true: every result says how its score came about. */
  explain: orElse(false, check.boolean),
  /** The running conversation, whose current topic is searched as well. It is no filter. */
  conversationId: check.optionalId,
  /** Semantic memories at the most (002 R3.3), 0 to 10,000; default with ranking `associative` 5. */
  kSemantic: orElse(null, check.integer, 0, LIMITS.resultLimit),
  /** As `kSemantic`, for episodic ones. */
  kEpisodic: orElse(null, check.integer, 0, LIMITS.resultLimit),
}

/** How to search; everything but the user has a default. */
export type SearchMemoriesInput = InputOf<typeof FIELDS, 'userId'>

/** A search whose fields are right: its limits, its filter, and the part of the query that is searched for. */
export type MemorySearch = Awaited<ReturnType<typeof readSearch>>

/** Reads a search; rejects with `invalid`. `time` is the clock's, `retrievalLimit` that of ranking `long-term`. */
export async function readSearch(query: string, input: SearchMemoriesInput, time: number, retrievalLimit: number) {
  const given = check.fields('', input, FIELDS)
  const message = searchedPart(check.query(query))
  const { kSemantic, kEpisodic, filters, timeRange, ...search } = given
  const { ranking } = search
  const limit = given.limit ?? (ranking === 'long-term' ? retrievalLimit : HYBRID_LIMIT)
  const now = given.now ?? time
  const isAssociative = ranking === 'associative'
  const most: Readonly<Record<MemoryType, number>> = {
    semantic: kSemantic ?? (isAssociative ? K_SEMANTIC : LIMITS.resultLimit),
    episodic: kEpisodic ?? (isAssociative ? K_EPISODIC : LIMITS.resultLimit),
  }
  const filter = within(compileFilter(filters), await readTimeRange('timeRange', timeRange, now))
  const isBounded = isAssociative || kSemantic !== null || kEpisodic !== null
  return { ...search, message, limit, now, most, isBounded, filter }
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

/** How a stretch of time is given. An end that is left out is open; a day stands for all of it. */
export type TimeRangeInput = string | { readonly from?: string | undefined; readonly to?: string | undefined }

/** Both ends included, milliseconds since the epoch; null where it is open. */
interface TimeRange {
  readonly since: number | null
  readonly until: number | null
}

const MOST_WORDS_BYTES = 400
/** A bare number, hardly a year in a sentence, is one where a time is asked for. */
const YEAR = /^((?:19|20)\d\d)年?$/
const HAS_CLOCK = /\d{1,2}:\d{2}/
/** An interval as ISO 8601 writes it: two ends with a stroke between, or two hyphens. */
const INTERVAL = /^([^/]*?)\s*(?:\/|--)\s*([^/]*)$/
/** A day or a month at most: "5/7" is no interval. */
const SHORT = /^\d{1,2}$/
const ISO_DATE = /^\d{4}-\d/
const OPEN_END = /^(?:\.\.)?$/
const REMEDY = 'Pass ISO 8601 dates as {from, to} or "2026-05-01/2026-05-31", or words such as "last week" or "上周".'

/** Reads a range; null when there is none. Throws `invalid` naming the end that cannot be read. */
export async function readTimeRange(field: string, value: unknown, now: number): Promise<TimeRange | null> {
  if (value === undefined || value === null) return null
  const ends = typeof value === 'string' ? endsOf(value) : check.record(field, value, ['from', 'to'])
  if (ends === null) {
    const { from, to } = await spanOf(field, value, now)
    return { since: from, until: to }
  }
  const { from, to } = ends
  const since = isAbsent(from) ? null : (await spanOf(`${field}.from`, from, now)).from
  const until = isAbsent(to) ? null : (await spanOf(`${field}.to`, to, now)).to
  if (since !== null && until !== null && since > until)
    throw invalid(`${field}.from`, 'lies after its end', 'Swap from and to, or leave one out.')
  return { since, until }
}

/** The ends of an interval, as they stand in it; null where the text is none. */
function endsOf(text: string): { readonly from?: unknown; readonly to?: unknown } | null {
  const ends = INTERVAL.exec(text.trim())?.slice(1)
  if (ends === undefined || ends.every((end) => OPEN_END.test(end))) return null
  if (ends.some((end) => SHORT.test(end)) && !ends.some((end) => ISO_DATE.test(end))) return null
  const [from, to] = ends.map((end) => (OPEN_END.test(end) ? undefined : end))
  return { from, to }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

async function spanOf(field: string, value: unknown, now: number): Promise<{ from: number; to: number }> {
  const words = check.text(field, value, { maxBytes: MOST_WORDS_BYTES }).trim()
  const year = YEAR.exec(words)
  if (year !== null) return { from: Date.UTC(Number(year[1]), 0, 1), to: Date.UTC(Number(year[1]) + 1, 0, 1) - 1 }
  if (HAS_CLOCK.test(words)) {
    const moment = check.time(field, words)
    return { from: moment, to: moment }
  }
  const [first] = await findDates(words, now)
  if (first === undefined) throw invalid(field, `${JSON.stringify(words)} names no time`, REMEDY)
  return first
}
