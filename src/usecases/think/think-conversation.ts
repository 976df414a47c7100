/** The job `think`: a conversation round by round; a round's memories are written with the progress mark. */
import { MINUTE_MS } from '../../domain/clock.ts'
import type { LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { MnemeError } from '../../domain/errors.ts'
import { WORKING_MEMORY_IDLE_MS } from '../../domain/limits.ts'
import type { Logger } from '../../domain/logger.ts'
import { type Memory, projectName } from '../../domain/memory.ts'
import { giveWay } from '../../domain/scheduling.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { roundsOf } from '../../search/context/context-layers.ts'
import type { ConversationAnalysis } from '../../thinking/conversation-analysis/analyze-by-rules.ts'
import { inScope, projectOfConversation } from '../matching/filter.ts'
import { rollSummaries } from '../upkeep/rolling-summary.ts'
import type { ThinkInput, Thoughts } from './draft.ts'
import { knownBefore } from './known-before.ts'
import { holdingEverywhere, withTellings } from './profile-lines.ts'
import { askedIn, reconsolidationJob } from './reconsolidation-job.ts'
import { isReplied, titleSession, turnsToName } from './summarize-session.ts'
import { takeBackTurns } from './take-back-turns.ts'
import { writeThoughts } from './write-thoughts.ts'

/** The dependencies of the job. */
export interface ThinkDependencies {
  readonly store: Store
  readonly logger: Logger
  readonly newId: () => string
  readonly now: () => number
  /** Thinks about one round: by the model, or by the rules where there is none or it finally failed. */
  readonly think: (input: ThinkInput, signal: AbortSignal) => Promise<Thoughts>
  readonly maxCharacters: () => Promise<number>
  /** Lets others have their turn between two rounds. */
  readonly pause: () => Promise<void>
  /** A model is asked: a question without its answer is left alone for a while, so that a round is one call. */
  readonly waitsForReply: boolean
}

const TURNS_A_PIECE = 64
/** Turns before a round that are shown with it: an answer is understood by the question before it. */
const TURNS_BEFORE = 4
/** Rounds of those read at a time, the last ones, that leave their topic and variables in the working memory. */
const ROUNDS_ANALYSED = 4
/** How long a question may wait for its answer before it is thought about alone. */
export const REPLY_PATIENCE_MS = 60_000

/** A run ends after this long and is taken up again: a long conversation is not mistaken for a job that hangs. */
const LONGEST_RUN_MS = 5 * MINUTE_MS

/** When the job is to be run again: 'done', or the moment in milliseconds since the epoch. */
export type ThinkResult = 'done' | number

/** Thinks about all that is left of the conversation. */
export async function thinkConversation(
  dependencies: ThinkDependencies,
  job: LeasedJob,
  signal: AbortSignal,
): Promise<ThinkResult> {
  const { store, waitsForReply, now, pause } = dependencies
  const { userId, subject: conversationId } = job
  const began = now()
  await rollSummaries(store.log, userId, conversationId, began)
  thinking: for (;;) {
    const thoughtTo = await store.log.thoughtTo(userId, conversationId)
    if (thoughtTo === null) return 'done'
    // The next turns by count, not by number: removed turns leave holes.
    const next = { from: thoughtTo + 1, limit: TURNS_A_PIECE }
    const turns: readonly ThinkMessage[] = await store.log.turns(userId, conversationId, next)
    const known = { from: Math.max(1, thoughtTo + 1 - TURNS_BEFORE), to: thoughtTo }
    const before: ThinkMessage[] = thoughtTo === 0 ? [] : [...(await store.log.turns(userId, conversationId, known))]
    const rounds = roundsOf(turns)
    if (rounds.length === 0) return 'done'
    const isWhole = turns.length < TURNS_A_PIECE
    // The last round of a piece may go on in the next one.
    const ready = isWhole || rounds.length === 1 ? rounds : rounds.slice(0, -1)
    const projectRoot = await projectOfConversation(store.log, userId, conversationId)
    const maxCharacters = await dependencies.maxCharacters()
    const present = await store.workingMemory.get(userId, conversationId, now() - WORKING_MEMORY_IDLE_MS)
    // The rules name a conversation once for all rounds that wait.
    const lastReply = ready.findLastIndex(isReplied)
    for (const [index, round] of ready.entries()) {
      const last = round.at(-1)!
      const isLast = index === ready.length - 1
      const isOpen = isWhole && isLast && last.role === 'user'
      if (waitsForReply && isOpen && now() - last.createdAt < REPLY_PATIENCE_MS)
        return last.createdAt + REPLY_PATIENCE_MS
      // Working memory is of the present: names of only earlier rounds of a long row are gone from it.
      const analyse = present !== null && index >= ready.length - ROUNDS_ANALYSED
      const isThere = await thinkRound(
        dependencies,
        job,
        {
          ...{ round, earlier: before.slice(-TURNS_BEFORE), analyse, projectRoot, maxCharacters, isLast },
          namesFrom: waitsForReply ? (round[0]!.turnId ?? 0) : index === lastReply ? thoughtTo + 1 : null,
        },
        signal,
      )
      if (!isThere) continue thinking
      before.push(...round)
      await pause()
      signal.throwIfAborted()
      if (now() - began >= LONGEST_RUN_MS) return now()
    }
    if (isWhole) return 'done'
  }
}

/** false: turns of the round were deleted meanwhile, and no thought about them is kept. */
async function thinkRound(
  { store, logger, newId, now, think, waitsForReply: asksModel }: ThinkDependencies,
  job: LeasedJob,
  {
    round,
    projectRoot,
    isLast,
    namesFrom,
    ...asked
  }: {
    readonly round: readonly ThinkMessage[]
    readonly isLast: boolean
    /** The first turn since the conversation was last named; null: this round does not name it. */
    readonly namesFrom: number | null
    readonly projectRoot: string | null
  } & Pick<ThinkInput, 'analyse' | 'maxCharacters'> & { readonly earlier: readonly ThinkMessage[] },
  signal: AbortSignal,
): Promise<boolean> {
  const { userId, subject: conversationId } = job
  const naming = namesFrom === null ? null : await turnsToName(store, userId, conversationId, round, namesFrom)
  const { inUse, ...around } = await knownBefore(store.memories, userId, round, projectRoot, { ...asked, asksModel })
  const input = {
    userId,
    conversationId,
    messages: round,
    ...asked,
    ...around,
    project: projectName(projectRoot),
    untitled: naming?.known === null,
    now: now(),
  }
  // Each of these takes some milliseconds: others get their turn in between.
  await giveWay(userId)
  const thoughts = await think(input, signal)
  await giveWay(userId)
  if (!(await isStillThere(store.log, userId, conversationId, round))) return false
  // These can be written twice without harm; other writes come last, with the progress mark.
  if (thoughts.analysis !== null) await keepAnalysis(store, userId, conversationId, thoughts.analysis, now())
  if (naming !== null) await titleSession(store, userId, conversationId, naming, thoughts, now())
  const drafts = await Promise.all(
    [...thoughts.drafts, ...(thoughts.news ?? [])].map(async (draft) => ({
      ...draft,
      memory: await inScope(draft.memory, projectRoot, draft.scope),
    })),
  )
  // Of the lines by the rules only those that hold everywhere.
  const isByModel = thoughts.answeredBy === 'model'
  const profile = isByModel ? thoughts.profile : holdingEverywhere(thoughts.profile, projectRoot)
  // The next mark covers a round that gives nothing to write; no model is asked twice.
  const isMarked = isLast || asksModel || drafts.length + profile.length > 0
  const outcomes = await writeThoughts({ memories: store.memories, newId }, userId, drafts, now(), {
    verdicts: thoughts,
    profile: withTellings(profile, conversationId, round),
    ...(isMarked ? { completes: { conversationId, thoughtTo: round.at(-1)!.turnId ?? 0 }, lease: job } : {}),
  })
  await takeBackTurns(store, job, thoughts, outcomes, now())
  await hearOf(inUse, { store, logger, now }, job, round)
  for (const at of thoughts.drafts.keys()) {
    const outcome = outcomes[at]
    if (outcome === undefined || outcome.event === 'ADD' || outcome.event === 'SUPERSEDE') continue
    logger.debug('a statement was skipped', { operation: 'think', reason: 'said before', memory: outcome.memory.id })
  }
  const stored = outcomes.filter(({ event }) => event === 'ADD' || event === 'SUPERSEDE').length
  logger.info('thought about a round', {
    operation: 'think',
    user: userId,
    conversation: conversationId,
    answeredBy: thoughts.answeredBy,
    count: stored,
    repeated: outcomes.length - stored,
    rejected: thoughts.rejected.length,
  })
  return true
}

/** Queues a job for each episode in use, which learns from the round. */
async function hearOf(
  inUse: readonly Memory[],
  { store, logger, now }: Pick<ThinkDependencies, 'store' | 'logger' | 'now'>,
  { userId, subject: conversationId }: LeasedJob,
  round: readonly ThinkMessage[],
): Promise<void> {
  const message = round.findLast(({ role }) => role === 'user')
  if (message === undefined || inUse.length === 0) return
  const asked = askedIn(message.content)
  try {
    const heard = inUse.map(({ id }) => reconsolidationJob(id, conversationId, asked))
    await store.jobs.enqueue(userId, heard, now())
  } catch (error) {
    // The thoughts are written: a failed look at used episodes is no reason to repeat them.
    if (!(error instanceof MnemeError)) throw error
    logger.warn('What was recalled is not reconsolidated.', { operation: 'think', user: userId, reason: error.message })
  }
}

/** A model takes seconds; turns deleted in them must not come back as a line of the profile. */
async function isStillThere(
  log: Store['log'],
  userId: string,
  conversationId: string,
  round: readonly ThinkMessage[],
): Promise<boolean> {
  const [from, to] = [round[0]?.turnId, round.at(-1)?.turnId]
  if (from == null || to == null) return true
  const { total } = await log.turnPage(userId, conversationId, { from, to, limit: 0, offset: 0 })
  return total === round.length
}

/** The most variables that one conversation keeps; the oldest leave. */
const MOST_VARIABLES = 32

/** Updates the living working memory; nothing when there is none any more. */
async function keepAnalysis(
  { workingMemory }: Pick<Store, 'workingMemory'>,
  userId: string,
  conversationId: string,
  { topic, contextVariables, emotion }: ConversationAnalysis,
  now: number,
): Promise<void> {
  const present = await workingMemory.get(userId, conversationId, now - WORKING_MEMORY_IDLE_MS)
  if (present === null) return
  const known = Object.entries(present.contextVariables).filter(([name]) => !(name in contextVariables))
  const variables = [...known, ...Object.entries(contextVariables)].slice(-MOST_VARIABLES)
  await workingMemory.update(
    userId,
    conversationId,
    {
      ...(topic === null ? {} : { currentTopic: topic }),
      contextVariables: Object.fromEntries(variables),
      ...(emotion === null ? {} : { lastEmotion: emotion }),
    },
    // Thinking is no activity: a late thought does not lengthen the life of a conversation that went quiet.
    present.updatedAt,
  )
}
