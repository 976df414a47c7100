/** An addition with `infer` (the default): rules answer at once, with a model it is a job (PENDING). */
import type { LeasedJob } from '../domain/contracts/job-queue.ts'
import { invalid } from '../domain/errors.ts'
import { memoryId } from '../domain/ids.ts'
import { type Memory, projectName } from '../domain/memory.ts'
import { within } from '../domain/scheduling.ts'
import type { ThinkMessage } from '../domain/thought.ts'
import { SAID_BEFORE } from '../domain/turn.ts'
import { inScope, projectOfAddition } from './matching/filter.ts'
import { type AddMemoryInput, checkTexts, type MessageInput, readAddition } from './memories.ts'
import type { Opened } from './open-options.ts'
import type { Draft, Outcome, Rejection, ThinkInput, Thoughts } from './think/draft.ts'
import { knownBefore } from './think/known-before.ts'
import { withTellings } from './think/profile-lines.ts'
import { type Completion, writeThoughts } from './think/write-thoughts.ts'

export interface AddAnswer {
  readonly outcomes: readonly Outcome[]
  readonly rejected: readonly Rejection[]
  /** The job that does it; null when none was needed. */
  readonly jobId: string | null
  /** true: the job was not waited for, or not to its end. */
  readonly isPending?: boolean
}

interface AdditionThinking {
  /** Thinks by the model where there is one, else by the rules. */
  readonly think: (input: ThinkInput, signal?: AbortSignal) => Promise<Thoughts>
  readonly maxCharacters: () => Promise<number>
  readonly asksModel: boolean
  readonly worker: { readonly wake: () => void }
  /** Resolves with the outcome of the job. */
  readonly waitFor: (jobId: string) => Promise<Omit<AddAnswer, 'jobId'>>
}

type Thinks<Parts extends keyof AdditionThinking> = Opened & { readonly thinking: Pick<AdditionThinking, Parts> }

/** An addition as a job keeps it: checked, with its time. */
export interface Addition {
  readonly messages: readonly ThinkMessage[]
  /** The fields of the memory that the caller gave; they override the thoughts. */
  readonly said: Partial<Omit<Memory, 'id' | 'text'>>
  readonly conversationId: string | null
  /** Whether it is a text that a caller chose to be remembered. Absent: false. */
  readonly isChosen?: boolean
  /** The project that it is said in. Absent: none. */
  readonly projectRoot?: string | null
  /** Absent: it is compared with all of the user's memories. */
  readonly among?: Draft['among']
  /** The number of the turn that was given these words: what came from the old ones is taken back first. */
  readonly edited?: number
}

/** Fields by which a caller defines the memory: then nothing is left to decide, only to compare. */
const STRUCTURE = ['memoryType', 'category', 'key', 'value'] as const
/** Fields that hold for any memory that comes of it. */
const SAID = [
  ...STRUCTURE,
  'who',
  'tags',
  'confidence',
  'source',
  'importance',
  'sourceTurnIds',
  'externalId',
  'validTo',
] as const

/** Adds a text or messages after thinking about them. */
export async function addInferred(
  core: Thinks<keyof AdditionThinking>,
  content: string | readonly MessageInput[],
  input: AddMemoryInput,
): Promise<AddAnswer> {
  const { store, options, thinking } = core
  const { dedupThreshold } = options
  const now = options.clock().getTime()
  const { userId, wait, waitMs, among, described } = readAddition(input, now)
  const texts = checkTexts(content, options.maxContentBytes)
  if (texts.length > 1 && described.externalId !== null)
    throw invalid('externalId', `cannot name ${texts.length} messages`, 'Add the messages one by one.')
  const messages = texts.map(
    ({ text, who }, at): ThinkMessage => ({
      role: who ?? 'user',
      content: text,
      speaker: null,
      turnId: null,
      createdAt: described.createdAt,
      [SAID_BEFORE]: texts[at - 1]?.text,
    }),
  )
  const said = Object.fromEntries(
    SAID.filter((field) => input[field] !== undefined && input[field] !== null).map((field) => [
      field,
      described[field],
    ]),
  )
  const projectRoot = await projectOfAddition(store.log, userId, described)
  const addition: Addition = {
    messages,
    said: described.metadata === null ? said : { ...said, metadata: described.metadata },
    conversationId: described.conversationId,
    // A text of a conversation is something said there (002 R7.1).
    isChosen: typeof content === 'string' && described.conversationId === null,
    projectRoot,
    ...(among === undefined ? {} : { among }),
  }
  if (STRUCTURE.some((field) => field in said)) {
    const drafts = await Promise.all(
      texts.map(
        async ({ text, who }): Promise<Draft> => ({
          facts: [],
          memory: await inScope({ ...described, text, who: described.who ?? who }, projectRoot),
          ...toldOf(addition),
        }),
      ),
    )
    const outcomes = await writeThoughts(
      { memories: store.memories, newId: memoryId, dedupThreshold },
      userId,
      drafts,
      now,
    )
    return { outcomes, rejected: [], jobId: null }
  }
  if (!thinking.asksModel) return { ...(await rememberAddition(core, userId, addition)), jobId: null }
  const [jobId = ''] = await store.jobs.enqueue(userId, [{ kind: 'add', subject: memoryId(), payload: addition }], now)
  const waited = wait ? thinking.waitFor(jobId) : null
  thinking.worker.wake()
  const answer = waited === null ? null : await (waitMs === null ? waited : within(waited, waitMs))
  return answer === null ? { outcomes: [], rejected: [], jobId, isPending: true } : { ...answer, jobId }
}

/** Thinks about an addition and stores the outcome; also the work of the job `add`. */
export async function rememberAddition(
  { store, options, thinking }: Thinks<'think' | 'maxCharacters'>,
  userId: string,
  addition: Addition,
  job?: LeasedJob,
  signal?: AbortSignal,
): Promise<Omit<AddAnswer, 'jobId'>> {
  const { memories } = store
  const { messages, conversationId, isChosen = false, projectRoot = null } = addition
  const now = options.clock().getTime()
  // Only a model is shown known memories, and only a job asks one.
  const asked = { ...addition, asksModel: true }
  const known = job === undefined ? [] : (await knownBefore(memories, userId, messages, projectRoot, asked)).known
  const input = {
    userId,
    conversationId,
    messages,
    isChosen,
    known,
    project: projectName(projectRoot),
    now,
    maxCharacters: await thinking.maxCharacters(),
  }
  const thoughts = await thinking.think(input, signal)
  const drafts = await Promise.all(thoughts.drafts.map((draft, index) => overridden(draft, addition, index)))
  const completion: Completion = {
    profile: isOfUser(addition) ? withTellings(thoughts.profile, conversationId, messages) : [],
    ...(job === undefined ? {} : { verdicts: thoughts, lease: job, finishes: true }),
  }
  const news = await Promise.all(
    (thoughts.news ?? []).map(async (one) => ({ ...one, ...(await overridden(one, addition, drafts.length)) })),
  )
  const writing = { memories, newId: memoryId, dedupThreshold: options.dedupThreshold }
  const outcomes = await writeThoughts(writing, userId, [...drafts, ...news], now, completion)
  // A refused message that changed a memory is no longer refused.
  const rejected = thoughts.rejected.filter((refusal) => !outcomes.some(({ lifted }) => lifted === refusal))
  return { outcomes, rejected }
}

/** Another person's words about himself are no line of the user's. */
function isOfUser({ said: { who } }: Addition): boolean {
  return who === undefined || who === 'user'
}

/** The draft with the caller's fields; of several drafts the later ones get a number behind the caller's id. */
async function overridden(draft: Draft, addition: Addition, index: number): Promise<Draft> {
  const { said, projectRoot = null } = addition
  const externalId = said.externalId ?? null
  return {
    ...draft,
    lines: isOfUser(addition) ? (draft.lines ?? []) : [],
    ...toldOf(addition),
    memory: await inScope(
      {
        ...draft.memory,
        ...said,
        metadata: { ...draft.memory.metadata, ...(said.who == null ? {} : { who: said.who }), ...said.metadata },
        externalId: externalId === null || index === 0 ? externalId : `${externalId}#${index + 1}`,
      },
      projectRoot,
      draft.scope,
    ),
  }
}

function toldOf({ said, among }: Addition): Pick<Draft, 'said' | 'among'> {
  return {
    said: { metadata: said.metadata ?? null, validTo: said.validTo ?? null },
    ...(among === undefined ? {} : { among }),
  }
}
