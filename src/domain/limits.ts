/** All bounds on input, in one place. */
import { MINUTE_MS } from './clock.ts'

/** Bounds; those that options can change have their defaults here. */
export const LIMITS = {
  /** UTF-8 bytes of one turn or one memory (option `maxContentBytes`). */
  contentBytes: 1024 * 1024,
  /** Characters of a user, conversation, project or external id, a speaker's name, a memory's key. */
  idCharacters: 1024,
  /** Characters of a query; a longer one is refused. */
  queryCharacters: 64 * 1024,
  /** UTF-8 bytes of a profile: it stands whole in every context, and every thought reads it. */
  profileBytes: 64 * 1024,
  /** Turns in one call of store. */
  turnsPerCall: 10_000,
  /** Values in one body of JSON, those inside others included: 10,000 turns with all fields have 80,000. */
  valuesPerBody: 200_000,
  /** Different names in one body: the largest metadata have 37,000. */
  namesPerBody: 50_000,
  /** Characters of a name in a body. */
  nameCharacters: 64 * 1024,
  /** Results in one answer. */
  resultLimit: 10_000,
  /** UTF-8 bytes of a metadata or value document. */
  metadataBytes: 256 * 1024,
  /** Tags of one memory. */
  tags: 256,
  /** Jobs in the queue of background work, of all users, dead ones included. */
  queuedJobs: 100_000,
} as const

/** Items of a list when nobody says how many. */
export const DEFAULT_PAGE = 100

/** A rolling summary is written when this many turns are not yet summarised (003, REQ-LTM-002). */
export const SUMMARIZE_AT_TURNS = 10
/** Number of turns in a summary, oldest first; the rest stay verbatim. */
export const TURNS_PER_SUMMARY = 5
/** Largest rolling summary in UTF-8 bytes (003: under 500 bytes for ten turns). */
export const SUMMARY_BYTES = 480
/** Working memory without a new turn for this long is gone (000). */
export const WORKING_MEMORY_IDLE_MS = 30 * MINUTE_MS
/** 000, MEMORY_RETRIEVAL_LIMIT. */
export const MEMORY_RETRIEVAL_LIMIT = 5
/** Least confidence of a literal statement of the user (000). */
export const STATED_CONFIDENCE = 0.9
/** 004 counts importance from 0 to this: an order to remember. */
export const MOST_IMPORTANT = 3
